import Detectors
import Replay
import TraceModel

/// One run of a child over a trace: takes what a stream brings, in a detector's place, and hands it
/// on as lines. What the child answers is whole only after the end.
final class ExecSession: StreamConsumer {
  /// What a child found in a trace.
  struct Outcome {
    var found: [ExecAnswer.Found]
    var measurements: [Measurement]
  }

  /// What the conversation's reader shares with the session.
  private final class Dialogue {
    var sent: ExecInputs
    var answer: ExecAnswer

    init(sent: ExecInputs, answer: ExecAnswer) {
      self.sent = sent
      self.answer = answer
    }
  }

  private let dialogue: Dialogue
  private let conversation: ExecConversation
  private var block = ChannelBlock(emptyFor: .action)
  /// The stream cannot be stopped; after a failure it is not listened to.
  private var failure: (any Error)?

  init(
    _ process: ExecProcess, _ command: ExecCommandLine, task: ReferenceTask, header: TraceHeader,
    parameters: [(name: String, value: Double)], timeLimit: Duration
  ) {
    let dialogue = Dialogue(sent: ExecInputs(end: header.end), answer: ExecAnswer(task: task))
    self.dialogue = dialogue
    conversation = ExecConversation(
      process, place: "\(command.text) on \(header.id)", what: "answer", lastLine: "done",
      timeLimit: timeLimit
    ) { line throws(ExecFault) in try dialogue.answer.take(line, sent: dialogue.sent) }
    send { ExecLines.start(header, parameters, to: &$0) }
  }

  /// After the stream's end.
  func outcome() throws -> Outcome {
    if let failure { throw failure }
    try conversation.finish()
    return Outcome(found: dialogue.answer.found, measurements: dialogue.answer.measurements)
  }

  func load(_ block: ChannelBlock) {
    self.block = block
  }

  func ingest(_ range: Range<Int>) {
    let first = dialogue.sent.count
    dialogue.sent.add(range, of: block)
    for (number, position) in zip(first..., range) {
      send { ExecLines.sample(number, block, at: position, to: &$0) }
    }
  }

  func handle(_ action: Action, at time: TraceInstant) {
    let number = dialogue.sent.count
    dialogue.sent.add(time)
    send { ExecLines.action(number, action, at: time, to: &$0) }
  }

  func finish(at end: TraceInstant) {
    let number = dialogue.sent.count
    dialogue.sent.add(end, isEnd: true)
    send { ExecLines.end(number, at: end, to: &$0) }
  }

  // Nobody is to be answered before the end.
  var hasDetections: Bool { false }
  func take(device: DeviceID, into records: inout [DetectionRecord]) {}
  var measurements: [Measurement] { [] }

  private func send(_ write: (inout [UInt8]) -> Void) {
    guard failure == nil else { return }
    do {
      try conversation.send(write)
    } catch {
      failure = error
    }
  }
}

/// Gives in a stream what a child found in the same readings before, each when its time has come.
final class PlayedFindings: StreamConsumer {
  private let outcome: ExecSession.Outcome
  /// Inputs that have come.
  private var inputs = 0
  /// Findings that were taken.
  private var taken = 0
  private var isFinished = false

  init(_ outcome: ExecSession.Outcome) {
    self.outcome = outcome
  }

  func load(_ block: ChannelBlock) {}
  func ingest(_ range: Range<Int>) { inputs += range.count }
  func handle(_ action: Action, at time: TraceInstant) { inputs += 1 }
  func finish(at end: TraceInstant) {
    inputs += 1
    isFinished = true
  }

  var hasDetections: Bool {
    taken < outcome.found.count && outcome.found[taken].input < inputs
  }

  func take(device: DeviceID, into records: inout [DetectionRecord]) {
    while hasDetections {
      var record = outcome.found[taken].record
      record.device = device
      records.append(record)
      taken += 1
    }
  }

  var measurements: [Measurement] { isFinished ? outcome.measurements : [] }
}
