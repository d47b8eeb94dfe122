public import TraceModel

/// The canonical text of detections: what is hashed to prove that two runs found the same.
public enum DetectionLog {
  /// A line a detection, tab-separated: emitted and onset in ns, device, kind, label, original
  /// label, value (the shortest decimal that reads back the same; `nan` for none), place (`-` for
  /// none).
  public static func line(_ record: DetectionRecord) -> String {
    let place = record.place.map(String.init) ?? "-"
    let value = record.value.isNaN ? "nan" : "\(record.value)"
    return "\(record.emitted.nanoseconds)\t\(record.onset.nanoseconds)\t\(record.device.index)\t"
      + "\(record.kind)\t\(record.label)\t\(record.originalLabel)\t\(value)\t\(place)"
  }

  /// All lines, each ended by a line feed.
  public static func text(_ records: [DetectionRecord]) -> String {
    records.map { line($0) + "\n" }.joined()
  }
}
