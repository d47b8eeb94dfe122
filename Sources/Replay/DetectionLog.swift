public import TraceModel

/// The canonical text of detections, which is hashed to compare runs.
///
/// ```swift
/// let punch = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch", value: 31.5)
/// DetectionLog.line(punch).split(separator: "\t").last  // -
/// ```
public enum DetectionLog {
  /// Returns one line per detection, tab-separated: emitted and onset in ns, device, kind, label,
  /// original label, value (the shortest decimal that round-trips; `nan` for none), place (`-` for
  /// none).
  public static func line(_ record: DetectionRecord) -> String {
    let place = record.place.map(String.init) ?? "-"
    let value = record.value.isNaN ? "nan" : "\(record.value)"
    return "\(record.emitted.nanoseconds)\t\(record.onset.nanoseconds)\t\(record.device.index)\t"
      + "\(record.kind)\t\(record.label)\t\(record.originalLabel)\t\(value)\t\(place)"
  }

  /// Returns all lines, each terminated by a line feed.
  public static func text(_ records: [DetectionRecord]) -> String {
    records.reduce(into: "") { text, record in
      text += line(record)
      text += "\n"
    }
  }
}
