import Diagnostics
package import Pacing
import Results
import TraceModel

package struct BenchReport: Encodable {
  private let lanes: [FleetLane]
  private let seed: UInt64
  private let duration: Duration
  /// The largest number of devices that passed all its runs; nil without a search.
  package var capacity: CapacityEstimate?
  package var trials: [FleetTrialReport] = []

  package init(lanes: [FleetLane], seed: UInt64, duration: Duration) {
    (self.lanes, self.seed, self.duration) = (lanes, seed, duration)
  }

  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "lanes": lanes.map { lane -> JSONObject in
        [
          "channel": lane.channel.name, "detector": lane.detector,
          "recordings": lane.recordings.map(\.header.id), "period_ns": lane.period,
        ]
      },
      "seed": seed, "max_devices": capacity?.limit, "duration_seconds": seconds(duration),
      "capacity": capacity?.capacity, "capacities": capacity?.found,
      "capacity_at_least": capacity?.least,
      "capacity_at_least_confidence": capacity?.confidenceOfLeast,
      "capacity_range_confidence": capacity?.confidenceOfRange,
      "trials": trials.enumerated().map { $1.document(search: capacity?.search(ofTrial: $0)) },
    ]
    try document.encode(to: encoder)
  }

  /// Whether the timing is valid; with a search, whether it found a number of devices.
  package var isValid: Bool {
    capacity.map { $0.capacity > 0 } ?? trials.allSatisfy { $0.timing.outcome != .invalid }
  }

  package static func line(of trial: FleetTrialReport) -> String {
    "\(trial.devices) devices: \(trial.timing.outcome.rawValue), "
      + "p99 lateness \(trial.timing.verdictLateness) us, "
      + "\(trial.timing.missed) of \(trial.timing.deliveries) missed, "
      + "worst device \(trial.timing.worstLateShare) % late, "
      + "\(fixed(100 * trial.timing.cpuSeconds / trial.timing.wallSeconds, 0)) % of a CPU"
  }

  package var text: String {
    var output = lanes.map {
      "\($0.channel.name) every \($0.period.map { fixed(Double($0) / 1e6, 1) } ?? "-") ms through \($0.detector), "
        + "\(counted($0.recordings.count, "recording"))\n"
    }.joined()
    if let capacity {
      let isInsufficient = trials.contains {
        $0.devices == capacity.capacity && $0.timing.outcome == .insufficient
      }
      output +=
        "\n\(trialTable)\nseed \(seed), runs of \(fixed(seconds(duration), 1)) s\n"
        + "capacity of one thread: \(capacity.text), each to within 5 %\n"
        + (isInsufficient ? "timing INSUFFICIENT: choose a longer --duration\n" : "")
    } else if let trial = trials.first {
      output +=
        "\(grouped(Double(trial.devices))) devices, \(grouped(trial.readingsPerSecond)) readings per "
        + "second, \(trial.detections) detections, seed \(seed)\n\n" + trial.timing.text
    }
    return output
  }

  private var trialTable: String {
    TextTable(
      "Trials in their order", trials,
      [
        .init("devices") { grouped(Double($0.devices)) },
        .init("readings/s") { grouped($0.readingsPerSecond) },
        .init("p99\nlateness us") { $0.timing.verdictLateness },
        .init("max us") { $0.timing.lateness.max.map(microseconds) ?? TableCell.undefined },
        .init("missed") { "\($0.timing.missed)" },
        .init("worst\nlate %") { $0.timing.worstLateShare },
        .init("CPU %") { fixed(100 * $0.timing.cpuSeconds / $0.timing.wallSeconds, 1) },
        .init("timing", .left) { $0.timing.outcome.rawValue },
      ]
    ).render()
  }
}

package struct FleetTrialReport: Sendable {
  package let devices: Int
  package let timing: TimingReport
  /// Of all devices.
  let readingsPerSecond: Double
  let detections: Int
  /// The distributions in HdrHistogram's text form; not in JSON.
  package let histograms: String

  package init(_ trial: FleetTrial) {
    devices = trial.devices
    detections = trial.detections
    readingsPerSecond = trial.readingsPerSecond
    histograms = trial.timing.histogramText
    timing = TimingReport(
      trial.timing, mode: trial.mode, rate: 1, wall: trial.wall, processor: trial.processor)
  }

  /// - Parameter search: the number of its search; nil = none.
  fileprivate func document(search: Int?) -> JSONObject {
    [
      "devices": devices, "timing": timing, "readings_per_second": readingsPerSecond,
      "detections": detections, "search": search,
    ]
  }
}
