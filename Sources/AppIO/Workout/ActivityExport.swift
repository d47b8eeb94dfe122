public import Apps
import TraceFormats
public import TraceModel

/// Activities as files that other programs read.
public enum ActivityExport {
  /// Writes GPX 1.1, beside the path first and then renamed to it: a file that was there stays whole
  /// until the new one is.
  ///
  /// - Throws: where the activity has no track (a swim), and where the file cannot be written.
  public static func writeGPX(
    _ record: Workout.Record, to path: String
  ) throws(TraceError) {
    guard record.segments.contains(where: { !$0.isEmpty }) else {
      throw TraceError(
        place: "activity \(record.id)", expected: "a recorded track", found: "no location",
        remedy: "only runs and rides have one")
    }
    let file = try AtomicFile(path: path)
    try file.write(bytes: Array(GPXDocument.text(of: record).utf8))
    try file.commit()
  }
}
