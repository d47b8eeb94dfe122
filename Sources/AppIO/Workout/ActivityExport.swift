import Files
public import TraceModel
public import WorkoutApp

/// Exports activities to files for other programs.
public enum ActivityExport {
  /// Writes GPX 1.1 to a temporary file and renames it, so that an existing file stays complete
  /// until the new one is.
  ///
  /// - Throws: if the activity has no track (a swim) or the file cannot be written.
  public static func writeGPX(_ record: Workout.Record, to path: String) throws(TraceError) {
    guard record.segments.contains(where: { !$0.isEmpty }) else {
      throw TraceError(
        place: "activity \(record.id)", expected: "a recorded track", found: "no location",
        remedy: "export a run or a ride")
    }
    try AtomicFile.write(Array(GPXDocument.text(of: record).utf8), to: path)
  }
}
