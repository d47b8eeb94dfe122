import AppIO
import Foundation
import HostileServer
import PackedFiles
import Synchronization
import TraceModel

/// Answers of a server on the loopback interface to the HTTP client. The file of a case has the
/// bytes; the case also chooses how they are sent.
///
/// Where the answer is a legal one and sent as a whole, its body must be what the client returns.
final class HTTPInputs: Inputs {
  let ending = ".http"
  /// The reply to the next request.
  private let reply = Script()
  private var server: LoopbackServer
  private var requests = 0
  /// The body of a legal answer; nil if the answer may be refused.
  private var body: [UInt8]?
  private var bytes: [UInt8] = []

  private final class Script: Sendable {
    let steps = Mutex<[LoopbackServer.Step]>([])
  }

  init() throws { server = try Self.server(reply) }

  deinit { server.stop() }

  private static func server(_ reply: Script) throws -> LoopbackServer {
    try LoopbackServer { _ in .script(reply.steps.withLock { $0 }) }
  }

  /// Small, so that much goes beyond them.
  private static let limits = {
    var limits = HTTPLimits()
    (limits.size, limits.idleTime, limits.totalTime) = (1 << 18, 0.04, 0.08)
    return limits
  }()

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    let answers = HTTPGrammar()
    (bytes, body) = answers.answer(&generator)
    return bytes
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    let (steps, isWhole) = delivery(&generator)
    do {
      // A port has so many connections that have just ended.
      if requests % 2000 == 1999 {
        server.stop()
        server = try Self.server(reply)
      }
    } catch { return "\(path): no server: \(error)" }
    requests += 1
    reply.steps.withLock { $0 = steps }
    let client = HTTPClient(base: server.base, limits: Self.limits)
    switch Self.outcome(of: client) {
    case .success(let found):
      guard found.count <= Self.limits.size else { fatalError("\(found.count) bytes") }
      guard !isWhole || body == nil || found == body else { fatalError("another body") }
      return nil
    case .failure(let error):
      // A busy machine may be too slow for the limits of time.
      let isLate = error.found.hasPrefix("none")
      guard !isWhole || body == nil || isLate else { fatalError("a legal answer: \(error)") }
      return "\(path): \(error)"
    }
  }

  private final class Outcome: Sendable {
    let result = Mutex<Result<[UInt8], TraceError>?>(nil)
  }

  /// Waits for the answer: the worker reads one case after the other.
  private static func outcome(of client: HTTPClient) -> Result<[UInt8], TraceError> {
    let outcome = Outcome()
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      do throws(TraceError) {
        let body = try await client.send("/")
        outcome.result.withLock { $0 = .success(body) }
      } catch {
        outcome.result.withLock { $0 = .failure(error) }
      }
      end.signal()
    }
    end.wait()
    guard let result = outcome.result.withLock({ $0 }) else { fatalError("no outcome") }
    return result
  }

  /// How the answer is sent, and whether all of it arrives, and nothing else.
  private func delivery(
    _ generator: inout SeededGenerator
  ) -> (steps: [LoopbackServer.Step], isWhole: Bool) {
    let cut = generator.below(bytes.count + 1)
    let head = Array(bytes[..<cut])
    switch generator.below(400) {
    case 0: return ([.bytes(head), .silence], false)
    case 1: return ([.bytes(head), .drip(Array(bytes[cut...]), milliseconds: 3)], true)
    case 2: return ([.bytes(head), .endless([0x61])], false)
    case 3: return ([.bytes(head), .endless(Array("X-A: a\r\n".utf8))], false)
    case 4: return ([.bytes(head), .endless(Array("1\r\na\r\n".utf8))], false)
    case 5: return ([.bytes(head), .endless([0x0D, 0x0A])], false)
    case 6: return ([.endless(bytes.isEmpty ? [0] : bytes)], false)
    case 7...20: return ([.bytes(head), .reset], false)
    case 21...60: return ([.bytes(head)], false)
    case 61...120: return ([.bytes(head), .bytes(Array(bytes[cut...]))], true)
    default: return ([.bytes(bytes)], true)
    }
  }
}
