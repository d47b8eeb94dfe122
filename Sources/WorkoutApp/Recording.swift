public import AppEngines
public import Detectors
import TraceModel

extension Workout {
  /// A run or ride during recording.
  public struct Recording: Sendable, Codable {
    public let sport: Sport
    public let start: WallTime
    /// The tracker, which makes all measurements.
    public private(set) var tracker: TrackDetector
    public private(set) var segments: [[Location]] = [[]]
    public private(set) var splits: [Split] = []
    /// Whether the recording is paused because the person stands, by
    /// ``WorkoutRules/autoPauseAfter``.
    public private(set) var isAutoPaused = false
    private let rules: WorkoutRules
    private let epoch: WallTime
    private var standing = StandingWatch()
    /// The end of the last pause; later fixes belong to a new segment.
    private var resumed: TraceInstant?
    /// The time in seconds of gaps across which distance was counted; a clock of ticks includes it
    /// anyway.
    private var gapTime = 0.0
    /// ``paceTime`` at the last mark.
    private var lastKilometer = 0.0
    private var lastMile = 0.0
    /// The time in nanoseconds during which the app was suspended while recording.
    private var suspended: Int64 = 0
    private var suspendedSince: TraceInstant?

    init(_ sport: Sport, rules: WorkoutRules, epoch: WallTime, at now: TraceInstant) {
      self.sport = sport
      self.rules = rules
      self.epoch = epoch
      start = epoch.advanced(byNanoseconds: now.nanoseconds)
      tracker = TrackDetector(rules.tracker)
    }

    /// The distance in metres.
    public var distance: Double { tracker.distance }

    /// The duration in seconds, without pauses but with standing. A clock of ticks misses suspended
    /// time.
    public var duration: Double { awake(tracker.duration) }

    /// The moving time in seconds, without pauses, standing and gaps.
    public var movingTime: Double { awake(tracker.movingTime) }

    /// The time in seconds for the distance: the moving time plus the gaps across which distance
    /// was counted.
    public var paceTime: Double { awake(tracker.movingTime) + gapTime }

    private func awake(_ seconds: Double) -> Double {
      guard rules.losesTimeSuspended else { return seconds }
      return max(0, seconds - Double(suspended / 1_000_000_000))
    }

    enum Event {
      case split(Split, Detection<TrackEvent>)
      case autoPaused
      case autoResumed
    }

    mutating func take(
      _ fix: Fix, measured: TraceInstant, at now: TraceInstant, isPaused: Bool
    ) -> [Event] {
      let acceptedBefore = tracker.acceptedCount
      let (movingBefore, durationBefore) = (tracker.movingTime, tracker.duration)
      let distanceBefore = tracker.distance
      var detections: [Detection<TrackEvent>] = []
      tracker.ingest(fix, measured: measured, arrived: now, into: &detections)
      guard tracker.acceptedCount > acceptedBefore else { return [] }
      append(fix, measured: measured)
      let moved = tracker.movingTime - movingBefore
      // Movement without moving time happened in a gap.
      let gap =
        moved <= 0 && tracker.distance > distanceBefore ? tracker.duration - durationBefore : 0
      if rules.tracker.clock == .timestamps { gapTime += gap }
      var events = detections.map { Event.split(split($0, took: max(moved, gap)), $0) }
      if !isPaused, let change = watch(measured, hasMoved: moved > 0) { events.append(change) }
      return events
    }

    private mutating func append(_ fix: Fix, measured: TraceInstant) {
      if let resumed, measured >= resumed {
        self.resumed = nil
        if segments.last?.isEmpty == false { segments.append([]) }
      }
      let location = Location(
        coordinate: Coordinate(latitude: fix.latitude, longitude: fix.longitude),
        altitude: fix.altitude.isFinite ? fix.altitude : nil,
        time: epoch.advanced(byNanoseconds: measured.nanoseconds))
      segments[segments.count - 1].append(location)
    }

