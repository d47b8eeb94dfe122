import Diagnostics
package import Pacing
import TraceModel

/// What `bench` found.
package struct BenchReport: Encodable {
  private let lanes: [FleetLane]
  private let seed: UInt64
  private let duration: Duration
  /// What a search did not go beyond.
  package var maxDevices: Int?
  /// The largest number of devices that passed all its runs; nil = it was not looked for.
  package var capacity: Int?
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
      "seed": seed, "max_devices": maxDevices, "duration_seconds": seconds(duration),
      "capacity": capacity, "trials": trials.map(\.document),
    ]
    try document.encode(to: encoder)
  }

  /// With a search: whether there is a number at all.
  package var isValid: Bool {
    capacity.map { $0 > 0 } ?? trials.allSatisfy { $0.timing.outcome != .invalid }
  }

  package static func line(of trial: FleetTrialReport) -> String {
    "\(trial.devices) devices: \(trial.timing.outcome.rawValue), "
      + "p99 lateness \(trial.timing.verdictLateness) us, "
      + "\(trial.timing.missed) of \(trial.timing.deliveries) missed, "
      + "\(fixed(100 * trial.timing.cpuSeconds / trial.timing.wallSeconds, 0)) % of a CPU"
  }

  package var text: String {
    var output = lanes.map {
      "\($0.channel.name) every \($0.period.map { fixed(Double($0) / 1e6, 1) } ?? "-") ms through \($0.detector), "
        + "\(counted($0.recordings.count, "recording"))\n"
    }.joined()
    if let capacity {
      let valid = trials.reversed().prefix {
        $0.devices == capacity && $0.timing.outcome == .valid
      }
      output +=
        "\n\(trialTable)\nseed \(seed)\ncapacity of one thread: \(grouped(Double(capacity))) devices, to within 5 % "
        + "(valid in its last \(valid.count) runs of "
        + "\(fixed(seconds(duration), 1)) s; \(smallestInvalid(above: capacity)))\n"
    } else if let trial = trials.first {
      output +=
        "\(grouped(Double(trial.devices))) devices, "
        + "\(grouped(trial.readingsPerSecond)) readings per second, \(trial.detections) detections, "
        + "seed \(seed)\n\n"
        + trial.timing.text
    }
    return output
  }

  private func smallestInvalid(above capacity: Int) -> String {
    let failed = trials.filter { $0.devices > capacity && $0.timing.outcome != .valid }
    guard let fewest = failed.map(\.devices).min() else { return "no more were tried" }
    return "\(grouped(Double(fewest))) failed"
  }

  private var trialTable: String {
    TextTable(
      "Trials in their order", trials,
      [
        .init("devices") { grouped(Double($0.devices)) },
        .init("readings/s") { grouped($0.readingsPerSecond) },
        .init("p99 lateness us") { $0.timing.verdictLateness },
        .init("max us") { microseconds($0.timing.lateness.max) },
        .init("missed") { "\($0.timing.missed)" },
        .init("CPU %") { fixed(100 * $0.timing.cpuSeconds / $0.timing.wallSeconds, 1) },
        .init("timing", .left) { $0.timing.outcome.rawValue },
      ]
    ).render()
  }
}

/// A run of a fleet, in the form in which it is printed and written.
package struct FleetTrialReport: Sendable {
  package let devices: Int
  package let timing: TimingReport
  /// Readings per second, of all devices.
  let readingsPerSecond: Double
  let detections: Int
  /// The distributions in HdrHistogram's text form, which JSON leaves out.
  package let histograms: String

  package init(_ trial: FleetTrial, limits: TimingLimits) {
    devices = trial.devices
    detections = trial.detections
    readingsPerSecond = trial.readingsPerSecond
    histograms = trial.timing.histogramText
    timing = TimingReport(
      trial.timing, mode: trial.mode, rate: 1, period: trial.period.map(Double.init),
      limits: limits, wall: trial.wall, processor: trial.processor)
  }

  fileprivate var document: JSONObject {
    [
      "devices": devices, "timing": timing, "readings_per_second": readingsPerSecond,
      "detections": detections,
    ]
  }
}
