import Detectors
import Diagnostics
public import Replay
public import TraceModel

/// Traces on one clock, and the part of the time to play.
///
/// ```swift
/// var walk = Trace(header: TraceHeader(id: "walk", origin: .recorded))
/// walk.header.end = TraceInstant(nanoseconds: 60_000_000_000)
/// let device = PlayedTraces.Device(trace: walk, start: .zero)
/// let window = (start: TraceInstant(nanoseconds: 45_000_000_000), end: TraceInstant?.none)
/// try PlayedTraces([device], window: window).playedSeconds  // 15.0
/// ```
public struct PlayedTraces: Sendable {
  public struct Device: Sendable {
    public var trace: Trace
    /// The trace's zero on the time axis of the run.
    public var start: TraceInstant

    public init(trace: Trace, start: TraceInstant) {
      self.trace = trace
      self.start = start
    }

    fileprivate var end: TraceInstant {
      trace.header.end.advanced(byNanoseconds: start.nanoseconds)
    }
  }

  public private(set) var devices: [Device]
  /// The played part of the run's time axis.
  public let window: Range<TraceInstant>
  /// Whether the window ends before the traces.
  private let hasEnd: Bool

  /// - Throws: if the window is after the end of the traces.
  public init(
    _ devices: [Device], window: (start: TraceInstant, end: TraceInstant?) = (.zero, nil)
  ) throws {
    self.devices = devices
    let end = devices.map(\.end).max() ?? .zero
    guard window.start < end || end <= .zero && window.start == .zero else {
      throw Failure(
        .wrongUse,
        "--start-offset \(fixed(window.start.seconds, 3)) s: expected a time before the end of the "
          + "run at \(fixed(end.seconds, 3)) s")
    }
    hasEnd = window.end.map { $0 < end } ?? false
    self.window = window.start..<max(window.start, min(window.end ?? end, end))
  }

  /// The ids of the traces; of devices with equal ids, each with its number, as the people of an app.
  public var names: [String] {
    let ids = devices.map(\.trace.header.id)
    let counts = Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +)
    return ids.enumerated().map { index, id in
      counts[id] == 1 ? id : "\(id) (\(index + 1))"
    }
  }

  /// Whether the window leaves out a part of the traces.
  public var isPart: Bool { window.lowerBound > .zero || hasEnd }

  public var withoutReferences: PlayedTraces {
    var played = self
    for index in devices.indices {
      played.devices[index].trace.header.references = []
      played.devices[index].trace.header.counts = []
    }
    return played
  }

  /// Returns the zeros of the devices on the clock of the run, which starts with the earliest. All
  /// start at zero if `together` is true, or with a warning if a wall clock is not known.
  ///
  /// - Parameter areToMeet: whether traces that never overlap cause a warning. In an app they are a
  ///   mistake, for a detector they are not.
  public static func startTimes(
    of headers: [TraceHeader], together: Bool = false, areToMeet: Bool = true,
    warn: (String) -> Void
  ) -> [TraceInstant] {
    guard headers.count > 1, !together else { return headers.map { _ in .zero } }
    let known = headers.compactMap(\.epochNanoseconds)
    guard known.count == headers.count, let first = known.min() else {
      warn("warning: the wall clock of at least one trace is not known; all start at zero")
      return headers.map { _ in .zero }
    }
    let starts = known.map { TraceInstant(nanoseconds: $0.subtractingClamped(first)) }
    let firstEnd =
      zip(headers, starts)
      .map { $0.end.advanced(byNanoseconds: $1.nanoseconds) }.min() ?? .zero
    if areToMeet, let late = starts.firstIndex(where: { $0 > firstEnd }) {
      warn(
        "warning: \(headers[late].id) starts after the end of another trace; use --together to start "
          + "all traces at the same time (in a suite: together: true)")
    }
    return starts
  }

  public func parts(from instant: TraceInstant) -> [ReplayDevice] {
    devices.enumerated().map { index, device in
      ReplayDevice(
        DeviceID(index), source: MemorySource(part(of: device, from: instant)),
        start: device.start)
    }
  }

  private func part(of device: Device, from instant: TraceInstant) -> Trace {
    // A full playback includes readings before zero and after the end.
    device.trace.window(
      from: instant == .zero ? TraceInstant(nanoseconds: .min) : instant.since(device.start),
      to: hasEnd ? window.upperBound.since(device.start) : TraceInstant(nanoseconds: .max))
  }

  /// The total length of the traces within the window, in seconds.
  public var playedSeconds: Double {
    devices.reduce(0) { sum, device in
      let start = max(window.lowerBound, device.start)
      let end = min(window.upperBound, device.end)
      return sum + Double(max(0, start.nanoseconds(to: end))) / 1e9
    }
  }

  /// Returns the shortest median interval over the devices between deliveries of a channel, in ns
  /// of the clock. A device without two deliveries in the played part counts with its whole trace.
  public func periods(of channels: [Channel], at rate: Double) -> [Channel: Double] {
    var periods: [Channel: Double] = [:]
    for device in devices {
      let played = part(of: device, from: window.lowerBound)
      for channel in channels {
        let interval = played[channel]?.medianInterval ?? device.trace[channel]?.medianInterval
        guard let interval else { continue }
        periods[channel] = min(periods[channel] ?? .infinity, Double(interval) / rate)
      }
    }
    return periods
  }
}

/// A plan that can be played at the pace of a clock.
public protocol PlayablePlan: Sendable {
  associatedtype Line: PlayableTimeline

  var played: PlayedTraces { get }
  /// The channels that determine the period of the readings.
  var channels: [Channel] { get }
  /// Returns new streams that begin at an instant and have no earlier state.
  func timeline(from instant: TraceInstant, blockSize: Int) throws -> Line
}

/// A replay of a detector: traces on one clock, and the part of the time to play.
public struct ReplayPlan: PlayablePlan {
  public let played: PlayedTraces
  public let detector: AnyDetector
  public let choice: DetectorChoice
  public let policy: ScriptedPolicy?

  public init(
    played: PlayedTraces, detector: AnyDetector, choice: DetectorChoice, policy: ScriptedPolicy?
  ) { (self.played, self.detector, self.choice, self.policy) = (played, detector, choice, policy) }

  public var channels: [Channel] { [detector.channel, .action] }

  public func timeline(from instant: TraceInstant, blockSize: Int) throws -> Timeline {
    let options = RunOptions(blockSize: blockSize, policy: policy)
    return Timeline(
      try played.parts(from: instant).map {
        try detector.bound(choice, for: $0.source.header).stream(on: $0, options: options)
      })
  }
}

extension TraceInstant {
  func since(_ start: TraceInstant) -> TraceInstant {
    TraceInstant(nanoseconds: nanoseconds.subtractingClamped(start.nanoseconds))
  }
}
