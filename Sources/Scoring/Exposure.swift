public import TraceModel

/// The time of a recording in which a detector could report something, and why the rest does not
/// count: the hours of every rate.
///
/// Of the stated length of a recording, the sensor **recorded** all but the silences of more than three
/// median intervals; of that, the delivery **fed** the detector all but what it lost; of that, a detector
/// that listens only between an arm and a disarm action was **armed** in between; of that, the time
/// outside ignore zones is **scored**. The section "Exposure" of docs/scoring.md has the rules.
///
/// The stretches are on the axis of the measured times. A reference or a detection inside a stretch that
/// does not count is scored like any other: only the hours change.
///
/// ```swift
/// let times = TimeColumns(measured: [10_000_000_000, 30_000_000_000])
/// let actions = ActionColumns(times: times, values: [.arm, .disarm])
/// Exposure(duration: .seconds(60)).armed(by: actions).times.armed  // 20000000000
/// ```
public struct Exposure: Sendable, Equatable {
  /// The length of the recording, from zero, in ns.
  let length: Int64
  /// The stretches that do not count, by the reason.
  private let silent: [ClosedRange<Int64>]
  private let unfed: [ClosedRange<Int64>]
  private var disarmed: [ClosedRange<Int64>] = []
  /// The union of the above.
  private(set) var uncounted: ZoneUnion
  /// The time that is left after each reason.
  public private(set) var times: ExposureTimes

  /// The exposure of a recording with only a known length: all of it counts.
  public init(duration: Duration) { self.init(length: duration.nanoseconds, silent: [], unfed: []) }

  /// The exposure to a recording's channel.
  /// - Parameters:
  ///   - trace: before its delivery. Without the channel, nothing is recorded.
  ///   - unfed: the stretches in which the delivery handed over no readings, in ns.
  /// - Complexity: O(n) for n readings in the order of their times.
  public init(of trace: Trace, channel: Channel, unfed: [ClosedRange<Int64>] = []) {
    let length = max(trace.header.end.nanoseconds, 0)
    var silent: [ClosedRange<Int64>] = []
    if channel.isSensor {
      let times = trace[channel]?.sortedMeasuredTimes ?? []
      silent = SensorPeriod(times).silences(in: times, from: 0, to: length)
    }
    self.init(length: length, silent: silent, unfed: unfed)
  }

  private init(length: Int64, silent: [ClosedRange<Int64>], unfed: [ClosedRange<Int64>]) {
    (self.length, self.silent, self.unfed) = (max(length, 0), silent, unfed)
    (uncounted, times) = (ZoneUnion(silent), ExposureTimes())
    update()
  }

  /// Leaves out the time in which a detector was not armed by the actions of a recording.
  ///
  /// It is armed from an arm action to the next disarm action, or to the end.
  /// - Parameters:
  ///   - actions: in the order of their arrival; nil = it listens without actions, and nothing changes.
  ///   - zero: the start of the recording on the axis of the actions.
  public func armed(by actions: ActionColumns?, zero: TraceInstant = .zero) -> Exposure {
    guard let actions else { return self }
    var (stretches, start) = ([ClosedRange<Int64>](), Int64(0) as Int64?)
    for position in actions.range {
      let time = min(max(zero.nanoseconds(to: actions.arrived(at: position)), 0), length)
      switch actions[position] {
      case .arm:
        if let since = start { stretches.append(min(since, time)...time) }
        start = nil
      case .disarm: start = start ?? time
      default: break
      }
    }
    if let start { stretches.append(start...length) }
    var changed = self
    changed.disarmed = stretches
    changed.update()
    return changed
  }

  /// Returns the time that counts outside of ignore zones, in ns.
  func scoredNanoseconds(outside zones: ZoneUnion) -> Int64 {
    uncounted.union(zones).scoredNanoseconds(of: length)
  }

  /// The stretches that do not count: silences; also those of the delivery; also without arming.
  var unions: [ZoneUnion] { [ZoneUnion(silent), ZoneUnion(silent + unfed), uncounted] }

  private mutating func update() {
    uncounted = ZoneUnion(silent + unfed + disarmed)
    let left = unions.map { $0.scoredNanoseconds(of: length) }
    times = ExposureTimes(length: length, recorded: left[0], fed: left[1], armed: left[2])
  }
}

extension Trace {
  /// The actions that arm a detector; nil where it listens without them.
  package func armingActions(where isArmedByActions: Bool) -> ActionColumns? {
    isArmedByActions ? self[.action].flatMap { ActionColumns($0) } ?? ActionColumns() : nil
  }
}

/// The part of the length of recordings that is left: each part is within the previous one. In ns.
///
/// ```swift
/// ExposureTimes(length: 1000, recorded: 990, fed: 990, armed: 990).differ  // false
/// ```
public struct ExposureTimes: Hashable, Sendable, Codable {
  public var length: Int64
  public var recorded: Int64
  public var fed: Int64
  public var armed: Int64

  public init(length: Int64 = 0, recorded: Int64 = 0, fed: Int64 = 0, armed: Int64 = 0) {
    (self.length, self.recorded, self.fed, self.armed) = (length, recorded, fed, armed)
  }

  /// The largest difference, as a share of the length, that is not printed.
  static let smallShare = 0.01

  /// Whether the parts differ by more than 1 %, so that all of them are printed.
  public var differ: Bool { Double(length) - Double(armed) > Self.smallShare * Double(length) }

  package var figures: [Figure] {
    [
      Figure(.recordedHours, hours(ofNanoseconds: recorded)),
      Figure(.fedHours, hours(ofNanoseconds: fed)),
      Figure(.armedHours, hours(ofNanoseconds: armed)),
    ]
  }

  /// E.g. `0.100 of 1.000 recorded, 0.100 delivered, 0.050 while listening`; nil if they do not ``differ``.
  package var note: String? {
    guard differ else { return nil }
    func text(_ nanoseconds: Int64) -> String {
      let thousandths = Int((hours(ofNanoseconds: nanoseconds) * 1000).rounded())
      return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    }
    let whole = text(length) == text(recorded) ? "" : " of \(text(length))"
    return
      "\(text(recorded))\(whole) recorded, \(text(fed)) delivered, \(text(armed)) while listening"
  }

  public static func + (left: ExposureTimes, right: ExposureTimes) -> ExposureTimes {
    ExposureTimes(
      length: left.length.addingClamped(right.length),
      recorded: left.recorded.addingClamped(right.recorded),
      fed: left.fed.addingClamped(right.fed), armed: left.armed.addingClamped(right.armed))
  }

  /// Whether the parts are possible: those of a stored score may be anything.
  var isConsistent: Bool { 0 <= armed && armed <= fed && fed <= recorded && recorded <= length }
}
