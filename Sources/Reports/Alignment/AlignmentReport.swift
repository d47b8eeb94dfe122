import Diagnostics
import Results
package import TraceTools

package struct AlignmentReport {
  private let found: ClockAlignment
  private let first: String
  private let second: String
  private let areClocksKnown: Bool
  private let seed: UInt64

  package init(
    found: ClockAlignment, first: String, second: String, areClocksKnown: Bool, seed: UInt64
  ) {
    (self.found, self.first, self.second) = (found, first, second)
    (self.areClocksKnown, self.seed) = (areClocksKnown, seed)
  }

  package var reason: String {
    let correlation = fixed(found.peak.correlation, 3)
    switch found.verdict {
    case .ambiguous:
      return "ambiguous: expected one best offset, found two: \(fixed(found.offset.value, 3)) s "
        + "(correlation \(correlation)) and \(fixed(found.secondOffset ?? .nan, 3)) s "
        + "(correlation \(fixed(found.secondCorrelation ?? .nan, 3))); set --max-offset, or compare "
        + "another --signal"
    case .unrelated:
      return "unrelated: expected a significant correlation of at least "
        + "\(ClockAlignment.leastCorrelation), found \(correlation) (p at most "
        + "\(fixed(found.probability, 4))); check that both traces are of one person and one time"
    default:
      return
        "expected most windows (all if fewer than \(ClockAlignment.leastWindows)) to agree, found "
        + "\(found.windowsUsed) of \(found.windows); if a clock jumped, align parts made with shadowbox "
        + "trim"
    }
  }

  package func text(_ format: OutputFormat, _ screen: Screen) throws -> String {
    switch format {
    case .json: try jsonDocument(document, .align, inputs: .files([first, second]))
    case .csv: csv
    case .table: table(screen)
    }
  }

  private func table(_ screen: Screen) -> String {
    var table = TextTable(
      "Clock of \(second) against \(first), by \(found.signal.rawValue) at "
        + "\(fixed(found.rate, 2)) Hz: \(found.verdict.rawValue)",
      [
        .init("figure", .left), .init("value"), .init("95 % interval"),
        .init("note", .left, isText: true),
      ])
    func add(_ name: String, _ estimate: ClockAlignment.Estimate, _ decimals: Int, _ note: String) {
      let interval = estimate.interval.map {
        "\(fixed($0.lowerBound, decimals)) to \(fixed($0.upperBound, decimals))"
      }
      table.add([name, fixed(estimate.value, decimals), interval ?? "-", note])
    }
    add(
      "offset s", found.offset, 4,
      "add to the times of the second trace, at \(fixed(found.middle, 1)) s")
    if let drift = found.drift { add("drift ppm", drift, 1, "change of the offset over time") }
    let correlation = fixed(found.peak.correlation, 3)
    table.add(["correlation", correlation, "", "at the best offset over the whole trace"])
    if let offset = found.secondOffset, let correlation = found.secondCorrelation {
      table.add(["second best", fixed(correlation, 3), "", "at \(fixed(offset, 3)) s"])
    }
    let (used, length) = (found.windowsUsed, fixed(found.windowLength, 0))
    return table.render(screen)
      + screen.wrapped(
        "The offset is between the \(areClocksKnown ? "wall clocks" : "traces' zeros"). "
          + (found.offset.interval == nil
            ? "There are too few windows for an interval: \(used) of \(length) s.\n"
            : "Intervals: bootstrap over n = \(used) windows of \(length) s (of \(found.windows)), seed "
              + "\(seed).\n"))
  }

  private var csv: String {
    let (offset, drift, verdict) = (found.offset, found.drift, found.verdict.rawValue)
    return csvTable(
      [found],
      [
        ("first", { _ in first }), ("second", { _ in second }), ("verdict", { _ in verdict }),
        ("signal", { $0.signal.rawValue }), ("rate_hz", { $0.rate }),
        ("offset_s", { _ in offset.value }), ("offset_lo", { _ in offset.interval?.lowerBound }),
        ("offset_hi", { _ in offset.interval?.upperBound }), ("drift_ppm", { _ in drift?.value }),
        ("drift_lo", { _ in drift?.interval?.lowerBound }),
        ("drift_hi", { _ in drift?.interval?.upperBound }), ("windows_used", { $0.windowsUsed }),
        ("windows", { $0.windows }), ("correlation", { $0.peak.correlation }),
        ("second_offset_s", { $0.secondOffset }), ("second_correlation", { $0.secondCorrelation }),
      ])
  }

  private var document: JSONObject {
    func interval(_ estimate: ClockAlignment.Estimate) -> JSONObject {
      [
        "value": estimate.value, "lower": estimate.interval?.lowerBound,
        "upper": estimate.interval?.upperBound,
      ]
    }
    return [
      "first": first, "second": second, "are_clocks_known": areClocksKnown, "seed": seed,
      "verdict": found.verdict, "signal": found.signal, "rate_hz": found.rate,
      "offset_s": interval(found.offset), "offset_holds_at_s": found.middle,
      "drift_ppm": found.drift.map(interval), "windows": found.windows,
      "windows_used": found.windowsUsed, "window_s": found.windowLength,
      "peak_correlation": found.peak.correlation, "probability": found.probability,
      "second_offset_s": found.secondOffset, "second_correlation": found.secondCorrelation,
    ]
  }
}
