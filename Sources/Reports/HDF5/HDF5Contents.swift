import Diagnostics
import HDF5
import Scoring

/// What a group of a results file holds, described before it is written. A literal names the groups
/// in a group.
struct HDF5Contents: ExpressibleByDictionaryLiteral {
  /// What HDF5 has no type for is JSON in one line; what is nil is left out.
  var attributes: JSONObject
  /// Each figure is a scalar with its bounds.
  var figures: [Figure]
  /// Columns that share one dimension. A counter from 0 is its scale, so that every reader knows the
  /// dimension by name.
  var table: (dimension: String, columns: [HDF5Column])?
  var groups: [(String, HDF5Contents)]

  init(
    attributes: JSONObject = [:], figures: [Figure] = [], groups: [(String, HDF5Contents)] = []
  ) {
    (self.attributes, self.figures, self.groups) = (attributes, figures, groups)
  }

  init(dictionaryLiteral groups: (String, HDF5Contents)...) { self.init(groups: groups) }

  /// - Precondition: the columns are not empty, and of one length.
  static func table(
    _ dimension: String, _ columns: [HDF5Column], attributes: JSONObject = [:]
  ) -> HDF5Contents {
    var contents = HDF5Contents(attributes: attributes)
    contents.table = (dimension, columns)
    return contents
  }

  /// Writes a file whose root group has these contents, and the attributes of every results file.
  ///
  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  func write(to path: String, schema: String, dataCommit: String) throws(HDF5Error) {
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    try root.set([
      "Conventions": "CF-1.8", "schema": schema, "tool_version": Tool.version,
      "data_commit": dataCommit,
    ])
    try root.write(self)
    try root.close()
    try file.commit()
  }
}

/// A column of numbers.
struct HDF5Column {
  var attributes: JSONObject
  fileprivate var count: Int
  fileprivate var write: (HDF5Group) throws(HDF5Error) -> HDF5Dataset

  private init<Element: HDF5Number>(
    _ name: String, _ values: [Element], _ attributes: JSONObject
  ) {
    self.attributes = attributes
    count = values.count
    write = { group throws(HDF5Error) in
      let dataset = try group.createDataset(name, of: Element.self, shape: [values.count])
      try dataset.write(values)
      return dataset
    }
  }

  /// Nanoseconds from the trace's start.
  static func times(_ name: String, _ values: [Int64]) -> HDF5Column {
    HDF5Column(name, values, ["units": "ns"])
  }

  /// Numbers; nil is NaN.
  static func floats(_ name: String, _ values: [Double?], unit: String = "") -> HDF5Column {
    HDF5Column(name, values.map { $0 ?? .nan }, ["units": unit.isEmpty ? "1" : unit])
  }

  /// Integers; `missing` is the value for none, and is named as a flag.
  static func integers(
    _ name: String, _ values: [Int32], note: String, missing: Int32? = nil
  ) -> HDF5Column {
    let flags: JSONObject = ["comment": note]
    return HDF5Column(
      name, values,
      flags.adding("flag_values", missing.map { [$0] })
        .adding("flag_meanings", missing.map { _ in "none" }))
  }

  static func places(_ places: [Int32?]) -> HDF5Column {
    integers("place", places.map { $0 ?? -1 }, note: "-1 = none", missing: -1)
  }

  /// Texts as codes: `int8`, or `int32` if there are too many.
  /// - Parameter all: every text that such a column can have, so that a code has the same meaning
  ///   in all runs; nil = the texts of this one.
  static func codes(
    _ name: String, _ texts: [String], of all: some Sequence<String> = []
  ) -> HDF5Column {
    let table = FlagTable(texts: all + texts)
    let codesByName = table.codesByName
    let codes = texts.map { codesByName[$0] ?? 0 }
    guard table.codes.count <= Int(Int8.max) else {
      return HDF5Column(
        name, codes, ["flag_values": table.codes, "flag_meanings": table.meanings])
    }
    return HDF5Column(
      name, codes.map { Int8(clamping: $0) },
      [
        "flag_values": table.codes.map { Int8(clamping: $0) }, "flag_meanings": table.meanings,
      ])
  }
}

