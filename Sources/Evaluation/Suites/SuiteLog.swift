import Apps
import Replay
import TraceModel

/// The canonical log of all runs, for comparing two results.
public enum SuiteLog {
  /// Returns a heading line `#entry<tab>trace`, the detections, and a line
  /// `=name<tab>value<tab>unit` per measurement.
  public static func text(_ run: RunRecord) -> String {
    let measurements = run.measurements.map { "=\($0.name)\t\($0.value)\t\($0.unit)\n" }
    return "#\(run.entry)\t\(run.traceID)\n" + DetectionLog.text(run.detections)
      + measurements.joined()
  }

  /// Returns a heading line `@entry` and the events of an app.
  public static func text(_ app: AppRecord) -> String {
    "@\(app.entry)\n" + DetectionLog.text(app.events.map(DetectionRecord.init))
  }

  public static func texts(_ output: SuiteRunner.Output) -> [String] {
    output.runs.map(text) + output.apps.map(text)
  }
}
