import Diagnostics
package import HDF5
package import Scoring

extension HDF5Contents {
  /// - Parameter attributes: a value without an HDF5 type becomes JSON; nil is left out.
  package init(
    attributes: JSONObject = [:], figures: [Figure] = [], groups: [(String, HDF5Contents)] = []
  ) {
    var titles = FigureTitles()
    self.init(
      attributes: attributes.attributes, scalars: titles.columns([figures], .scalar),
      groups: groups)
  }

  /// - Precondition: the columns are not empty, and of one length.
  package static func table(
    _ dimension: String, _ columns: [HDF5Column], attributes: JSONObject = [:]
  ) -> HDF5Contents {
    var contents = HDF5Contents(attributes: attributes)
    contents.table = (dimension, columns)
    return contents
  }

  /// Writes a file as ``write(to:)`` does, with the attributes that every results file has.
  package func write(to path: String, schema: String, dataCommit: String) throws(HDF5Error) {
    let head: JSONObject = [
      "Conventions": "CF-1.8", "schema": schema, "tool_version": Tool.version,
      "data_commit": dataCommit,
    ]
    var contents = self
    contents.attributes = head.attributes + attributes
    try contents.write(to: path)
  }
}

extension JSONObject {
  var attributes: [HDF5Attribute] {
    members.compactMap { name, value in
      switch value {
      case let text as String: return HDF5Attribute(name, text)
      case let flag as Bool: return HDF5Attribute(name, Int8(flag ? 1 : 0))
      case let integer as Int: return HDF5Attribute(name, Int64(integer))
      case let number as any HDF5Number: return HDF5Attribute(name, number)
      default:
        let text = jsonLine(value)
        return text == "null" ? nil : HDF5Attribute(name, text)
      }
    }
  }
}

extension HDF5Column {
  /// Nanoseconds from the trace's start.
  package static func times(_ name: String, _ values: [Int64]) -> HDF5Column {
    HDF5Column(name, values, [HDF5Attribute("units", "ns")])
  }

  /// The onsets of a table of events. Those of many are not compressed: a detector that fires at each
  /// reading of a still device has columns that pack so well that no reader would trust the file.
  static func onsets(_ values: [Int64]) -> HDF5Column {
    HDF5Column(
      "onset", values, [HDF5Attribute("units", "ns")],
      layout: values.count > ResultsBudget.freeEvents ? .contiguous : nil)
  }

  package static func places(_ places: [Int32?]) -> HDF5Column {
    integers("place", places.map { $0 ?? -1 }, note: "-1 = none", missing: -1)
  }
}

extension [HDF5Column] {
  /// Columns of values and of their bounds, also if none has an interval.
  package static func bounded(_ name: String, _ estimates: [Estimate?]) -> [HDF5Column] {
    FigureColumns(name, estimates, unit: "").numbers.map { .floats($0.name, $0.values) }
  }

  /// Columns of true positives, false positives and false negatives; -1 = nil.
  package static func counts(_ counts: [EventCounts?]) -> [HDF5Column] {
    func column(
      _ figure: FigureDefinition, _ note: String, _ value: (EventCounts) -> Int
    ) -> HDF5Column {
      .integers(
        figure.name, counts.map { $0.map { Int32(clamping: value($0)) } ?? -1 }, note: note,
        missing: counts.contains(nil) ? -1 : nil)
    }
    return [
      column(.truePositives, "references found", \.truePositives),
      column(.falsePositives, "detections without a reference", \.falsePositives),
      column(.falseNegatives, "references missed", \.falseNegatives),
    ]
  }
}
