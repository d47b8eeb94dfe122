package import Detectors
import Replay
package import TraceModel

/// A run of an external detector over a trace: receives the readings of a stream, as a detector does,
/// and sends them as lines. The answer is complete after the end of the stream.
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
    send { ExecLines.start(header, parameters, to: &$0) }
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
      send { ExecLines.sample(number, block, at: position, to: &$0) }
    }
  }

  package func ingest(companion reading: Reading) {
    let number = answer.sent.add(reading.arrived, measured: reading.measured)
    send { ExecLines.companion(number, reading, to: &$0) }
  }

  package func handle(_ action: Action, at time: TraceInstant) {
    let number = answer.sent.add(time)
    send { ExecLines.action(number, action, at: time, to: &$0) }
  }

  package func finish(at end: TraceInstant) {
    let number = answer.sent.add(end, isEnd: true)
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
