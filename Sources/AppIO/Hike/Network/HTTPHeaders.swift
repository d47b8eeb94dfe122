import Foundation

/// What the headers of an answer state about its body (RFC 9112, section 6; RFC 9110, section 8.4).
/// Values of other headers are not looked at: they may be in any encoding.
struct HTTPHeaders {
  /// The stated number of bytes of the body as it is sent.
  private(set) var length: Int?
  private(set) var isChunked = false
  /// Whether the body is packed with gzip.
  private(set) var isPacked = false
  /// The header that a folded line would continue.
  private var last = ""

  /// Takes a header without its line break.
  /// - Returns: nil, or why it is refused.
  mutating func take(_ line: [UInt8]) -> String? {
    if let first = line.first, first == 0x20 || first == 0x09 {
      return Self.framing.contains(last) ? "a folded \(last)" : nil
    }
    guard let colon = line.firstIndex(of: 0x3A), colon > 0,
      line[..<colon].allSatisfy({ (0x21...0x7E).contains($0) })
    else { return "a damaged header" }
    last = Self.text(line[..<colon]).lowercased()
    let value = Self.text(line[(colon + 1)...])
    switch last {
    case "content-length": return take(length: value)
    case "transfer-encoding":
      guard !isChunked, value.lowercased() == "chunked" else {
        return "the transfer coding \(Self.quoted(value)), or several"
      }
      isChunked = true
    case "content-encoding": return take(codings: value)
    default: break
    }
    return nil
  }

  private static let framing: Set<String> = [
    "content-length", "transfer-encoding", "content-encoding",
  ]

  private mutating func take(length value: String) -> String? {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let stated = Int(value)
    else { return "a Content-Length of \(Self.quoted(value))" }
    guard length == nil || length == stated else { return "contradictory lengths" }
    length = stated
    return nil
  }

  private mutating func take(codings value: String) -> String? {
    for part in value.split(separator: ",") {
      switch Self.trimmed(part).lowercased() {
      case "", "identity": break
      case "gzip", "x-gzip":
        guard !isPacked else { return "several content codings" }
        isPacked = true
      default: return "the content coding \(Self.quoted(value))"
      }
    }
    return nil
  }

  /// The text without blanks around it; each byte beyond ASCII is a character of Latin-1.
  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    trimmed(String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init))))
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
  }

  /// The text for a message, which a terminal can show.
  static func quoted(_ text: String, most: Int = 60) -> String {
    let shown = text.unicodeScalars.prefix(most).map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }
    return "\"\(String(String.UnicodeScalarView(shown)))\""
  }
}
