import Diagnostics
import HDF5
import Scoring

extension HDF5Contents {
  /// - Parameter attributes: what HDF5 has no type for is JSON in one line; what is nil is left out.
  init(
    attributes: JSONObject = [:], figures: [Figure] = [], groups: [(String, HDF5Contents)] = []
  ) {
    self.init(
      attributes: attributes.attributes, scalars: figures.flatMap(\.scalars), groups: groups)
  }

  /// - Precondition: the columns are not empty, and of one length.
  static func table(
    _ dimension: String, _ columns: [HDF5Column], attributes: JSONObject = [:]
  ) -> HDF5Contents {
    var contents = HDF5Contents(attributes: attributes)
    contents.table = (dimension, columns)
    return contents
  }

  /// Writes a file with the attributes of every results file, as ``write(to:)`` does.
  func write(to path: String, schema: String, dataCommit: String) throws(HDF5Error) {
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
  fileprivate var attributes: [HDF5Attribute] {
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

extension Figure {
  /// The value and, if it has an interval, its bounds. Undefined is NaN.
  fileprivate var scalars: [HDF5Column] {
    var columns = [HDF5Column].estimates(name, [estimate], unit: unit)
    let basis: JSONObject = [
      "interval_count": estimate.count, "interval_clusters": estimate.clusters,
      "interval_cluster": estimate.clusterKind?.rawValue,
      "interval_assumed_correlation": estimate.assumedCorrelation,
    ]
    if estimate.method != nil { columns[0].attributes += basis.attributes }
    return columns
  }
}

extension HDF5Column {
  /// Nanoseconds from the trace's start.
  static func times(_ name: String, _ values: [Int64]) -> HDF5Column {
    HDF5Column(name, values, [HDF5Attribute("units", "ns")])
  }

  static func places(_ places: [Int32?]) -> HDF5Column {
    integers("place", places.map { $0 ?? -1 }, note: "-1 = none", missing: -1)
  }
}

extension [HDF5Column] {
  /// A column of values and, if they have intervals, one of each bound. Undefined is NaN.
  static func estimates(_ name: String, _ estimates: [Estimate], unit: String) -> [HDF5Column] {
    var values = HDF5Column.floats(name, estimates.map(\.value), unit: unit)
    let methods = Set(estimates.compactMap(\.method?.rawValue)).sorted()
    guard !methods.isEmpty else { return [values] }
    values.attributes.append(HDF5Attribute("interval_method", methods.joined(separator: " ")))
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
