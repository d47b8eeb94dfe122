import Clocks
import Files
import Foundation
import Synchronization

/// A server of HTTP/1.1 on the loopback address, for one person's browser: one request per connection.
struct PageServer {
  struct Request {
    var method: String
    /// The target up to the question mark.
    var path: String
    /// The target after the question mark; empty = none.
    var query: String
    /// By lower-case name.
    var headers: [String: String]
    var body: [UInt8]
  }

  struct Answer {
    var status: Int
    var type = "text/plain; charset=utf-8"
    var body: [UInt8]

    init(_ status: Int, _ text: String) { (self.status, body) = (status, Array(text.utf8)) }
  }

  /// Longer heads and bodies are refused, and bodies that are together longer at one time.
  static let headLimit = 16_384
  static let bodyLimit = 50_000_000
  /// With more connections at once, the oldest is closed, first of those whose request is not known yet.
  private static let mostConnections = 32
  /// The seconds in which a head has to come, and a body or an answer has to pass.
  private static let (headPatience, patience) = (10.0, 60.0)

  let port: UInt16
  private let descriptor: Int32

  /// - Parameter wanted: the port; 0 = any that is free.
  /// - Throws: if the port is taken.
  init(port wanted: UInt16) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = wanted.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard descriptor >= 0, isBound else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw fileError(
        "--port \(wanted): expected a free port of this machine, found: \(reason); name another")
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Answers requests until the program ends.
  /// - Parameter refusing: why a request is refused by its head; its body is not read before.
  /// - Throws: if the socket itself fails.
  func serve(
    refusing: @escaping @Sendable (Request) -> Answer?,
    answer: @escaping @Sendable (Request) -> Answer
  ) throws {
    let places = Places(Self.mostConnections)
    while true {
      let connection = accept(descriptor, nil, nil)
      if connection < 0 {
        guard ![EBADF, EINVAL, ENOTSOCK].contains(errno) else {
          throw fileError("port \(port): \(String(cString: strerror(errno)))")
        }
        // A client that has gone, or a signal. Of files or memory, the oldest connection gives some back.
        if ![EINTR, ECONNABORTED].contains(errno) {
          places.makeRoom()
          pause(milliseconds: 50)
        }
        continue
      }
      // A browser opens connections that it may never use: no connection waits for another.
      places.take(connection)
      let isStarted = SystemThread.start {
        Self.attend(to: connection) { request, length in
          if let refusal = refusing(request) { return refusal }
          guard length <= Self.bodyLimit else {
            return Answer(413, "expected at most \(Self.bodyLimit) bytes\n")
          }
          return places.keep(connection, body: length, atMost: Self.bodyLimit)
            ? nil : Answer(503, "busy with other requests; try again\n")
        } answer: {
          answer($0)
        }
        places.leave(connection)
        close(connection)
      }
      if !isStarted {
        places.leave(connection)
        places.makeRoom()
        close(connection)
        pause(milliseconds: 50)
      }
    }
  }

  private static func attend(
    to connection: Int32, refusing: (Request, Int) -> Answer?, answer: (Request) -> Answer
  ) {
    switch read(connection, refusing) {
    case .request(let request): send(answer(request), on: connection)
    case .refused(let refusal): send(refusal, on: connection)
    case .gone: break
    }
    // Unread input would reset the connection, and the client would lose the answer.
    shutdown(connection, Int32(SHUT_WR))
    var rest = [UInt8](repeating: 0, count: 1 << 16)
    let time = Patience(2)
    var count = 0
    while count < 64, time.receive(connection, &rest) > 0 { count += 1 }
  }

  private enum Reading {
    case request(Request), refused(Answer), gone
  }

