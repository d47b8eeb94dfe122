import Diagnostics
import Digests
import Files
import Foundation
import Page
import TraceModel

/// A single HTML file: the model, the traces, the module that runs detectors, the script and its style.
/// It needs no network, and its policy allows none.
package enum PageFile {
  /// The first bytes of every page.
  static let mark = "<!doctype html><!-- shadowbox-page/1 -->"

  /// - Parameter isServed: whether the page may connect to its server, which stores labels.
  package static func text(
    _ builder: PageBuilder, title: String, isServed: Bool = false
  ) throws -> String {
    let style = String(decoding: page_css().bytes, as: UTF8.self)
    let script = String(decoding: page_js().bytes, as: UTF8.self)
    let page = String(decoding: page_html().bytes, as: UTF8.self)
    let policy =
      "default-src 'none'; script-src '\(source(of: script))' 'wasm-unsafe-eval'; "
      + "style-src '\(source(of: style))'; img-src data: blob:; worker-src blob:; "
      + "base-uri 'none'; form-action 'none'"
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
      ("{{TITLE}}", XMLText.attribute(title)), ("/*STYLE*/", style), ("<!--DATA-->", data.joined()),
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
    return text.replacing(["<": "\\u003c", "\u{2028}": "\\u2028", "\u{2029}": "\\u2029"])
  }

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// The source expression of a policy that allows exactly this text.
  private static func source(of text: String) -> String {
    let hex = SHA256Digest.hex(of: Array(text.utf8))
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { place in
      UInt8(hex.dropFirst(place).prefix(2), radix: 16)
    }
    return "sha256-" + base64(bytes)
  }
}

/// The module that runs detectors in a page: that of this program, or one with a custom detector.
package struct PageModule {
  /// WebAssembly, compressed by gzip.
  let bytes: [UInt8]
  /// Whether it has a detector that this program's own module lacks.
  let hasOwnDetector: Bool

  static let builtIn = PageModule(bytes: Array(page_module().bytes), hasOwnDetector: false)

  /// The most bytes of an unpacked module.
  private static let limit = 64 << 20
  /// Of memory at the beginning, of 64 KiB each.
  private static let mostPages = 4096

  private init(bytes: [UInt8], hasOwnDetector: Bool) {
    (self.bytes, self.hasOwnDetector) = (bytes, hasOwnDetector)
  }

  /// - Throws: if the file is not such a module, or was built from other sources: its detectors would
  ///   not be those of this program.
  package init(reading path: String) throws {
    bytes = Array(try smallFile(path, .module, mebibytes: 64))
    hasOwnDetector = true
    func wrong(_ found: String) -> Failure {
      Failure(.badData, "\(path): expected a \(InputKind.module.rawValue), found \(found)")
    }
    guard bytes.starts(with: [0x1F, 0x8B]) else {
      throw wrong(bytes.isEmpty ? "an empty file" : "a file that is not packed by gzip")
    }
    guard let code = try GzipInput.unpacked(bytes, limit: Self.limit, name: path) else {
      throw wrong("more than \(Self.limit >> 20) MiB in it")
    }
    guard let exports = ModuleExports(code) else { throw wrong("no WebAssembly in it") }
    let data = Data(code)
    func holds(_ text: some Sequence<UInt8>) -> Bool { data.range(of: Data(text)) != nil }
    guard holds("ownTexts".utf8) else { throw wrong("a module without a detector of your own") }
    guard holds(page_sources().bytes.dropLast()) else {
      throw wrong("one of another version of Shadowbox; build it with the sources of this program")
    }
    if let fault = try Self.fault(of: exports) { throw wrong(fault) }
  }

  /// What a page cannot run.
  private static func fault(of exports: ModuleExports) throws -> String? {
    if exports.imports > 0 { return "one with imports, which a page does not provide" }
    if exports.startsItself { return "one that runs code when it is loaded" }
    guard exports.memory <= mostPages else { return "one that needs more than 256 MiB of memory" }
    let own = try GzipInput.unpacked(builtIn.bytes, limit: limit, name: "the built-in module")
    var needed = own.flatMap { ModuleExports($0) }?.signatures ?? [:]
    for name in ["ownNumber", "ownTexts", "ownTextsLength"] {
      needed[name] = needed["columnLength"]
    }
    let missing = needed.filter { exports.signatures[$0.key] != $0.value }.keys.min()
    return missing.map { "one that does not export \($0) as the page calls it" }
  }
}

extension page_part {
  fileprivate var bytes: UnsafeRawBufferPointer { .init(start: start, count: size) }
}
