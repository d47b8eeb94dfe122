import TraceModel

/// The trace's own actions, in order, read ahead.
struct ActionQueue {
  private let source: any TraceSource
  private let leavesOutAnswers: Bool
  private var block = ActionColumns()
  private var last = Int64.min
  private var count = 0
  /// The next action, until it is popped.
  private(set) var next: ScheduledAction?

  /// - Parameter leavesOutAnswers: whether a policy answers instead of the person.
  init(_ source: any TraceSource, leavesOutAnswers: Bool) throws(TraceError) {
    self.source = source
    self.leavesOutAnswers = leavesOutAnswers
    next = try readNext()
  }

  mutating func pop() throws(TraceError) { next = try readNext() }

  private mutating func readNext() throws(TraceError) -> ScheduledAction? {
    while true {
      if block.isEmpty {
        guard let next = try source.nextBlock(of: .action, limit: 4096),
          let columns = ActionColumns(next), !columns.isEmpty
        else { return nil }
        try checkOrder(of: columns)
        block = columns
      }
      let position = block.range.lowerBound
      let action = ScheduledAction(time: block.arrived(at: position), action: block[position])
      _ = block.popFirst(1)
      if !(leavesOutAnswers && action.action.isAnswer) { return action }
    }
  }

  private mutating func checkOrder(of columns: ActionColumns) throws(TraceError) {
    for position in columns.range {
      let time = columns.arrived(at: position).nanoseconds
      guard time >= last else {
        throw decreasingTime(
          in: source.header.id, channel: .action, at: count, from: last, to: time)
      }
      last = time
      count += 1
    }
  }
}

extension Action {
  /// Whether the action answers a prompt. A scripted person replaces these; arming and pausing stay
  /// those of the trace.
  var isAnswer: Bool { self == .confirm || self == .continue || self == .cancel }
}

func decreasingTime(
  in trace: String, channel: Channel, at position: Int, from: Int64, to: Int64
) -> TraceError {
  TraceError(
    place: "\(trace):/\(channel.name)[\(position)]",
    expected: "an arrival at \(Double(from) / 1e9) s or later", found: "\(Double(to) / 1e9) s",
    remedy: "reorder the recording with convert --sort")
}
