import TraceModel

/// The position of a step in the order of a run: by time; at one instant arrivals before deadlines,
/// then by device, channel and the stream's place in the run.
struct StepKey: Comparable, Sendable {
  var time: Int64
  /// The tie-breaker, from the top: one bit for deadlines, 31 for the device, 8 for the channel, 24
  /// for the slot.
  var tie: UInt64

  var slot: Int { Int(tie & StepKey.largestSlot) }

  static let largestSlot: UInt64 = 1 << 24 - 1

  /// A key after all keys: a timeline has fewer slots than its last one.
  static var none: StepKey { StepKey(time: .max, tie: .max) }

  static func < (left: StepKey, right: StepKey) -> Bool {
    left.time != right.time ? left.time < right.time : left.tie < right.tie
  }
}

/// The state that decides a stream's next step, on the device's own axis, and the place of its
/// detector.
///
/// It has 64 bytes and no references: a step of a fleet reads one cache line of it.
struct StreamCursor: Sendable {
  /// The next reading's position in its block.
  var position = 0
  /// When the next reading arrives in ns; `Int64.max` if `hasReading` is false.
  var reading = Int64.max
  /// The last instant in ns whose own readings come before the next action or the next reading of a
  /// companion; `Int64.max` if `hasSide` is false. A companion's reading comes first at its instant.
  private(set) var side = Int64.max
  /// The next deadline of the detector or the policy in ns, if it is within the trace; `Int64.max`
  /// = none.
  var due = Int64.max
  /// The end of the device's own trace in ns; later deadlines do not fire.
  let end: Int64
  /// The device's zero on the run's axis.
  let start: Int64
  /// The tie-breaker of an arrival on the stream's channel.
  private var tie: UInt64
  /// The place of the detector in its bank.
  var place: UInt32 = 0
  /// The detector's bank in the timeline; `noBank` = the detector is in the stream itself.
  var bank: UInt8 = StreamCursor.noBank
  let channel: Channel
  private var flags: UInt8 = 0

  static let noBank = UInt8.max

  var hasReading: Bool {
    get { flags & 1 != 0 }
    set { flags = newValue ? flags | 1 : flags & ~1 }
  }
  /// Whether the next additional input comes from a companion.
  private var isCompanion: Bool {
    get { flags & 8 != 0 }
    set { flags = newValue ? flags | 8 : flags & ~8 }
  }
  private(set) var hasSide: Bool {
    get { flags & 2 != 0 }
    set { flags = newValue ? flags | 2 : flags & ~2 }
  }
  var isFinished: Bool {
    get { flags & 4 != 0 }
    set { flags = newValue ? flags | 4 : flags & ~4 }
  }

  init(device: DeviceID, channel: Channel, start: Int64, end: Int64) {
    precondition(0 <= device.index && UInt64(device.index) < 1 << 31)
    self.start = start
    self.end = end
    self.channel = channel
    tie = UInt64(device.index) << 32 | UInt64(channel.rawValue) << 24
  }

  var device: DeviceID { DeviceID(Int(tie >> 32)) }

  var slot: Int {
    get { Int(tie & StepKey.largestSlot) }
    set { tie = tie & ~StepKey.largestSlot | UInt64(newValue) }
  }

  enum Next {
    case reading(Int64)
    case side(Int64)
    case due(Int64)
    case finish
  }

  /// The next step; nil = the end.
  var next: Next? {
    // At one instant the readings of companions come first, then the own ones, then actions, and all
    // come before a deadline at that instant.
    let sideTime = isCompanion ? side.addingClamped(1) : side
    let arrival = min(reading, sideTime)
    if due < arrival { return .due(due) }
    if !hasReading, !isFinished, !hasSide || end < arrival { return .finish }
    if hasReading, reading <= side { return .reading(reading) }
    return hasSide ? .side(sideTime) : nil
  }

  /// Whether `next` is a reading: by far the most frequent case.
  var isAtReading: Bool { hasReading && reading <= side && reading <= due }

  /// The order of the next step; nil = the end.
  var key: StepKey? {
    // Not `next.map`: a reference to the method would be allocated for each step.
    guard let next else { return nil }
    return key(of: next)
  }

  var keyOfReading: StepKey { StepKey(time: reading.addingClamped(start), tie: tie) }

  func key(of next: Next) -> StepKey {
    switch next {
    case .reading(let time): StepKey(time: time.addingClamped(start), tie: tie)
    case .side(let time): StepKey(time: time.addingClamped(start), tie: tieOfActions)
    case .due(let time): StepKey(time: time.addingClamped(start), tie: tie | 1 << 63)
    case .finish: StepKey(time: end.addingClamped(start), tie: tie | 1 << 63)
    }
  }

  private var tieOfActions: UInt64 { tie & ~(0xff << 24) | UInt64(Channel.action.rawValue) << 24 }

  /// The last arrival on the stream's channel that comes before `limit`.
  func lastReading(before limit: StepKey) -> Int64 {
    let bound = tie < limit.tie ? limit.time : limit.time.subtractingClamped(1)
    return bound.subtractingClamped(start)
  }

  /// Stores the next input in addition to the stream's own readings; nil = none.
  mutating func setSide(_ next: SideQueue.Next?) {
    isCompanion = next?.isCompanion ?? false
    side = next.map { $0.isCompanion ? $0.time.subtractingClamped(1) : $0.time } ?? .max
    hasSide = next != nil
  }

  /// Stores the detector's deadline, unless it is after the trace.
  mutating func setDeadline(_ deadline: Int64) { due = deadline <= end ? deadline : .max }

  /// Describes a step at `time` that takes an action or a reading of a companion.
  func step(of input: SideQueue.Input?, at time: Int64) -> StreamStep {
    guard let channel = input?.channel else { return step(.action, at: time) }
    return StreamStep(
      kind: .readings(1), device: device, channel: channel, time: onRunAxis(time),
      following: input?.following.map(onRunAxis))
  }

  /// Describes a step at `time` after which the cursor is as it is.
  func step(_ kind: StreamStep.Kind, at time: Int64) -> StreamStep {
    var step = StreamStep(
      kind: kind, device: device, channel: channel, time: onRunAxis(time), following: nil)
    switch kind {
    case .readings: step.following = hasReading ? onRunAxis(reading) : nil
    case .action: step.channel = .action
    case .wake, .end: break
    }
    return step
  }

  func onRunAxis(_ time: Int64) -> TraceInstant {
    TraceInstant(nanoseconds: time.addingClamped(start))
  }
}
