import Detectors
import Diagnostics
import Evaluation
import Pacing
import Replay
import Synthesis
import TraceModel

extension FleetLane {
  /// A lane for each built-in detector that some of the traces are for.
  static func builtIn(
    on traces: [Trace], gravity: GravityFilter.Parameters?, length: Duration
  ) throws -> [FleetLane] {
    var lanes: [FleetLane] = []
    let names = [
      PunchDetector.name, CheckInDetector.name, TrackDetector.name, PresenceDetector.name,
      TileDragDetector.name,
    ]
    for name in names {
      let detector = try Harness.registry.detector(named: name)
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
    try requireData(
      !lanes.isEmpty,
      "the traces have no channel that a built-in detector reads; name a detector with --detector")
    return lanes
  }

  /// The lane of one detector, on the traces that have its channel.
  init(
    _ choice: DetectorChoice, of detector: AnyDetector, on traces: [Trace],
    gravity: GravityFilter.Parameters?, length: Duration
  ) throws {
    try requireUse(
      !detector.isExternal,
      "\(choice.detector): expected a detector of this program, found another program, which has no "
        + "real-time pace; measure it with run")
    let recordings = Self.readable(traces, by: detector, gravity)
    try requireData(
      !recordings.isEmpty,
      "expected a trace with channel \(detector.channel.name), which \(choice.title) reads, found none"
    )
    for trace in recordings { try Self.check(trace, of: detector.channel, for: length) }
    self.init(channel: detector.channel, detector: choice.title, recordings: recordings) {
      try detector.bound(choice, for: $0.source.header).stream(on: $0, options: $1)
    }
  }

  /// The traces without gravity that have at least two readings of the detector's channel.
  private static func readable(
    _ traces: [Trace], by detector: AnyDetector, _ gravity: GravityFilter.Parameters?
  ) -> [Trace] {
    traces.map { trace in
      var trace = trace
      if detector.channel == .userAcceleration, trace[.userAcceleration] == nil {
        trace.removeGravity(gravity ?? GravityFilter.Parameters())
      }
      return trace
    }.filter { ($0.header.info(detector.channel)?.count ?? 0) > 1 }
  }

  /// Checks that a recording is in order and as long as the run: a device without readings is not a
  /// load.
  private static func check(_ trace: Trace, of channel: Channel, for length: Duration) throws {
    let header = trace.header
    try requireData(
      trace[channel]?.isInOrder ?? true,
      "\(header.id): /\(channel.name): arrivals go back; reorder it with convert --sort")
    try requireData(
      header.duration >= length,
      "\(header.id): lasts \(fixed(header.end.seconds, 1)) s, expected at least the run's "
        + "\(fixed(seconds(length), 1)) s; choose a shorter --duration, or a longer recording")
  }
}

extension BenchCommand {
  /// The traces that `bench` plays if none are named: the punches of three people, a route with
  /// places, and heartbeats.
  func syntheticTraces(_ length: Duration) throws(TraceError) -> [Trace] {
    let motion = min(max(seconds(length) * 2, 60), 3600)
    let specs = try (1...3).map { subject throws(TraceError) in
      try ScenarioSpec(kind: .punches, subject: subject, seed: UInt64(subject), duration: motion)
    }
    return try (specs + [ScenarioSpec(kind: .route)]).map(Synthesizer.trace)
      + [Synthesizer.heartbeats(duration: motion)]
  }
}
