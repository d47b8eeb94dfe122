package import Detectors
import Replay
package import TraceModel

/// One run of an external detector over a trace: takes the readings of a stream, as a detector does,
/// and sends them as lines. The answer is complete only after the end.
package final class ExecSession: StreamConsumer {
  private let answer: ExecAnswer
  private let conversation: ExecConversation
  private var block = ChannelBlock(emptyFor: .action)
  /// The first failure. The stream cannot be stopped; later readings are ignored.
  private var failure: (any Error)?

  package init(
    _ process: ExecProcess, _ command: ExecCommandLine, task: ReferenceTask, header: TraceHeader,
    parameters: [(name: String, value: Double)], timeLimit: Duration
  ) {
    let answer = ExecAnswer(to: ExecInputs(end: header.end), task: task)
    self.answer = answer
    conversation = ExecConversation(
      process, place: "\(command.text) on \(header.id)", what: "answer", lastLine: "done",
      timeLimit: timeLimit, read: answer.take)
    send(ExecLines.start(header, parameters))
  }

  /// Returns the whole answer after the end of the stream.
  package func wholeAnswer() throws -> ExecAnswer {
    if let failure { throw failure }
    try conversation.finish()
    return answer
  }

  package func load(_ block: ChannelBlock) { self.block = block }

  package func ingest(_ range: Range<Int>) {
    let first = answer.sent.add(range, of: block)
    for (number, position) in zip(first..., range) {
      send(ExecLines.sample(number, block, at: position))
    }
  }

  package func handle(_ action: Action, at time: TraceInstant) {
    send(ExecLines.action(answer.sent.add(time), action, at: time))
  }

  package func finish(at end: TraceInstant) {
    send(ExecLines.end(answer.sent.add(end, isEnd: true), at: end))
  }

  // There are no detections before the end.
  package var hasDetections: Bool { false }
  package func take(device: DeviceID, into records: inout [DetectionRecord]) {}
  package var measurements: [Measurement] { [] }

  private func send(_ line: String) {
    guard failure == nil else { return }
    do {
      try conversation.send(line)
    } catch {
      failure = error
    }
  }
}
