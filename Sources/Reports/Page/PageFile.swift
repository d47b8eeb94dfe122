import Page
import Digests
import Foundation

/// A single HTML file: the model, the traces, the module that runs detectors, the script and its style.
/// It needs no network, and its policy allows none.
package enum PageFile {
  /// The first bytes of every page.
  static let mark = "<!doctype html><!-- shadowbox-page/1 -->"

  /// - Parameter isServed: whether a server stores the labels of the page. The page may connect only to
  ///   that server.
  package static func text(
    _ builder: PageBuilder, title: String, isServed: Bool = false
  ) throws -> String {
    let style = String(decoding: bytes(of: page_css()), as: UTF8.self)
    let script = String(decoding: bytes(of: page_js()), as: UTF8.self)
    let page = String(decoding: bytes(of: page_html()), as: UTF8.self)
    let policy =
      "default-src 'none'; script-src '\(source(of: script))' 'wasm-unsafe-eval'; "
      + "style-src '\(source(of: style))'; img-src data: blob:; base-uri 'none'; form-action 'none'"
      + (isServed ? "; connect-src 'self'" : "")
    var data = [
      "<script type=\"application/json\" id=\"model\">", try builder.json(isServed: isServed),
      "</script>\n",
    ]
    func add(_ name: String, _ text: String) {
      data += ["<script type=\"application/octet-stream\" id=\"\(name)\">", text, "</script>\n"]
    }
    add("module", base64(builder.module.bytes))
    for trace in builder.traces { add(trace.name, trace.text) }
    let parts: [(mark: String, text: String)] = [
      ("<!--POLICY-->", "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"),
      ("{{TITLE}}", escaped(title)), ("/*STYLE*/", style), ("<!--DATA-->", data.joined()),
      ("/*SCRIPT*/", script),
    ]
    // From start to end, because a part may contain text that looks like a mark.
    var (text, rest) = ("", page[...])
    while let next = parts.compactMap({ part in
      rest.range(of: part.mark).map { (range: $0, text: part.text) }
    }).min(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      text += rest[..<next.range.lowerBound]
      text += next.text
      rest = rest[next.range.upperBound...]
    }
    return text + rest
  }

  /// JSON without `<`, so that no text ends the element around it.
  static func json(_ model: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(model), as: UTF8.self)
    return text.replacing("<", with: "\\u003c").replacing("\u{2028}", with: "\\u2028")
      .replacing("\u{2029}", with: "\\u2029")
  }

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func bytes(of part: page_part) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: part.start, count: part.size)
  }

  /// The source expression of a policy that allows exactly this text.
  private static func source(of text: String) -> String {
    let hex = SHA256Digest.hex(of: Array(text.utf8))
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { place in
      UInt8(hex.dropFirst(place).prefix(2), radix: 16)
    }
    return "sha256-" + base64(bytes)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
