import Detectors
import Diagnostics
import Evaluation
import Pacing
import Reports
import TraceModel

extension FleetLane {
  private static let builtInNames = [
    PunchDetector.name, CheckInDetector.name, TrackDetector.name, PresenceDetector.name,
  ]

  /// A lane for each built-in detector that some of the traces are for.
  static func builtIn(
    on traces: [Trace], _ registry: DetectorRegistry, gravity: GravityFilter.Parameters?,
    length: Duration
  ) throws -> [FleetLane] {
    var lanes: [FleetLane] = []
    for name in builtInNames {
      let detector = try registry.detector(named: name)
      let needsPlaces = name == CheckInDetector.name
      let fitting = traces.filter {
        detector.channel != .location || $0.header.places.isEmpty != needsPlaces
      }
      let recordings = readable(fitting, by: detector, gravity)
      guard !recordings.isEmpty else { continue }
      lanes.append(
        try FleetLane(
          DetectorChoice(detector: name, preset: "default"), of: detector, on: recordings,
          gravity: gravity, length: length))
    }
    guard !lanes.isEmpty else {
      throw Failure(
        .badData,
        "the traces have no channel that a built-in detector reads; name a detector with --detector"
      )
    }
    return lanes
  }

  /// The lane of one detector, on the traces that have its channel.
  init(
    _ choice: DetectorChoice, of detector: AnyDetector, on traces: [Trace],
    gravity: GravityFilter.Parameters?, length: Duration
  ) throws {
    guard !detector.isExternal else {
      throw Failure(
        .wrongUse,
        "\(choice.detector): expected a detector of this program, found another program, which has "
          + "no real-time pace; measure it with run")
    }
    let recordings = Self.readable(traces, by: detector, gravity)
    guard !recordings.isEmpty else {
      throw Failure(
        .badData,
        "expected a trace with channel \(detector.channel.name), which \(choice.title) reads, "
          + "found none")
    }
    try Self.check(recordings, of: detector.channel, for: length)
    self.init(channel: detector.channel, detector: choice.title, recordings: recordings) {
      try detector.stream(choice, on: $0, options: $1)
    }
  }

  /// The traces with at least two readings of the detector's channel.
  private static func readable(
    _ traces: [Trace], by detector: AnyDetector, _ gravity: GravityFilter.Parameters?
  ) -> [Trace] {
    traces.map { withoutGravity($0, for: detector, gravity) }
      .filter { ($0.header.info(detector.channel)?.count ?? 0) > 1 }
  }

  /// Checks that each recording is in order and as long as the run: a device without readings is no
  /// load.
  private static func check(
    _ recordings: [Trace], of channel: Channel, for length: Duration
  ) throws {
    for trace in recordings {
      guard let block = trace[channel] else { continue }
      if !block.isInOrder {
        throw Failure(
          .badData,
          "\(trace.header.id): /\(channel.name): arrivals go back; reorder it with convert --sort")
      }
      guard trace.header.duration >= length else {
        throw Failure(
          .badData,
          "\(trace.header.id): lasts \(fixed(trace.header.end.seconds, 1)) s, expected at least the "
            + "run's \(fixed(seconds(length), 1)) s; choose a shorter --duration, or a longer recording"
        )
      }
    }
  }

  private static func withoutGravity(
    _ trace: Trace, for detector: AnyDetector, _ parameters: GravityFilter.Parameters?
  ) -> Trace {
    var trace = trace
    if detector.channel == .userAcceleration, trace[.userAcceleration] == nil {
      trace.removeGravity(parameters ?? GravityFilter.Parameters())
    }
    return trace
  }
}
