import Detectors
import TraceModel

/// The inputs of a detector in addition to the readings of its own channel: the readings of its
/// companions and the trace's own actions, in the order of arrival.
struct SideQueue {
  private var actions: ActionQueue
  /// In the order of channels, which breaks ties; actions come last.
  private var companions: [ChannelCursor]

  /// - Parameters:
  ///   - device: starts at zero, so that times are on its own axis.
  ///   - companions: those that the device lacks are left out.
  ///   - leavesOutAnswers: whether a policy answers instead of the person.
  init(
    _ device: ReplayDevice, companions: [Channel], blockSize: Int, leavesOutAnswers: Bool
  ) throws(TraceError) {
    actions = try ActionQueue(device.source, leavesOutAnswers: leavesOutAnswers)
    self.companions = []
    guard !companions.isEmpty else { return }
    for channel in Set(companions).sorted() where device.source.header.info(channel) != nil {
      self.companions.append(try ChannelCursor(device, channel: channel, blockSize: blockSize))
    }
  }

  /// The time of the next input, on the device's own axis.
  struct Next {
    var time: Int64
    /// Whether it comes from a companion; at one instant, companions come first.
    var isCompanion: Bool
  }

  var next: Next? {
    var next = actions.next.map { Next(time: $0.time.nanoseconds, isCompanion: false) }
    for companion in companions {
      guard let arrival = companion.nextArrival, arrival <= next?.time ?? .max else { continue }
      next = Next(time: arrival, isCompanion: true)
    }
    return next
  }

  /// An input, with what a player needs to know about it.
  struct Input {
    var call: DetectorCall
    /// A companion's next arrival, for a step with a reading.
    var following: Int64?
    /// The companion; nil = an action.
    var channel: Channel?
  }

  mutating func pop() throws(TraceError) -> Input? {
    guard let next else { return nil }
    if let index = companions.firstIndex(where: { $0.nextArrival == next.time }) {
      let reading = try companions[index].pop()
      return Input(
        call: .ingestCompanion(reading), following: companions[index].nextArrival,
        channel: companions[index].channel)
    }
    guard let action = actions.next else { return nil }
    try actions.pop()
    return Input(call: .handle(action.action, at: action.time))
  }
}