    /// - Parameter took: the duration in seconds of the step that contains the mark.
    private mutating func split(_ detection: Detection<TrackEvent>, took: Double) -> Split {
      // A tick cannot be divided: the parts before and after the mark are unknown.
      let after =
        rules.tracker.clock == .ticks
        ? 0
        : min(took, Double(detection.onset.nanoseconds(to: detection.newestMeasured)) / 1e9)
      let time = max(0, tracker.movingTime + gapTime - max(0, after))
      let isKilometer = detection.event.label == "km"
      let length = isKilometer ? 1000 : Pace.Rule.exact.metersPerMile
      let seconds = max(0, time - (isKilometer ? lastKilometer : lastMile))
      if isKilometer { lastKilometer = time } else { lastMile = time }
      let split = Split(
        unit: detection.event.label,
        number: Int(exactly: (detection.event.value / length).rounded()) ?? .max,
        seconds: seconds, time: epoch.advanced(byNanoseconds: detection.onset.nanoseconds))
      splits.append(split)
      return split
    }

    private mutating func watch(_ measured: TraceInstant, hasMoved: Bool) -> Event? {
      guard let limit = rules.autoPauseAfter else { return nil }
      standing.see(measured, hasMoved: hasMoved, gapLimit: rules.tracker.gapLimit)
      if isAutoPaused {
        // Right after a gap the standing time is zero, which does not mean movement.
        guard hasMoved else { return nil }
      } else {
        guard standing.seconds >= limit else { return nil }
      }
      isAutoPaused.toggle()
      return isAutoPaused ? .autoPaused : .autoResumed
    }

    mutating func pause(at now: TraceInstant) {
      setSuspended(false, at: now)
      var none: [Detection<TrackEvent>] = []
      tracker.handle(.pause, at: now, into: &none)
      isAutoPaused = false
      standing = StandingWatch()
    }

    mutating func resume(at now: TraceInstant, isSuspended: Bool) {
      var none: [Detection<TrackEvent>] = []
      tracker.handle(.resume, at: now, into: &none)
      resumed = now
      setSuspended(isSuspended, at: now)
    }

    mutating func setSuspended(_ isSuspended: Bool, at now: TraceInstant) {
      if let since = suspendedSince {
        suspended = suspended.addingClamped(max(0, since.nanoseconds(to: now)))
      }
      suspendedSince = isSuspended ? now : nil
    }

    func record(id: ActivityID, creatorName: String) -> Record {
      Record(
        summary: Summary(
          id: id, creatorName: creatorName, sport: sport, start: start, duration: duration,
          movingTime: movingTime, paceTime: paceTime, distance: distance),
        segments: segments.filter { !$0.isEmpty }, splits: splits)
    }

    var violations: [String] {
      var found: [String] = []
      if !(distance >= 0 && distance.isFinite) { found.append("distance is \(distance)") }
      if !(duration >= 0 && duration.isFinite) { found.append("duration is \(duration)") }
      if segments.isEmpty { found.append("there is no segment") }
      if segments.reduce(0, { $0 + $1.count }) != tracker.acceptedCount {
        found.append("locations and accepted fixes differ")
      }
      return found
    }
  }
}

/// Measures how long the tracker has seen no movement.
private struct StandingWatch: Hashable, Sendable, Codable {
  private var lastMoved: TraceInstant?
  private var last: TraceInstant?

  var seconds: Double {
    guard let lastMoved, let last else { return 0 }
    return Double(lastMoved.nanoseconds(to: last)) / 1e9
  }

  /// - Parameter gapLimit: seconds without a fix beyond which the person does not count as
  ///   standing.
  mutating func see(_ time: TraceInstant, hasMoved: Bool, gapLimit: Double) {
    let isGap = last.map { Double($0.nanoseconds(to: time)) / 1e9 > gapLimit } ?? true
    if hasMoved || isGap { lastMoved = time }
    last = time
  }
}
