import Diagnostics
import Detectors
package import Pacing
import TraceModel

/// What `bench` found.
package struct BenchReport: Encodable {
  package struct Lane: Encodable {
    package var channel: String
    package var detector: String
    package var recordings: [String]
    @Nullable package var periodNs: Int64?
  }

  package var lanes: [Lane]
  package var seed: UInt64
  /// What a search did not go beyond.
  @Nullable package var maxDevices: Int?
  package var durationSeconds: Double
  /// The largest number of devices that passed all its runs; nil = it was not looked for.
  @Nullable package var capacity: Int?
  package var trials: [FleetTrialReport] = []

  package init(lanes: [FleetLane], seed: UInt64, duration: Duration) {
    self.lanes = lanes.map {
      Lane(
        channel: $0.channel.name, detector: $0.detector,
        recordings: $0.recordings.map(\.header.id), periodNs: $0.period)
    }
    self.seed = seed
    durationSeconds = seconds(duration)
    maxDevices = nil
    capacity = nil
  }

  /// With a search: whether there is a number at all.
  package var isValid: Bool {
    capacity.map { $0 > 0 } ?? trials.allSatisfy { $0.timing.outcome != .invalid }
  }

  package static func line(of trial: FleetTrialReport) -> String {
    let p99 = fixed(Double(trial.timing.verdictLatenessNs ?? 0) / 1000, 1)
    return "\(trial.devices) devices: \(trial.timing.verdict), p99 lateness \(p99) us, "
      + "\(trial.timing.missed) of \(trial.timing.deliveries) missed, "
      + "\(fixed(100 * trial.timing.cpuSeconds / trial.timing.wallSeconds, 0)) % of a processor"
  }

  package var text: String {
    var output = lanes.map {
      "\($0.channel) every \($0.periodNs.map { fixed(Double($0) / 1e6, 1) } ?? "-") ms through \($0.detector), "
        + "\($0.recordings.count) recording\($0.recordings.count == 1 ? "" : "s")\n"
    }.joined()
    if let capacity {
      output += "\n" + trialTable + "\n"
      output +=
        "seed \(seed)\ncapacity of one thread: \(grouped(Double(capacity))) devices, to within 5 % "
        + "(valid in its last \(lastValid(capacity)) runs of "
        + "\(fixed(durationSeconds, 1)) s; \(smallestInvalid(above: capacity)))\n"
    } else if let trial = trials.first {
      output +=
        "\(grouped(Double(trial.devices))) devices, "
        + "\(grouped(trial.readingsPerSecond)) readings a second, \(trial.detections) detections, "
        + "seed \(seed)\n\n"
        + trial.timing.text
    }
    return output
  }

  private func lastValid(_ capacity: Int) -> Int {
    trials.reversed().prefix { $0.devices == capacity && $0.timing.outcome == .valid }.count
  }

  private func smallestInvalid(above capacity: Int) -> String {
    let invalid = trials.filter { $0.devices > capacity && $0.timing.outcome != .valid }
      .map(\.devices).min()
    return invalid.map { "\(grouped(Double($0))) failed" } ?? "no more were tried"
  }

  private var trialTable: String {
    var table = TextTable(
      "Trials in their order",
      ["devices", "readings/s", "p99 lateness us", "max us", "missed", "CPU %", "timing"].map {
        .init($0, $0 == "timing" ? .left : .right)
      })
    for trial in trials {
      let timing = trial.timing
      table.add([
        grouped(Double(trial.devices)), grouped(trial.readingsPerSecond),
        fixed(Double(timing.verdictLatenessNs ?? 0) / 1000, 1),
        fixed(Double(timing.latenessNs.max) / 1000, 1), "\(timing.missed)",
        fixed(100 * timing.cpuSeconds / timing.wallSeconds, 1), timing.verdict,
      ])
    }
    return table.render()
  }
}
