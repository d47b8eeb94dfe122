package import Replay
package import Apps
package import TraceModel

/// The canonical log of all runs: what two results are compared by.
package enum SuiteLog {
  /// A heading line a run, `#entry<tab>trace`, its detections, and a line `=name<tab>value<tab>unit`
  /// for each measurement.
  package static func text(_ run: RunRecord) -> String {
    let measurements = run.measurements.map { "=\($0.name)\t\($0.value)\t\($0.unit)\n" }
    return "#\(run.entry)\t\(run.traceID)\n" + DetectionLog.text(run.detections)
      + measurements.joined()
  }

  /// A heading line `@entry`, then an app's events.
  package static func text(_ app: AppRecord) -> String {
    "@\(app.entry)\n" + DetectionLog.text(app.events.map(DetectionRecord.init))
  }

  package static func texts(_ output: SuiteRunner.Output) -> [String] {
    output.runs.map(text) + output.apps.map(text)
  }
}
