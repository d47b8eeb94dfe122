import Files
import Foundation
import Synchronization
import TraceModel

final class HTTPTransfer: Sendable {
  typealias Completion = @Sendable (Result<[UInt8], TraceError>) -> Void

  private struct State {
    var isCancelled = false
    /// What a cancellation wakes; nil before and after the transfer.
    var multi: UInt?
  }

  private let url: String
  private let json: [UInt8]?
  private let limits: HTTPLimits
  private let state = Mutex(State())

  init(url: String, json: [UInt8]?, limits: HTTPLimits) {
    (self.url, self.json, self.limits) = (url, json, limits)
  }

  /// A write to a closed connection ends no program: SIGPIPE is blocked on the thread.
  private static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Starts the transfer; `completion` is called once.
  func start(_ completion: @escaping Completion) {
    let isStarted = SystemThread.start { [self] in
      Self.blockPipeSignal()
      guard var session = CurlSession() else {
        completion(.failure(HTTPAnswer.refusal(url, found: "too little memory for a request")))
        return
      }
      // Over TLS a third party can end the connection, and libcurl does not report how it ended.
      let receiver = HTTPReceiver(
        HTTPAnswer(
          place: url, limit: limits.size,
          needsLength: url.prefix(6).lowercased() == "https:"))
      // The outcome does not wait for the clean-up, which may wait for a name server.
      completion(result(&session, receiver))
      state.withLock { $0.multi = nil }
      _ = consume session
      withExtendedLifetime(receiver) {}
    }
    if !isStarted {
      completion(.failure(HTTPAnswer.refusal(url, found: "no room for another thread")))
    }
  }

  /// Ends the transfer with an error, also if it has not started.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let multi = state.multi { CurlSession.wake(multi) }
    }
  }

  private func result(
    _ session: inout CurlSession, _ receiver: HTTPReceiver
  ) -> Result<[UInt8], TraceError> {
    let address = session.address
    state.withLock { $0.multi = address }
    do throws(TraceError) {
      guard session.prepare(url: url, json: json, limits: limits, receiver: receiver) else {
        throw HTTPAnswer.refusal(url, found: "a libcurl that lacks an option")
      }
      try perform(session, receiver)
      return .success(try receiver.answer.whole())
    } catch {
      return .failure(error)
    }
  }

  /// Returns when the transfer has ended, or the answer is whole.
  private func perform(
    _ session: borrowing CurlSession, _ receiver: HTTPReceiver
  ) throws(TraceError) {
    var lastByte = 0.0
    var isActive = false
    while true {
      if state.withLock({ $0.isCancelled }) {
        throw HTTPAnswer.refusal(url, found: "a request that was cancelled")
      }
      let isRunning = session.step()
      if let refusal = receiver.refusal { throw refusal }
      if receiver.answer.isWhole {
        // Bytes beyond the stated length that are here already.
        _ = session.step()
        if let refusal = receiver.refusal { throw refusal }
        return
      }
      guard isRunning else { return try checkEnd(session, receiver) }
      let now = session.elapsed
      if isActive { lastByte = now }
      guard now < limits.totalTime else { throw late() }
      guard now - lastByte < limits.idleTime else {
        throw HTTPAnswer.refusal(url, found: "none in time")
      }
      let rest = min(limits.totalTime - now, limits.idleTime - (now - lastByte))
      isActive = session.wait(seconds: rest)
    }
  }

  private func checkEnd(
    _ session: borrowing CurlSession, _ receiver: HTTPReceiver
  ) throws(TraceError) {
    switch session.end {
    case .success: return
    case .timeout: throw late()
    // A single header that is longer than libcurl reads.
    case .tooLarge where receiver.answer.isInHead: throw HTTPAnswer.tooManyHeaders(url)
    case .tooLarge: throw HTTPAnswer.refusal(url, found: "too little memory")
    case .failure(let reason):
      throw HTTPAnswer.refusal(url, found: HTTPHeaders.quoted(reason, most: 200))
    }
  }

  private func late() -> TraceError {
    TraceError(
      .inputOutput, place: url, expected: "an answer within \(limits.totalTime) s",
      found: "none yet", remedy: "try again later")
  }
}

/// What libcurl calls with the parts of an answer. Only the thread of the transfer uses it.
final class HTTPReceiver {
  private(set) var answer: HTTPAnswer
  /// Why the answer is refused.
  private(set) var refusal: TraceError?

  init(_ answer: HTTPAnswer) { self.answer = answer }

  /// Returns whether the transfer goes on.
  func take(_ bytes: UnsafeRawBufferPointer, isHeader: Bool) -> Bool {
    do throws(TraceError) {
      if isHeader { try answer.take(line: bytes) } else { try answer.take(body: bytes) }
      return true
    } catch {
      refusal = refusal ?? error
      return false
    }
  }
}
