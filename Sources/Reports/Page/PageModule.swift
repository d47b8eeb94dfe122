import Page
import Diagnostics
import Files
import TraceModel

/// The module that runs detectors in a page: the one of this program, or one that was built with a
/// custom detector.
package struct PageModule {
  /// WebAssembly, compressed by gzip.
  let bytes: [UInt8]
  /// Whether it has a detector that this program's own module lacks.
  let hasOwnDetector: Bool

  static let builtIn = PageModule(bytes: all(of: page_module()), hasOwnDetector: false)

  private static let kind = "module of Sources/WebAssembly/build --detector"
  /// The most bytes of an unpacked module.
  private static let limit = 64 << 20

  private init(bytes: [UInt8], hasOwnDetector: Bool) {
    (self.bytes, self.hasOwnDetector) = (bytes, hasOwnDetector)
  }

  /// - Throws: if the file is not such a module, or was built from other sources: its detectors would
  ///   not be those of this program.
  package init(reading path: String) throws {
    bytes = Array(try smallFile(path, Self.kind, mebibytes: 64))
    hasOwnDetector = true
    func wrong(_ found: String) -> Failure {
      Failure(.badData, "\(path): expected a \(Self.kind), found \(found)")
    }
    guard bytes.starts(with: [0x1F, 0x8B]) else {
      throw wrong(bytes.isEmpty ? "an empty file" : "a file that is not packed by gzip")
    }
    guard let code = try GzipInput.unpacked(bytes, limit: Self.limit, name: path) else {
      throw wrong("more than \(Self.limit >> 20) MiB in it")
    }
    guard code.starts(with: [0x00, 0x61, 0x73, 0x6D]) else { throw wrong("no WebAssembly in it") }
    func holds(_ text: some Sequence<UInt8>) -> Bool {
      code[...].firstRange(of: Array(text)) != nil
    }
    guard holds("ownTexts".utf8) else { throw wrong("a module without a detector of your own") }
    guard holds(Self.all(of: page_sources()).dropLast()) else {
      throw wrong("one of another version of Shadowbox; build it with the sources of this program")
    }
  }

  private static func all(of part: page_part) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: part.start, count: part.size))
  }
}
