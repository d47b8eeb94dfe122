import AppIO
import Foundation
import HostileServer
import PackedFiles
import Testing
import TraceModel

/// Answers as servers should and should not give them: each is read or refused, and none ends or
/// holds the program.
@Suite struct HTTPClientTests {
  struct Case: Sendable {
    var name: String
    var reply: LoopbackServer.Reply
    /// The body, or a part of the message.
    var expected: Outcome
  }

  enum Outcome: Sendable, Equatable {
    case body(String)
    case refused(String)
  }

  static func ok(_ name: String, _ bytes: [UInt8], _ body: String = "ok") -> Case {
    Case(name: name, reply: .raw(bytes), expected: .body(body))
  }

  static func refused(_ name: String, _ bytes: [UInt8], _ message: String) -> Case {
    Case(name: name, reply: .raw(bytes), expected: .refused(message))
  }

  static func script(
    _ name: String, _ steps: [LoopbackServer.Step], _ expected: Outcome
  ) -> Case {
    Case(name: name, reply: .script(steps), expected: expected)
  }

  /// Latin-1, so that any byte can be written.
  static func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8($0.value) }
  }

  /// An answer with a length.
  static func answer(
    _ body: [UInt8] = bytes("ok"), status: String = "HTTP/1.1 200 OK", length: String? = nil,
    headers: String...
  ) -> [UInt8] {
    let lines = [status, "Content-Length: \(length ?? "\(body.count)")"] + headers
    return bytes(lines.joined(separator: "\r\n") + "\r\n\r\n") + body
  }

  static func chunked(_ text: String, headers: String...) -> [UInt8] {
    let lines = ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + headers
    return bytes(lines.joined(separator: "\r\n") + "\r\n\r\n" + text)
  }

  static func packed(
    _ bytes: [UInt8], as coding: String = "gzip", headers: String...
  ) -> [UInt8] {
    answer(bytes, headers: (["Content-Encoding: \(coding)"] + headers).joined(separator: "\r\n"))
  }

  /// printf ok | gzip -n | xxd -i
  static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0xcf, 0x06, 0x00, 0x47,
    0xdd, 0xdc, 0x79, 0x02, 0x00, 0x00, 0x00,
  ]

  static let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

  /// Checks each case of a table, with one server for all.
  private func check(_ cases: [Case], limits: HTTPLimits = HTTPLimits()) async throws {
    let server = try LoopbackServer { request in
      Int(request.path.dropFirst()).map { cases[$0].reply } ?? .hangUp
    }
    defer { server.stop() }
    let client = HTTPClient(base: server.base, limits: limits)
    for (number, example) in cases.enumerated() {
      let outcome = await self.outcome(client, "/\(number)")
      switch (outcome, example.expected) {
      case (.refused(let message), .refused(let part)):
        #expect(message.contains(part), "\(example.name)")
        #expect(message.contains(server.base) && message.utf8.count < 400, "\(example.name)")
        #expect(message.unicodeScalars.allSatisfy { (32..<127).contains($0.value) })
      case (let found, let expected): #expect(found == expected, "\(example.name)")
      }
    }
    // Each was asked for once: nothing is repeated, also not with credentials.
    #expect(server.requests.map(\.path) == cases.indices.map { "/\($0)" })
  }

  private func outcome(_ client: HTTPClient, _ path: String) async -> Outcome {
    do throws(TraceError) {
      return .body(String(decoding: try await client.send(path), as: UTF8.self))
    } catch {
      #expect(error.kind == .inputOutput)
      return .refused(error.description)
    }
  }

  private func limits(size: Int = 1000, idle: Double = 60, total: Double = 60) -> HTTPLimits {
    var limits = HTTPLimits()
    (limits.size, limits.idleTime, limits.totalTime) = (size, idle, total)
    return limits
  }

  // MARK: Tables

  @Test func answersOfEveryLegalFormAreRead() async throws {
    try await check(Self.legal)
  }

  @Test func connectionsThatEndTooSoonAreRefused() async throws {
    try await check(Self.cutOff)
  }

  @Test func wrongLengthsAndChunksAreRefused() async throws {
    try await check(Self.misframed, limits: limits())
  }

  @Test func codingsAreUnpackedOrRefused() async throws {
    try await check(Self.codings, limits: limits())
  }

  @Test func damagedHeadsAreRefused() async throws {
    try await check(Self.heads)
  }

  @Test func otherStatusIsRefusedAtOnce() async throws {
    try await check(Self.statuses)
  }

  @Test func endlessAnswersEndAtTheLimits() async throws {
    try await check(Self.endless, limits: limits())
  }

  // MARK: Time

  /// One limit is far away, so that a busy machine cannot make it the first.
  @Test func silenceEndsAtTheIdleLimit() async throws {
    let heads = ["", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nX-A: ", "HTTP/1.1 103 Early\r\n\r\n"]
    let bodies = [
      Self.bytes("HTTP/1.1 200 OK\r\n\r\no"), Self.answer(length: "3"), Self.chunked("2\r\nok\r\n"),
    ]
    let cases = (heads.map(Self.bytes) + bodies).map { bytes in
      Self.script(
        String(decoding: bytes, as: UTF8.self), [.bytes(bytes), .silence], .refused("none in time"))
    }
    try await check(cases, limits: limits(idle: 0.03))
  }

  /// No pause is longer than the idle limit.
  @Test func drippingEndsAtTheTotalLimit() async throws {
    let rest = [UInt8](repeating: 0x61, count: 100_000)
    let beginnings = [
      "HTTP/1.1 200 OK\r\nX-A: ", "HTTP/1.1 200 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n384\r\n",
    ]
    let cases = beginnings.map {
      Self.script(
        $0, [.bytes(Self.bytes($0)), .drip(rest, milliseconds: 5)],
        .refused("an answer within 0.06 s, found none yet"))
    }
    try await check(cases, limits: limits(size: 1 << 20, total: 0.06))
  }

  /// Slow, but whole in the end.
  @Test func drippingWithinTheLimitsIsRead() async throws {
    try await check([
      Self.script("", [.drip(Self.chunked("2\r\nok\r\n0\r\n\r\n"), milliseconds: 1)], .body("ok"))
    ])
  }

  /// The queue of connections is full: the system answers nothing.
  @Test func serverThatTakesNoConnectionEndsAtTheLimits() async throws {
    let server = try BusyPort()
    for (limits, message) in [
      (limits(idle: 0.03), "none in time"), (limits(total: 0.03), "within 0.03 s"),
    ] {
      let outcome = await outcome(HTTPClient(base: server.base, limits: limits), "/")
      guard case .refused(let text) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(text.contains(message), "\(text)")
    }
  }

  @Test func limitsThatAreNoneEndAtOnce() async throws {
    for limits in [
      limits(size: -1), limits(idle: 0), limits(total: 0), limits(total: -.infinity),
      limits(idle: .nan), limits(total: .nan),
    ] {
      let server = try LoopbackServer { _ in .answer(200, [1]) }
      defer { server.stop() }
      let outcome = await outcome(HTTPClient(base: server.base, limits: limits), "/")
      guard case .refused = outcome else {
        Issue.record("\(limits): \(outcome)")
        continue
      }
    }
  }

  // MARK: Tasks

  @Test func cancelledTaskEndsTheRequest() async throws {
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    let client = HTTPClient(base: server.base, limits: limits(idle: 600, total: 600))
    let request = Task { await outcome(client, "/") }
    while server.requests.isEmpty { await Task.yield() }
    request.cancel()
    let found = await request.value
    guard case .refused(let text) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(text.contains("cancelled"))
    // Before it starts, too.
    let other = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await outcome(client, "/")
    }
    #expect(await other.value == found)
  }

  @Test func manyRequestsAtOnce() async throws {
    let server = try LoopbackServer { .answer(200, Array($0.path.utf8)) }
    defer { server.stop() }
    let client = HTTPClient(base: server.base)
    let bodies = await withTaskGroup(of: Outcome.self) { group in
      for number in 0..<40 { group.addTask { await outcome(client, "/\(number)") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bodies.count == 40)
    #expect((0..<40).allSatisfy { bodies.contains(.body("/\($0)")) })
  }

  // MARK: Requests

  @Test func requestsAskForGzipAlone() async throws {
    let server = try LoopbackServer { .answer(200, Array($0.head.utf8)) }
    defer { server.stop() }
    let client = HTTPClient(base: server.base)
    for json in [nil, Array("{}".utf8), [], [UInt8](repeating: 0x20, count: 2 << 20)] {
      let head = String(decoding: try await client.send("/a", json: json), as: UTF8.self)
      let lines = head.components(separatedBy: "\r\n")
      #expect(lines[0] == "\(json == nil ? "GET" : "POST") /a HTTP/1.1")
      #expect(lines.contains("Accept-Encoding: gzip"))
      #expect(
        !lines.contains {
          $0.hasPrefix("Expect") || $0.hasPrefix("Authorization") || $0.hasPrefix("Cookie")
        })
      #expect(lines.contains("Content-Type: application/json") == (json != nil))
      if let json { #expect(lines.contains("Content-Length: \(json.count)")) }
    }
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1", "http://", "https:///a", "", "127.0.0.1", "dict://a",
  ])
  func otherAddressesAreRefused(base: String) async throws {
    let error = try await #require(throws: TraceError.self) {
      try await HTTPClient(base: base).send("/a")
    }
    #expect(error.kind == .badData && error.description.contains("a URL such as"))
  }

  /// A server without TLS gets no request over it.
  @Test func plainServerIsNoneOfHTTPS() async throws {
    let server = try LoopbackServer { _ in .answer(200) }
    defer { server.stop() }
    let client = HTTPClient(
      base: "https://127.0.0.1:\(server.port)", limits: limits(idle: 0.05))
    guard case .refused = await outcome(client, "/") else {
      Issue.record("it was taken")
      return
    }
    #expect(server.requests.isEmpty)
  }
}

/// A port whose queue of connections is full.
private final class BusyPort {
  private var descriptors: [Int32] = []
  private let port: UInt16

  var base: String { "http://127.0.0.1:\(port)" }

  init() throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listening = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let others = (0..<4).map { _ in socket(AF_INET, stream, 0) }
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listening, address, length) == 0, listen(listening, 0) == 0,
          getsockname(listening, address, &length) == 0
        else { return false }
        for other in others {
          _ = fcntl(other, F_SETFL, O_NONBLOCK)
          _ = connect(other, address, length)
        }
        return true
      }
    }
    descriptors = others + [listening]
    port = UInt16(bigEndian: address.sin_port)
    guard isReady else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
