import Files
import TraceModel

/// An answer of a server while it arrives: header line by header line, then its body without the
/// framing of chunks. Each part is checked when it arrives, so that nothing is waited for after what
/// decides the outcome.
struct HTTPAnswer {
  private enum Phase {
    case statusLine
    case headers(status: Int)
    case body(status: Int)
  }

  private let place: String
  private let limit: Int
  private let needsLength: Bool
  private var phase = Phase.statusLine
  private var headerSize = 0
  private var headerLines = 0
  private var interimAnswers = 0
  private var headers = HTTPHeaders()
  private var body: [UInt8] = []

  /// - Parameters:
  ///   - place: the address, for messages.
  ///   - limit: the maximum size in bytes, before and after unpacking.
  ///   - needsLength: whether the end of the connection may not be the end of the body.
  init(place: String, limit: Int, needsLength: Bool) {
    (self.place, self.limit, self.needsLength) = (place, limit, needsLength)
  }

  /// Whether the headers have not ended.
  var isInHead: Bool { if case .body = phase { false } else { true } }

  /// Whether the body has the stated length: then nothing more is waited for.
  var isWhole: Bool { !isInHead && headers.length == body.count }

  /// Takes a status line, a header, the blank line after them, or a trailer, with its line break.
  mutating func take(line bytes: some Collection<UInt8>) throws(TraceError) {
    headerSize += bytes.count
    headerLines += 1
    guard headerSize <= HTTPLimits.headerSize, headerLines <= HTTPLimits.headerLines else {
      throw Self.tooManyHeaders(place)
    }
    var line = Array(bytes)
    while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
    switch phase {
    case .statusLine:
      phase = .headers(status: try status(of: line))
      headers = HTTPHeaders()
    case .headers(let status) where line.isEmpty: try endHead(status)
    case .headers: if let fault = headers.take(line) { throw refusal(found: fault) }
    // A trailer comes too late to change what was read.
    case .body: break
    }
  }

  mutating func take(body bytes: UnsafeRawBufferPointer) throws(TraceError) {
    let size = body.count + bytes.count
    if let length = headers.length, size > length {
      throw refusal(found: "more bytes than the stated \(length)")
    }
    guard size <= limit else { throw Self.tooLarge(place, limit) }
    body += bytes
  }

  /// Returns the body, unpacked, after the transfer has ended.
  func whole() throws(TraceError) -> [UInt8] {
    guard case .body(let status) = phase else {
      throw refusal(found: "the end of the connection within the headers")
    }
    if let length = headers.length, body.count != length {
      throw refusal(found: "\(body.count) of \(length) bytes")
    }
    // No Content has no coding either.
    guard headers.isPacked, status != 204 else { return body }
    guard !body.isEmpty else { throw refusal(found: "no gzip data") }
    let unpacked: [UInt8]?
    do throws(TraceError) {
      unpacked = try GzipInput.unpacked(body, limit: limit, name: place)
    } catch {
      throw refusal(found: "\(error.found) instead of \(error.expected)")
    }
    guard let unpacked else { throw Self.tooLarge(place, limit) }
    return unpacked
  }

  /// `HTTP/1.1 200 OK`; the reason may be missing, and may be in any encoding.
  private func status(of line: [UInt8]) throws(TraceError) -> Int {
    let digits = line.dropFirst(9).prefix(3).map { Int($0) - 0x30 }
    let isClosed = line.count == 12 || line.count > 12 && line[12] == 0x20
    guard line.starts(with: "HTTP/1.0 ".utf8) || line.starts(with: "HTTP/1.1 ".utf8),
      digits.count == 3, digits.allSatisfy({ (0...9).contains($0) }), digits[0] > 0, isClosed
    else { throw refusal(found: "another first line than that of HTTP/1.1") }
    return digits.reduce(0) { $0 * 10 + $1 }
  }

  private mutating func endHead(_ status: Int) throws(TraceError) {
    if (100...199).contains(status), status != 101 {
      interimAnswers += 1
      guard interimAnswers <= HTTPLimits.interimAnswers else {
        throw refusal(found: "more than \(HTTPLimits.interimAnswers) interim answers")
      }
      phase = .statusLine
      return
    }
    guard (200...299).contains(status), status != 206 else {
      let meaning = [206: ", a part that was not asked for", 401: ", a demand for credentials"]
      throw refusal(found: "status \(status)\(meaning[status] ?? "")")
    }
    if let length = headers.length, length > limit { throw Self.tooLarge(place, limit) }
    if headers.isChunked, headers.length != nil {
      throw refusal(found: "a Content-Length for a body in chunks")
    }
    guard !needsLength || headers.isChunked || headers.length != nil || status == 204 else {
      throw refusal(found: "neither a length nor chunks")
    }
    phase = .body(status: status)
  }

  private func refusal(found: String) -> TraceError { Self.refusal(place, found: found) }

  static func refusal(_ place: String, found: String) -> TraceError {
    TraceError(
      .inputOutput, place: place, expected: "a complete answer with a status from 200 to 299",
      found: found, remedy: "try again later")
  }

  static func tooManyHeaders(_ place: String) -> TraceError {
    TraceError(
      .inputOutput, place: place,
      expected: "at most \(HTTPLimits.headerLines) headers of \(HTTPLimits.headerSize) bytes",
      found: "more", remedy: "try again later")
  }

  private static func tooLarge(_ place: String, _ limit: Int) -> TraceError {
    TraceError(
      .inputOutput, place: place, expected: "an answer of at most \(limit) bytes", found: "more",
      remedy: "try again later")
  }
}
