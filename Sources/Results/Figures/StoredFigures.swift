import HDF5
import Scoring

/// The columns of a group of a file, and the figures in them: what ``FigureColumns`` writes.
struct StoredFigures {
  private struct About {
    var name: String
    /// Whether the file marks the column as a figure, although its name ends like a bound's.
    var isNamed: Bool
    /// `measurements` or `delivery`; nil = the score.
    var part: String?
    var unit: String
    var method: String?
    var cluster: String?
    var count: Int?
    var clusters: Int?
    var assumedCorrelation: Double?

    /// - Throws: also if a text attribute has another type.
    init(_ dataset: HDF5Dataset, _ column: String) throws(HDF5Error) {
      let own = try dataset.textAttribute("figure")
      (name, isNamed) = (own ?? column, own != nil)
      part = try dataset.textAttribute("part")
      unit = try dataset.textAttribute("units") ?? "1"
      // A column with several methods or kinds lists them without their rows.
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

  /// - Parameter isCode: whether integers are codes of texts; nil = only with a readable flag table.
  mutating func add(_ dataset: HDF5Dataset, _ name: String, isCode: Bool? = nil) throws(HDF5Error) {
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

  /// The columns of figures of a part, see ``About/part``.
  func columns(part: String? = nil) -> [String] {
    names.filter { name in
      guard let about = about[name], about.part == part else { return false }
      let isBound = FigureColumns.bounds.contains {
        name.hasSuffix($0) && numbers[String(name.dropLast($0.count))] != nil
      }
      return about.isNamed || !isBound
    }
  }

  func size(_ column: String) -> Int { numbers[column]?.count ?? 0 }
  var rows: Int { numbers.values.map(\.count).max() ?? 0 }

  private func value<Value>(_ column: [Value]?, _ row: Int) -> Value? {
    column.flatMap { $0.indices.contains(row) ? $0[row] : nil }
  }

  func text(_ name: String, _ row: Int) -> String? { value(texts[name], row) }
  func stored(_ name: String, _ row: Int) -> Int64? { value(integers[name], row) }

  /// nil also for a negative number, which marks a missing value.
  func integer(_ name: String, _ row: Int) -> Int64? {
    stored(name, row).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// nil also for NaN.
  func number(_ name: String, _ row: Int) -> Double? {
    value(numbers[name], row).flatMap { $0.isNaN ? nil : $0 }
  }

  /// nil if neither value, bounds nor count is known. A percentile that was not reached has bounds.
  func figure(_ column: String, _ row: Int, ofClass label: String? = nil) -> Figure? {
    guard let about = about[column] else { return nil }
    let bounds = (number(column + "_lo", row), number(column + "_hi", row))
    var estimate = Estimate(
      number(column, row),
      bounds.0 == nil && bounds.1 == nil
        ? nil : Interval(lower: bounds.0 ?? -.infinity, upper: bounds.1 ?? .infinity),
      by: (text(column + "_method", row) ?? about.method).flatMap(IntervalMethod.init),
      count: integer(column + "_events", row).map { Int($0) } ?? about.count,
      clusters: integer(column + "_clusters", row).map { Int($0) } ?? about.clusters)
    if estimate.clusters != nil { estimate.clusterKind = about.cluster.flatMap(ClusterKind.init) }
    estimate.assumedCorrelation =
      number(column + "_assumed_correlation", row) ?? about.assumedCorrelation
    let name = label.map { "\(about.name)_\($0)" } ?? about.name
    return Figure(name, estimate, unit: about.unit).ifDefined
  }
}

extension Figure {
  /// Nil if neither its value, its interval nor its count is known.
  var ifDefined: Figure? { value != nil || interval != nil || estimate.count ?? 0 > 0 ? self : nil }
}

extension HDF5Dataset {
  /// A column of codes as texts; nil if it has no readable flag table.
  func codedTexts() throws(HDF5Error) -> [String]? {
    guard let codes = try attributeArray("flag_values", as: Int32.self),
      let meanings = try textAttribute("flag_meanings"),
      case .success(let table) = FlagTable.reading(codes: codes, meanings: meanings)
    else { return nil }
    let values: [Int32] = try read()
    return values.map { table.names[$0] ?? "" }
  }
}
