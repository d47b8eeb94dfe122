package import Detectors
import Replay
package import TraceModel

/// One run of an external detector over a trace: takes the readings of a stream, as a detector does,
/// and sends them as lines. The answer is complete only after the end.
package final class ExecSession: StreamConsumer {
  /// The state that the session shares with the parser of the answer.
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
  /// The first failure. The stream cannot be stopped; later readings are ignored.
  private var failure: (any Error)?

  package init(
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

  /// Returns the whole answer after the end of the stream.
  package func answer() throws -> ExecAnswer {
    if let failure { throw failure }
    try conversation.finish()
    return dialogue.answer
  }

  package func load(_ block: ChannelBlock) {
    self.block = block
  }

  package func ingest(_ range: Range<Int>) {
    let first = dialogue.sent.count
    dialogue.sent.add(range, of: block)
    for (number, position) in zip(first..., range) {
      send { ExecLines.sample(number, block, at: position, to: &$0) }
    }
  }

  package func handle(_ action: Action, at time: TraceInstant) {
    let number = dialogue.sent.count
    dialogue.sent.add(time)
    send { ExecLines.action(number, action, at: time, to: &$0) }
  }

  package func finish(at end: TraceInstant) {
    let number = dialogue.sent.count
    dialogue.sent.add(end, isEnd: true)
    send { ExecLines.end(number, at: end, to: &$0) }
  }

  // There are no detections before the end.
  package var hasDetections: Bool { false }
  package func take(device: DeviceID, into records: inout [DetectionRecord]) {}
  package var measurements: [Measurement] { [] }

  private func send(_ write: (inout [UInt8]) -> Void) {
    guard failure == nil else { return }
    do {
      try conversation.send(write)
    } catch {
      failure = error
    }
  }
}

/// Emits in a stream the detections of an earlier run over the same readings, each at its time.
package final class PlayedFindings: StreamConsumer {
  private let answer: ExecAnswer
  /// The number of inputs so far.
  private var inputs = 0
  /// The number of emitted detections.
  private var taken = 0
  private var isFinished = false

  package init(_ answer: ExecAnswer) {
    self.answer = answer
  }

  package func load(_ block: ChannelBlock) {}
  package func ingest(_ range: Range<Int>) { inputs += range.count }
  package func handle(_ action: Action, at time: TraceInstant) { inputs += 1 }
  package func finish(at end: TraceInstant) {
    inputs += 1
    isFinished = true
  }

  package var hasDetections: Bool {
    taken < answer.found.count && answer.found[taken].input < inputs
  }

  package func take(device: DeviceID, into records: inout [DetectionRecord]) {
    while hasDetections {
      records.append(answer.found[taken].record(of: device))
      taken += 1
    }
  }

  package var measurements: [Measurement] { isFinished ? answer.measurements : [] }
}
