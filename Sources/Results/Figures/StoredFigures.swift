import HDF5
import Scoring

/// The columns of a group of a file, and the figures in them: what ``FigureColumns`` writes.
struct StoredFigures {
  private struct About {
    var name: String
    /// Whether the file says that it is a figure, although its name ends like a bound's.
    var isNamed: Bool
    /// What it belongs to; nil = the score.
    var part: String?
    var unit: String
    var method: String?
    var cluster: String?
    /// Of a single value.
    var count: Int?
    var clusters: Int?
    var assumedCorrelation: Double?

    /// - Throws: also if an attribute is no text.
    init(_ dataset: HDF5Dataset, _ column: String) throws(HDF5Error) {
      let own = try dataset.textAttribute("figure")
      (name, isNamed) = (own ?? column, own != nil)
      part = try dataset.textAttribute("part")
      unit = try dataset.textAttribute("units") ?? "1"
      // A column with several methods or kinds lists them, and not which row has which.
      let single: (String) -> String? = { $0.contains(" ") ? nil : $0 }
      method = try dataset.textAttribute("interval_method").flatMap(single)
      cluster = try dataset.textAttribute("interval_cluster").flatMap(single)
      let numbers: (Int64?, Int64?) = (
        try dataset.attribute("interval_count"), try dataset.attribute("interval_clusters")
      )
      (count, clusters) = (numbers.0.map { Int($0) }, numbers.1.map { Int($0) })
      assumedCorrelation = try dataset.attribute("interval_assumed_correlation")
    }
  }

  private var numbers: [String: [Double]] = [:]
  private var integers: [String: [Int64]] = [:]
  private var texts: [String: [String]] = [:]
  private var about: [String: About] = [:]
  /// The columns of numbers in the order of the file.
  private var names: [String] = []

  /// Adds a column.
  /// - Parameter isCode: whether integers are codes of texts; nil = where they have a table of them.
  mutating func add(
    _ dataset: HDF5Dataset, _ name: String, isCode: Bool? = nil
  ) throws(HDF5Error) {
    switch dataset.storedType {
    case .float:
      numbers[name] = try dataset.read()
      about[name] = try About(dataset, name)
      names.append(name)
    case .integer where isCode != false: texts[name] = try dataset.codedTexts()
    case .integer: integers[name] = try dataset.read()
    case .string, .other: break
    }
  }

  mutating func add(_ texts: [String], _ name: String) { self.texts[name] = texts }

  /// The columns of figures.
  /// - Parameter part: what they belong to; nil = the score.
  func columns(part: String? = nil) -> [String] {
    names.filter { name in
      guard let about = about[name], about.part == part else { return false }
      let isBound = FigureColumns.bounds.contains {
        name.hasSuffix($0) && numbers[String(name.dropLast($0.count))] != nil
      }
      return about.isNamed || !isBound
    }
  }

  /// The number of values of a column of numbers.
  func size(_ column: String) -> Int { numbers[column]?.count ?? 0 }

  /// The length of the longest column of numbers.
  var rows: Int { numbers.values.map(\.count).max() ?? 0 }

  func text(_ name: String, _ row: Int) -> String? {
    texts[name].flatMap { $0.indices.contains(row) ? $0[row] : nil }
  }

  /// Nil also for a negative number, which a column has where the row has none.
  func integer(_ name: String, _ row: Int) -> Int64? {
    stored(name, row).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The integer as the column has it.
  func stored(_ name: String, _ row: Int) -> Int64? {
    integers[name].flatMap { $0.indices.contains(row) ? $0[row] : nil }
  }

  /// Nil also for NaN.
  func number(_ name: String, _ row: Int) -> Double? {
    numbers[name].flatMap { $0.indices.contains(row) && !$0[row].isNaN ? $0[row] : nil }
  }

  /// A figure; nil if the file says nothing about it. A percentile of delays that was not reached has
  /// bounds.
  /// - Parameter label: the class that it is named by; nil = none.
  func figure(_ column: String, _ row: Int, ofClass label: String? = nil) -> Figure? {
    guard let about = about[column] else { return nil }
    let bounds = (number(column + "_lo", row), number(column + "_hi", row))
    let estimate = Estimate(
      number(column, row),
      bounds.0 == nil && bounds.1 == nil
        ? nil : Interval(lower: bounds.0 ?? -.infinity, upper: bounds.1 ?? .infinity),
      by: (text(column + "_method", row) ?? about.method).flatMap(IntervalMethod.init),
      count: integer(column + "_events", row).map { Int($0) } ?? about.count,
      clusters: integer(column + "_clusters", row).map { Int($0) } ?? about.clusters)
    return Figure(
      label.map { "\(about.name)_\($0)" } ?? about.name,
      estimate.resting(
        on: about.cluster.flatMap(ClusterKind.init),
        number(column + "_assumed_correlation", row) ?? about.assumedCorrelation),
      unit: about.unit
    ).ifDefined
  }
}

extension Estimate {
  /// The estimate with what its clusters are, where it has some.
  fileprivate func resting(on kind: ClusterKind?, _ assumedCorrelation: Double?) -> Estimate {
    var estimate = self
    estimate.clusterKind = clusters == nil ? nil : kind
    estimate.assumedCorrelation = assumedCorrelation
    return estimate
  }
}

extension Figure {
  /// Nil if nothing is known of it.
  var ifDefined: Figure? {
    value != nil || interval != nil || estimate.count ?? 0 > 0 ? self : nil
  }
}

extension HDF5Dataset {
  /// A column of codes as texts; nil if it has no readable table of them.
  func codedTexts() throws(HDF5Error) -> [String]? {
    guard let codes = try attributeArray("flag_values", as: Int32.self),
      let meanings = try textAttribute("flag_meanings"),
      case .success(let table) = FlagTable.reading(codes: codes, meanings: meanings)
    else { return nil }
    let values: [Int32] = try read()
    return values.map { table.names[$0] ?? "" }
  }
}
