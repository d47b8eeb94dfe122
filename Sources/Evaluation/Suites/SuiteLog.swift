import AppEngines
import Detectors
import Diagnostics
import Replay
import TraceModel

/// The canonical log of all runs, for comparing two results. Names stay within their cell.
public enum SuiteLog {
  /// Returns `#entry<tab>trace`, the detections, and `=name<tab>value<tab>unit` per measurement.
  public static func text(_ run: RunRecord) -> String {
    let measurements = run.measurements.map {
      "=\(cell($0.name))\t\($0.value)\t\(cell($0.unit))\n"
    }
    return "#\(cell(run.entry))\t\(cell(run.traceID))\n" + text(run.detections)
      + measurements.joined()
  }

  /// Returns a heading line `@entry` and the events of an app.
  public static func text(_ app: AppRecord) -> String {
    "@\(cell(app.entry))\n" + text(app.events.lazy.map { DetectionRecord($0) })
  }

  private static func cell(_ name: String) -> String { PrintedText.text(onOneLine(name)) }

  private static func text(_ records: some Sequence<DetectionRecord>) -> String {
    // The same few names in each record.
    var cells: [String: String] = [:]
    func known(_ name: String) -> String {
      if let found = cells[name] { return found }
      let found = cell(name)
      cells[name] = found
      return found
    }
    return records.reduce(into: "") { text, record in
      var record = record
      record.kind = known(record.kind)
      record.label = known(record.label)
      record.originalLabel = known(record.originalLabel)
      text += DetectionLog.line(record)
      text += "\n"
    }
  }

  /// The text of each run, then of each app, made when it is asked for.
  public static func texts(_ output: SuiteRunner.Output) -> some Sequence<String> {
    let (runs, apps) = (output.runs, output.apps)
    return (0..<runs.count + apps.count).lazy.map {
      $0 < runs.count ? text(runs[$0]) : text(apps[$0 - runs.count])
    }
  }
}

extension SuiteRunner {
  /// The batch sizes and thread counts that ``firstDifference(from:)`` tries.
  public static let variants = [1, 7, 4096].flatMap { size in
    [1, 2].map { (batchSize: size, threads: $0) }
  }

  /// Runs the suite again with other batch sizes and thread counts, which must not change the
  /// results. Returns the first difference with its entry, trace and detection; nil if there is none.
  public func firstDifference(from measured: Output) async throws -> String? {
    for (batchSize, threads) in Self.variants {
      let again = try await SuiteRunner(
        suite: suite, registry: registry, loader: loader, threads: threads, batchSize: batchSize
      ).run()
      let pool = threads == 1 ? "1 thread" : "\(threads) threads"
      let variant = "with batches of \(batchSize) on \(pool)"
      for (old, new) in zip(measured.apps, again.apps)
      where SuiteLog.text(old) != SuiteLog.text(new) {
        return "entry \(old.entry): the app is not deterministic: its log changes \(variant)"
      }
      for (old, new) in zip(measured.runs, again.runs)
      where SuiteLog.text(old) != SuiteLog.text(new) {
        let (one, other) = (lines(old), lines(new))
        let same = zip(one, other).prefix { $0 == $1 }.count
        return
          "entry \(old.entry) on \(old.traceID): the detector is not deterministic: \(variant), "
          + "expected line \(same) of its log to be \(same < one.count ? one[same] : "missing"), "
          + "found \(same < other.count ? other[same] : "missing"); use only parameters and readings "
          + "in the detector"
      }
    }
    return nil
  }

  private func lines(_ run: RunRecord) -> [Substring] {
    SuiteLog.text(run).split(separator: "\n").map { $0.prefix(200) }
  }
}
