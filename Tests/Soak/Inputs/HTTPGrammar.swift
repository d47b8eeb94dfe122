import PackedFiles
import TraceModel

/// Makes answers of a server: legal ones, and ones with faults.
struct HTTPGrammar {
  /// Gzip data that unpack to a thousand times their size and more, once and twice.
  private static let bombs = [Gzip.zeros(1 << 22), Gzip.packed(Gzip.zeros(1 << 26))]

  /// Returns the bytes, and the body of a legal answer.
  func answer(_ generator: inout SeededGenerator) -> (bytes: [UInt8], body: [UInt8]?) {
    if generator.isTrue(oneIn: 40) { return (garbage(&generator), nil) }
    let body = self.body(&generator)
    if generator.isTrue(oneIn: 2) {
      return (legal(body, &generator), body)
    }
    var bytes = generator.isTrue(oneIn: 2) ? legal(body, &generator) : hostile(body, &generator)
    if generator.isTrue(oneIn: 2) { generator.damage(&bytes) }
    return (bytes, nil)
  }

  private func garbage(_ generator: inout SeededGenerator) -> [UInt8] {
    (0..<generator.below(400)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  private func body(_ generator: inout SeededGenerator) -> [UInt8] {
    switch generator.below(20) {
    case 0: return []
    case 1: return garbage(&generator)
    case 2: return [UInt8](repeating: 0x20, count: generator.below(20_000))
    default:
      let words = (0..<generator.below(60)).map { _ in generator.word() }
      return Array(("ok" + words.joined(separator: " ")).utf8)
    }
  }

  // MARK: Legal

  private func legal(_ body: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var lines = [generator.pick(["HTTP/1.1 200 OK", "HTTP/1.1 200", "HTTP/1.1 201 Cr\u{E9}e"])]
    for _ in 0..<generator.below(4) { lines.append(header(&generator)) }
    var content = body
    if generator.isTrue(oneIn: 4) {
      content = generator.isTrue(oneIn: 2) ? Gzip.member(body) : Gzip.packed(body)
      lines.append("Content-Encoding: \(generator.pick(["gzip", "x-gzip", "GZIP"]))")
    }
    switch generator.below(5) {
    case 0: break
    case 1, 2:
      lines.append("transfer-Encoding: chunked")
      content = chunks(content, &generator)
    default: lines.append("Content-Length: \(content.count)")
    }
    let interim = generator.isTrue(oneIn: 10) ? 1 + generator.below(8) : 0
    let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    return latin1(String(repeating: hint, count: interim)) + head(lines) + content
  }

  private func header(_ generator: inout SeededGenerator) -> String {
    generator.pick([
      "Server: a", "X-City: K\u{F6}ln", "Set-Cookie: a=b; Secure", "X-Empty:", "X-A: a\r\n b",
      "Location: http://127.0.0.1:1/", "Connection: keep-alive", "Date: now", "Trailer: X-Sum",
      "Content-Range: bytes 0-1/2", "Content-Type: text/html; charset=rot13", "Connection: close",
      "X-Long: " + String(repeating: "x", count: generator.below(200)),
    ])
  }

  private func chunks(_ body: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty {
      let size = min(rest.count, 1 + generator.below(300))
      let zeros = String(repeating: "0", count: generator.below(4))
      let more = generator.pick(["", "", ";a", ";a=\"b\"", " "])
      bytes += latin1("\(zeros)\(String(size, radix: 16, uppercase: size % 2 == 0))\(more)\r\n")
      bytes += rest.prefix(size) + [0x0D, 0x0A]
      rest = rest.dropFirst(size)
    }
    let trailer = generator.pick(["", "", "X-Sum: 1\r\n", "A: b\r\nContent-Length: 7\r\n"])
    return bytes + latin1("0\r\n\(trailer)\r\n")
  }

  // MARK: Hostile

  private func hostile(_ body: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var lines = [statusLine(&generator)]
    for _ in 0..<generator.below(5) { lines.append(oddHeader(&generator)) }
    if generator.isTrue(oneIn: 60) {
      lines += [String](repeating: "X-Many: a", count: generator.below(600))
    }
    var content = body
    if generator.isTrue(oneIn: 3) {
      let coding = generator.pick([
        "gzip", "gzip, gzip", "gzip\r\nContent-Encoding: gzip", "br", "deflate", "zstd", "gzip, br",
        "identity, gzip", ",", "rot13", String(repeating: "gzip, ", count: 40),
      ])
      lines.append("Content-Encoding: \(coding)")
      content = packed(body, &generator)
    }
    switch generator.below(6) {
    case 0: break
    case 1:
      lines.append("Transfer-Encoding: chunked")
      content = chunks(content, &generator)
    case 2:
      lines.append("Transfer-Encoding: chunked")
      content = latin1("\(size(&generator))\r\n") + content + latin1("\r\n0\r\n\r\n")
    default: lines.append("Content-Length: \(length(content.count, &generator))")
    }
    let interim = generator.isTrue(oneIn: 20) ? generator.below(2000) : 0
    return latin1(String(repeating: "HTTP/1.1 100 Go on\r\n\r\n", count: interim)) + head(lines)
      + content
  }

  private func statusLine(_ generator: inout SeededGenerator) -> String {
    if generator.isTrue(oneIn: 2) { return "HTTP/1.1 200 OK" }
    let version = generator.pick(["HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/0.9", "HTTP/1.11", "ICY"])
    let status = generator.pick([
      "101", "204", "206", "302", "304", "401", "407", "500", "20", "2000", "-20", "", "\0",
    ])
    return "\(version) \(status) Word"
  }

  private func oddHeader(_ generator: inout SeededGenerator) -> String {
    generator.pick([
      header(&generator), "rubbish", ": a", "X A: b", "X-A : b", " folded", "X-A: a\0b",
      "X-A: \r b",
      "Transfer-Encoding: gzip", "Transfer-Encoding: chunked", "WWW-Authenticate: Basic",
      "Proxy-Authenticate: Basic", "Content-Length: \(length(2, &generator))", "Upgrade: h2c",
      "Alt-Svc: h3=\":1\"", "Strict-Transport-Security: max-age=9", "\u{FF}: \u{FE}",
      "X-Long: " + String(repeating: "x", count: generator.below(300_000) / 20),
    ])
  }

  private func packed(_ body: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    switch generator.below(6) {
    case 0: return generator.pick(Self.bombs)
    case 1: return Gzip.packed(Gzip.packed(body))
    case 2: return Array(Gzip.packed(body).dropLast(1 + generator.below(12)))
    case 3: return Gzip.packed(body) + [0x61]
    case 4: return body
    default: return Gzip.packed(body)
    }
  }

  private func size(_ generator: inout SeededGenerator) -> String {
    generator.pick([
      "FFFFFFFF", "FFFFFFFFFFFFFFFF", "7FFFFFFFFFFFFFFF", "10000000000000000", "-1", "g", "", ";",
      String(repeating: "0", count: generator.below(100)) + "2", "0x2", "2;" + generator.word(),
    ])
  }

  private func length(_ count: Int, _ generator: inout SeededGenerator) -> String {
    generator.pick([
      "\(count)", "\(count)", "\(count + 1)", "\(max(count - 1, 0))", "0", "-1", "", "x",
      "\(count), \(count)", "9223372036854775807", "18446744073709551616", "1e3", "\(count)\r\n 0",
      generator.number(),
    ])
  }

  private func head(_ lines: [String]) -> [UInt8] {
    latin1(lines.joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// A byte for each character; there are none beyond Latin-1.
  private func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}
