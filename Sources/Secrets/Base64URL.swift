import Foundation

/// Bytes as text that a URL carries unchanged: base64url without padding (RFC 4648, section 5).
enum Base64URL {
  static func text(of bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Returns the bytes of a text; nil if it is not exactly what ``text(of:)`` returns.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    let padding = String(repeating: "=", count: 3 - (text.utf8.count + 3) % 4)
    let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
    let bytes = Data(base64Encoded: base64).map { [UInt8]($0) }
    // Other texts may have the same bytes.
    return bytes.flatMap { self.text(of: $0) == text ? $0 : nil }
  }
}
