package import HDF5
package import Scoring

/// A figure over the rows of a table or the cells of a grid: a column of values, `_lo` and `_hi` with the
/// bounds of the 95 % intervals, and the counts behind them. ``StoredFigures`` reads it.
package struct FigureColumns {
  /// What is stored besides the bounds.
  enum Form {
    /// The methods that occur, as an attribute.
    case curve
    /// The method and the counts of a single value, as attributes.
    case scalar
    /// Those that some row has, as columns.
    case table
    /// All of them as columns, without attributes.
    case grid
  }

  static let bounds = ["_lo", "_hi", "_assumed_correlation"]
  static let suffixes = [""] + bounds + ["_events", "_clusters", "_method"]

  let title: String
  let unit: String
  /// nil = the row does not have the figure.
  let cells: [Estimate?]

  package init(_ title: String, _ cells: [Estimate?], unit: String) {
    (self.title, self.unit, self.cells) = (title, unit, cells)
  }

  /// The values and their bounds, by the names of their columns.
  package var numbers: [(name: String, values: [Double?])] {
    [
      (title, cells.map { $0?.value }), (title + "_lo", cells.map { $0?.interval?.lower }),
      (title + "_hi", cells.map { $0?.interval?.upper }),
    ]
  }

  /// The columns; only the values if no row has an interval. Undefined is NaN.
  func columns(_ form: Form, _ attributes: [HDF5Attribute] = []) -> [HDF5Column] {
    var columns = numbers.map { HDF5Column.floats($0.name, $0.values, unit: unit) }
    columns[0].attributes += attributes
    let estimates = cells.compactMap(\.self)
    let methods = Set(estimates.compactMap(\.method?.rawValue)).sorted()
    guard !methods.isEmpty else { return [columns[0]] }
    if form != .grid {
      columns[0].attributes.append(HDF5Attribute("interval_method", methods.joined(separator: " ")))
    }
    switch form {
    case .curve: break
    case .scalar:
      let basis: JSONObject = [
        "interval_count": estimates.first?.count, "interval_clusters": estimates.first?.clusters,
        "interval_cluster": estimates.first?.clusterKind?.rawValue,
        "interval_assumed_correlation": estimates.first?.assumedCorrelation,
      ]
      columns[0].attributes += basis.attributes
    case .table:
      let kinds = Set(estimates.compactMap(\.clusterKind?.rawValue)).sorted()
      if !kinds.isEmpty {
        columns[0].attributes.append(
          HDF5Attribute("interval_cluster", kinds.joined(separator: " ")))
      }
      columns += basis(isWhole: false)
      if estimates.contains(where: { $0.assumedCorrelation != nil }) {
        columns.append(
          .floats(title + "_assumed_correlation", cells.map { $0?.assumedCorrelation }, unit: "1"))
      }
      if methods.count > 1 || estimates.contains(where: { $0.method == nil }) {
        columns.append(methodColumn)
      }
    case .grid: columns += basis(isWhole: true) + [methodColumn]
    }
    return columns
  }

  private var methodColumn: HDF5Column {
    .codes(title + "_method", cells.map { $0?.method?.rawValue ?? "none" })
  }

  /// - Parameter isWhole: whether to include columns without any value.
  private func basis(isWhole: Bool) -> [HDF5Column] {
    func column(_ suffix: String, _ note: String, _ value: (Estimate) -> Int?) -> [HDF5Column] {
      let numbers = cells.map { $0.flatMap { $0.method == nil ? nil : value($0) } }
      guard isWhole || numbers.contains(where: { $0 != nil }) else { return [] }
      return [
        .integers(
          title + suffix, numbers.map { Int32(clamping: $0 ?? -1) }, note: note, missing: -1)
      ]
    }
    return column("_events", "events or times that it rests on", \.count)
      + column("_clusters", "people, recordings or peers that the interval rests on", \.clusters)
  }
}

extension [HDF5Column] {
  /// A column of values and, if they have intervals, one for each bound.
  package static func estimates(
    _ name: String, _ estimates: [Estimate], unit: String
  ) -> [HDF5Column] { FigureColumns(name, estimates, unit: unit).columns(.curve) }

  /// Adds the figures of the rows.
  package func withFigures(_ rows: [[Figure]]) -> [HDF5Column] {
    var titles = FigureTitles(taken: map(\.name))
    return self + titles.columns(rows, .curve)
  }
}
