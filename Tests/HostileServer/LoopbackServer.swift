import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server of HTTP/1.1 on this machine alone, one request a connection, which answers what a test
/// tells it to, also what no server should.
package final class LoopbackServer: Sendable {
  package struct Request: Sendable {
    package var method: String
    package var path: String
    package var body: [UInt8]
    /// The request line and the headers.
    package var head: String
  }

  package enum Reply: Sendable {
    case answer(Int, [UInt8] = [], headers: [String] = [])
    /// States more bytes than it sends.
    case cutOff([UInt8], stated: Int)
    /// These bytes, and the end.
    case raw([UInt8])
    /// Closes the connection without a word.
    case hangUp
    /// Takes the request, and says nothing until the client goes.
    case silence
    /// States a length, and sends a byte now and then until the client goes.
    case drip
    /// One after the other, and the end.
    case script([Step])
  }

  package enum Step: Sendable {
    case bytes([UInt8])
    /// These bytes one at a time, so many milliseconds apart.
    case drip([UInt8], milliseconds: UInt32)
    /// These bytes again and again, until the client goes.
    case endless([UInt8])
    /// Nothing, until the client goes.
    case silence
    /// The end of the connection without a farewell (RST).
    case reset
  }

  package struct CannotStart: Error {}

  /// Outlives the server while a connection is open.
  private final class RequestLog: Sendable {
    private let requests = Mutex<[Request]>([])
    var all: [Request] { requests.withLock { $0 } }
    func append(_ request: Request) { requests.withLock { $0.append(request) } }
  }

  package let port: UInt16
  private let descriptor: Int32
  private let log = RequestLog()

  package var base: String { "http://127.0.0.1:\(port)" }
  /// What was asked, in order.
  package var requests: [Request] { log.all }

  package init(_ handler: @escaping @Sendable (Request) -> Reply) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard descriptor >= 0, isBound else { throw CannotStart() }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [log] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else {
          // Here and not in `stop`: its number may be another socket's as soon as it is free.
          close(descriptor)
          return
        }
        Thread.detachNewThread {
          Self.limitWaits(on: connection)
          if let request = Self.read(connection) {
            log.append(request)
            Self.send(handler(request), on: connection)
          }
          close(connection)
        }
      }
    }
  }

  /// Connections are refused from here on.
  package func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    let blank = Array("\r\n\r\n".utf8)
    while true {
      if let end = bytes.indices.first(where: { bytes[$0...].starts(with: blank) }) {
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) }
        let body = bytes[(end + 4)...]
        if body.count >= length ?? 0, words.count > 1 {
          return Request(method: words[0], path: words[1], body: Array(body), head: head)
        }
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  private static func send(_ reply: Reply, on connection: Int32) {
    switch reply {
    case .answer(let status, let body, let headers):
      let lines =
        ["HTTP/1.1 \(status) Said", "Content-Length: \(body.count)", "Connection: close"] + headers
      write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, on: connection)
    case .cutOff(let body, let stated):
      write(
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(stated)\r\n\r\n".utf8) + body, on: connection)
    case .raw(let bytes): write(bytes, on: connection)
    case .hangUp: break
    case .silence: waitForTheEnd(of: connection)
    case .drip:
      write(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8), on: connection)
      while write([0x20], on: connection) { usleep(20_000) }
    case .script(let steps):
      for step in steps where !run(step, on: connection) { return }
    }
  }

  /// - Returns: whether the client is still there.
  private static func run(_ step: Step, on connection: Int32) -> Bool {
    switch step {
    case .bytes(let bytes): return write(bytes, on: connection)
    case .drip(let bytes, let milliseconds):
      return bytes.allSatisfy { byte in
        usleep(milliseconds * 1000)
        return write([byte], on: connection)
      }
    case .endless(let bytes):
      // Large parts, so that the client is the slower one.
      let part = [[UInt8]](repeating: bytes, count: max(1, 65_536 / max(bytes.count, 1)))
        .flatMap(\.self)
      while write(part, on: connection) {}
      return false
    case .silence:
      waitForTheEnd(of: connection)
      return false
    case .reset:
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  /// No thread of the server outlives its client by more than this, and each step is sent at once.
  private static func limitWaits(on connection: Int32) {
    var isOn: Int32 = 1
    setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var limit = timeval(tv_sec: 90, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  @discardableResult
  private static func write(_ bytes: [UInt8], on connection: Int32) -> Bool {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func waitForTheEnd(of connection: Int32) {
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }
}
