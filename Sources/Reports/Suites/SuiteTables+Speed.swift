import Diagnostics
import Evaluation
import Results
import Scoring
import TraceModel

extension SuiteTables {
  /// The speed of the detectors on this machine; nil in a deterministic result.
  var speed: String? {
    guard isRun, !result.speeds.isEmpty else { return nil }
    let measured = result.speeds.contains { $0.time != nil }
    let table = TextTable(
      "Speed on this machine: ns of processor time per sample", result.speeds,
      [
        .init("detector/preset", .left) { inLine($0.entry) },
        .init("origin", .left) { $0.origin.rawValue },
        .init("traces", rank: 2) { $0.samples > 0 ? "\($0.traces)" : TableCell.undefined },
        .init("samples", rank: 1) { $0.samples > 0 ? "\($0.samples)" : TableCell.undefined },
        .init("ns/sample") { TableCell.value($0.time?.median, 2) },
        .init("95 % interval") { TableCell.range($0.time?.interval, 2) ?? TableCell.undefined },
      ])
    let reasons = result.speeds.compactMap { figure in
      figure.reason.map { "\(inLine(figure.entry)) (\(figure.origin.rawValue)): \($0).\n" }
    }
    let method =
      "Median of \(SpeedMeter.repeats) repeats on one thread after the run, with an interval between "
      + "two of the repeats. It holds for this machine and this run.\n"
    return table.render(screen) + screen.wrapped((measured ? method : "") + reasons.joined())
  }
}

extension RepeatedTime {
  /// nil with too few repeats.
  var interval: Interval? {
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
  }
}

extension SpeedFigure {
  var document: JSONObject {
    let speed: JSONObject = [
      "nanoseconds_per_sample": [
        "value": time?.median, "lower": time?.lower, "upper": time?.upper, "unit": "ns",
        "method": IntervalMethod.orderStatistics, "population": "this_machine_and_run",
        "count": time?.repeats,
      ] as JSONObject,
      "clock": "thread_processor_time", "samples": samples, "traces": traces, "passes": passes,
    ]
    return speed.adding("undefined", reason)
  }
}