extension [HDF5Column] {
  /// A column of values and, if they have intervals, one of each bound. Undefined is NaN.
  static func estimates(_ name: String, _ estimates: [Estimate], unit: String) -> [HDF5Column] {
    var values = HDF5Column.floats(name, estimates.map(\.value), unit: unit)
    let methods = Set(estimates.compactMap(\.method?.rawValue)).sorted()
    guard !methods.isEmpty else { return [values] }
    values.attributes = values.attributes.adding(
      "interval_method", methods.joined(separator: " "))
    return [
      values, .floats(name + "_lo", estimates.map(\.interval?.lower), unit: unit),
      .floats(name + "_hi", estimates.map(\.interval?.upper), unit: unit),
    ]
  }

  /// The figures of the rows, which all have the same ones.
  static func figures(_ rows: [[Figure]]) -> [HDF5Column] {
    (rows.first ?? []).indices.flatMap { position in
      let figures = rows.map { $0[position] }
      return estimates(figures[0].name, figures.map(\.estimate), unit: figures[0].unit)
    }
  }

  /// Columns of true positives, false positives and false negatives; -1 = nil.
  static func counts(_ counts: [EventCounts?]) -> [HDF5Column] {
    func column(
      _ name: String, _ note: String, _ value: (EventCounts) -> Int
    ) -> HDF5Column {
      .integers(
        name, counts.map { $0.map { Int32(clamping: value($0)) } ?? -1 }, note: note,
        missing: counts.contains(nil) ? -1 : nil)
    }
    return [
      column("true_positives", "references found", \.truePositives),
      column("false_positives", "detections without a reference", \.falsePositives),
      column("false_negatives", "references missed", \.falseNegatives),
    ]
  }
}

extension HDF5Group {
  fileprivate func write(_ contents: HDF5Contents) throws(HDF5Error) {
    try set(contents.attributes)
    for figure in contents.figures { try write(figure) }
    if let (dimension, columns) = contents.table { try write(columns, over: dimension) }
    for (name, contents) in contents.groups {
      try createGroup(ResultsFile.escaped(name)).write(contents)
    }
  }

  /// Writes a figure as a scalar with its bounds. Undefined is NaN.
  private func write(_ figure: Figure) throws(HDF5Error) {
    let estimate = figure.estimate
    let dataset = try scalar(figure.name, estimate.value, unit: figure.unit)
    guard let method = estimate.method else { return }
    try dataset.set([
      "interval_method": method.rawValue, "interval_count": estimate.count,
      "interval_clusters": estimate.clusters,
    ])
    try scalar(figure.name + "_lo", estimate.interval?.lower, unit: figure.unit)
    try scalar(figure.name + "_hi", estimate.interval?.upper, unit: figure.unit)
  }

  @discardableResult
  private func scalar(
    _ name: String, _ value: Double?, unit: String
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try createDataset(name, of: Double.self, shape: [])
    try dataset.write([value ?? .nan])
    try dataset.setAttribute("units", unit.isEmpty ? "1" : unit)
    return dataset
  }

  private func write(_ columns: [HDF5Column], over dimension: String) throws(HDF5Error) {
    let count = columns[0].count
    let scale = try createDataset(dimension, of: Int64.self, shape: [count])
    try scale.write((0..<count).map(Int64.init))
    try scale.makeScale()
    var uses: [(dataset: HDF5Dataset, scales: [HDF5Dataset])] = []
    for column in columns {
      let dataset = try column.write(self)
      try dataset.set(column.attributes)
      uses.append((dataset, [scale]))
    }
    try attachScales(uses)
  }
}

extension HDF5Object {
  fileprivate func set(_ attributes: JSONObject) throws(HDF5Error) {
    for (name, value) in attributes.members {
      switch value {
      case let text as String: try setAttribute(name, text)
      case let flag as Bool: try setAttribute(name, Int8(flag ? 1 : 0))
      case let integer as Int: try setAttribute(name, Int64(integer))
      case let number as any HDF5Number: try setAttribute(name, number)
      case let codes as [Int8]: try setAttribute(name, codes)
      case let codes as [Int32]: try setAttribute(name, codes)
      default:
        let text = jsonLine(value)
        if text != "null" { try setAttribute(name, text) }
      }
    }
  }
}