  /// - Parameter refusing: gets the stated length of the body, too.
  private static func read(_ connection: Int32, _ refusing: (Request, Int) -> Answer?) -> Reading {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var time = Patience(headPatience)
    func more() -> Bool {
      let count = time.receive(connection, &buffer)
      guard count > 0 else { return false }
      bytes += buffer[..<count]
      return true
    }
    var end: Int?
    var searched = 0
    while end == nil {
      guard more() else { return .gone }
      end = bytes[max(0, searched - 3)...].firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound
      searched = bytes.count
      if (end ?? bytes.count) > headLimit {
        return .refused(Answer(431, "expected a head of at most \(headLimit) bytes\n"))
      }
    }
    guard let end, var request = request(bytes[..<end]) else {
      return .refused(Answer(400, "expected a request of HTTP/1.1\n"))
    }
    guard request.headers["transfer-encoding"] == nil else {
      return .refused(Answer(411, "expected a Content-Length\n"))
    }
    let stated = request.headers["content-length"] ?? "0"
    guard stated.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(stated) else {
      return .refused(Answer(400, "expected a number in Content-Length\n"))
    }
    if let refusal = refusing(request, length) { return .refused(refusal) }
    let start = end + 4
    time = Patience(patience)
    while bytes.count < start + length {
      guard more() else { return .gone }
    }
    request.body = Array(bytes[start..<start + length])
    return .request(request)
  }

  private static func request(_ head: ArraySlice<UInt8>) -> Request? {
    guard let text = String(validating: head, as: UTF8.self) else { return nil }
    let lines = text.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
      return nil
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      // With two lengths or hosts, it is not clear which one counts.
      guard headers.updateValue(value, forKey: name) == nil || name == "cookie" else { return nil }
    }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return Request(
      method: String(words[0]), path: String(target[0]),
      query: target.count > 1 ? String(target[1]) : "", headers: headers, body: [])
  }

  private static func send(_ answer: Answer, on connection: Int32) {
    let head = [
      "HTTP/1.1 \(answer.status) \(answer.status < 300 ? "OK" : "Refused")",
      "Content-Type: \(answer.type)", "Content-Length: \(answer.body.count)", "Connection: close",
      "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
    ]
    let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + answer.body
    var sent = 0
    let time = Patience(patience)
    while sent < bytes.count, time.limit(connection, SO_SNDTIMEO) {
      let count = bytes.withUnsafeBytes {
        Foundation.send(
          connection, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Self.quietly)
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  #if canImport(Glibc)
    private static let quietly = Int32(MSG_NOSIGNAL)
  #else
    private static let quietly: Int32 = 0
  #endif
}

/// The time that one side of a connection has in all, however slowly it goes on.
private struct Patience {
  private let seconds: Double
  private let watch = Stopwatch()

  init(_ seconds: Double) { self.seconds = seconds }

  func receive(_ connection: Int32, _ buffer: inout [UInt8]) -> Int {
    limit(connection, SO_RCVTIMEO) ? recv(connection, &buffer, buffer.count, 0) : 0
  }

  /// Limits the next call to the rest of the time; false = there is none.
  func limit(_ connection: Int32, _ option: Int32) -> Bool {
    let rest = seconds - watch.elapsed / .seconds(1)
    guard rest > 0.001 else { return false }
    var limit = timeval()
    limit.tv_sec = Int(rest)
    limit.tv_usec = .init((rest - rest.rounded(.down)) * 1e6)
    setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    return true
  }
}

/// The connections that are open.
private final class Places: Sendable {
  private let limit: Int
  /// In the order of their opening; of those that wait, the request is not known yet.
  private let open = Mutex<[(connection: Int32, waits: Bool, body: Int)]>([])

  init(_ limit: Int) { self.limit = limit }

  /// Clients that do not read their answers must not lock out the next one.
  func take(_ connection: Int32) {
    if open.withLock({ $0.count >= limit }) { makeRoom() }
    open.withLock { $0.append((connection, true, 0)) }
  }

  func makeRoom() {
    open.withLock { open in
      guard !open.isEmpty else { return }
      let oldest = open.firstIndex(where: \.waits) ?? 0
      // Its thread then reads the end or cannot write on, and closes it.
      shutdown(open.remove(at: oldest).connection, Int32(SHUT_RDWR))
    }
  }

  /// The connection has a request of the page itself.
  /// - Parameter body: the length of its body.
  /// - Returns: false if the bodies of all connections would have more bytes than `most`.
  func keep(_ connection: Int32, body: Int, atMost most: Int) -> Bool {
    open.withLock { open in
      guard let index = open.firstIndex(where: { $0.connection == connection }),
        open.reduce(body, { $0 + $1.body }) <= most
      else { return false }
      (open[index].waits, open[index].body) = (false, body)
      return true
    }
  }

  func leave(_ connection: Int32) {
    open.withLock { open in open.removeAll { $0.connection == connection } }
  }
}
