package import HDF5
package import Scoring
package import Tuning

/// The columns of a group that share one dimension. A counter from 0 is its scale, so that every
/// reader knows the dimension by name.
package struct ColumnTable {
  private let group: HDF5Group
  private let dimension: String
  private let count: Int
  private var columns: [HDF5Dataset] = []

  package init(_ group: HDF5Group, dimension: String, count: Int) {
    self.group = group
    self.dimension = dimension
    self.count = count
  }

  /// Nanoseconds from the trace's start.
  package mutating func times(_ name: String, _ values: [Int64]) throws(HDF5Error) {
    try add(name, values, unit: "ns")
  }

  package mutating func floats(_ name: String, _ values: [Double], unit: String) throws(HDF5Error) {
    try add(name, values, unit: unit.isEmpty ? "1" : unit)
  }

  /// A column of values and, if they have intervals, one of each bound. Undefined is NaN.
  package mutating func estimates(
    _ name: String, _ estimates: [Estimate], unit: String
  ) throws(HDF5Error) {
    let unit = unit.isEmpty ? "1" : unit
    let dataset = try add(name, estimates.map { $0.value ?? .nan }, unit: unit)
    let methods = Set(estimates.compactMap(\.method?.rawValue)).sorted()
    guard !methods.isEmpty else { return }
    try dataset.setAttribute("interval_method", methods.joined(separator: " "))
    try add(name + "_lo", estimates.map { $0.interval?.lower ?? .nan }, unit: unit)
    try add(name + "_hi", estimates.map { $0.interval?.upper ?? .nan }, unit: unit)
  }

  /// Columns of the true and false positives of a curve.
  package mutating func counts(of curve: ThresholdCurve) throws(HDF5Error) {
    try counts("true_positives", curve.truePositives, note: "references found")
    try counts("false_positives", curve.falsePositives, note: "detections without a reference")
  }

  /// Columns of true positives, false positives and false negatives; -1 = nil.
  package mutating func counts(_ counts: [EventCounts?]) throws(HDF5Error) {
    try self.counts("true_positives", counts.map { $0?.truePositives }, note: "references found")
    try self.counts(
      "false_positives", counts.map { $0?.falsePositives }, note: "detections without a reference")
    try self.counts("false_negatives", counts.map { $0?.falseNegatives }, note: "references missed")
  }

  private mutating func counts(
    _ name: String, _ values: [Int?], note: String
  ) throws(HDF5Error) {
    try integers(
      name, values.map { $0.map { Int32(clamping: $0) } ?? -1 }, note: note,
      missing: values.contains(nil) ? -1 : nil)
  }

  /// Integers; `missing` is the value for none, and is named as a flag.
  package mutating func integers(
    _ name: String, _ values: [Int32], note: String, missing: Int32?
  ) throws(HDF5Error) {
    let dataset = try add(name, values, unit: nil)
    try dataset.setAttribute("comment", note)
    if let missing {
      try dataset.setAttribute("flag_values", [missing])
      try dataset.setAttribute("flag_meanings", "none")
    }
  }

  /// Texts as codes: `int8`, or `int32` if there are too many.
  /// - Parameter all: every text that such a column can have, so that a code has the same meaning
  ///   in all runs; nil = the texts of this one.
  package mutating func codes(
    _ name: String, _ texts: [String], of all: [String]? = nil
  ) throws(HDF5Error) {
    let table = FlagTable(texts: (all ?? []) + texts)
    let codes = texts.map { table.codesByName[$0] ?? 0 }
    let dataset: HDF5Dataset
    if table.codes.count <= Int(Int8.max) {
      dataset = try add(name, codes.map { Int8(clamping: $0) }, unit: nil)
      try dataset.setAttribute("flag_values", table.codes.map { Int8(clamping: $0) })
    } else {
      dataset = try add(name, codes, unit: nil)
      try dataset.setAttribute("flag_values", table.codes)
    }
    try dataset.setAttribute("flag_meanings", table.meanings)
  }

  /// Attaches the dimension to the columns.
  package func finish() throws(HDF5Error) {
    let scale = try group.createDataset(dimension, of: Int64.self, shape: [count])
    try scale.write((0..<count).map(Int64.init))
    try scale.makeScale()
    try group.attachScales(columns.map { (dataset: $0, scales: [scale]) })
  }

  @discardableResult
  private mutating func add<Element: HDF5Number>(
    _ name: String, _ values: [Element], unit: String?
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try group.createDataset(name, of: Element.self, shape: [count])
    try dataset.write(values)
    if let unit { try dataset.setAttribute("units", unit) }
    columns.append(dataset)
    return dataset
  }
}
