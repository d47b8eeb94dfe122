import Files
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// What runs in a page: the program's module where it detects as the file says, or one that was built
/// with a custom detector (`--module`). Its behaviour in a browser is tested in
/// Tests/Python/page_in_browser.py.
@Suite struct PageModuleTests {
  let scratch: Scratch

  private static let made = MadeFiles(["synth punches --duration 20s -o 0.h5"])

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The SHA-256 of what the module of this program is made from.
  private static var digest: String {
    get throws {
      String(
        try String(
          contentsOf: Self.root.appending(path: "Sources/Page/sources.sha256"),
          encoding: .utf8
        ).prefix(64))
    }
  }

  /// The sections of this program's own module.
  private static let sections = Result { () throws -> [(id: UInt8, bytes: [UInt8])] in
    let packed = try Data(contentsOf: root.appending(path: "Sources/Page/page.wasm.gz"))
    let code = try #require(try GzipInput.unpacked(Array(packed), limit: 64 << 20, name: "page"))
    var (sections, position) = ([(id: UInt8, bytes: [UInt8])](), 8)
    while position < code.count {
      let id = code[position]
      position += 1
      let count = number(code, &position)
      sections.append((id, Array(code[position..<position + count])))
      position += count
    }
    return sections
  }

  private static func number(_ code: [UInt8], _ position: inout Int) -> Int {
    var (result, shift) = (0, 0)
    repeat {
      result |= Int(code[position] & 0x7F) << shift
      (position, shift) = (position + 1, shift + 7)
    } while code[position - 1] >= 0x80
    return result
  }

  private static func bytes(of number: Int) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F | 0x80)] + bytes(of: number >> 7)
  }

  /// The exports, with those of a detector of one's own: they are an export that has their type.
  private static func exports(_ own: [UInt8]) throws -> [UInt8] {
    var position = 0
    let count = number(own, &position)
    let name = Array("columnLength".utf8)
    var place = try #require(own.firstRange(of: name)).upperBound + 1
    let index = bytes(of: number(own, &place))
    return ["ownNumber", "ownTexts", "ownTextsLength"].reduce(
      bytes(of: count + 3) + own[position...]
    ) { $0 + [UInt8($1.utf8.count)] + Array($1.utf8) + [0] + index }
  }

  /// Writes this program's module with texts by which another one is recognised.
  /// - Parameter change: changes the sections.
  private func write(
    _ texts: [String], to name: String,
    _ change: (inout [(id: UInt8, bytes: [UInt8])]) -> Void = { _ in }
  ) throws -> [UInt8] {
    var code: [UInt8] = [0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0]
    var sections = try Self.sections.get()
    for index in sections.indices where sections[index].id == 7 {
      sections[index].bytes = try Self.exports(sections[index].bytes)
    }
    // Not the code, for which a digest would be searched too.
    sections = sections.map { $0.id == 11 ? ($0.id, [0]) : $0 }
    sections.append((0, [0] + texts.flatMap(\.utf8)))
    change(&sections)
    for (id, bytes) in sections { code += [id] + Self.bytes(of: bytes.count) + bytes }
    let packed = try GzipOutput.packed(code, name: name)
    try Data(packed).write(to: scratch.url.appending(path: name))
    return packed
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["run", "0.h5", "--detector", "punch"] + arguments, in: scratch.url)
  }

  @Test func theModuleIsInThePage() throws {
    let packed = try write(["ownTexts", try Self.digest], to: "own.wasm.gz")
    let made = try run(["--report", "page.html", "--module", "own.wasm.gz"])
    try #require(made.status == 0, "\(made.errors)")
    func page() throws -> String {
      try String(contentsOf: scratch.url.appending(path: "page.html"), encoding: .utf8)
    }
    let element = "id=\"module\">\(Data(packed).base64EncodedString())</script>"
    #expect(try page().contains(element))
    let usual = try run(["--report", "page.html"])
    try #require(usual.status == 0, "\(usual.errors)")
    #expect(try !page().contains(element))
    // The same for the page of results, and of two.
    for command in [
      ["report", "out/results.h5", "-o", "page.html"],
      ["compare", "out/results.h5", "out/results.h5", "--report", "page.html"],
    ] {
      let outcome = try Program.run(command + ["--module", "own.wasm.gz"], in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try page().contains(element), "\(command)")
    }
  }

  @Test func anotherFileIsRefused() throws {
    let digest = try Self.digest
    _ = try write([digest], to: "usual") { $0[$0.firstIndex { $0.id == 7 }!].bytes = [0] }
    let known = ["ownTexts", digest]
    _ = try write(known, to: "bare") { $0.removeAll { $0.id == 7 } }
    _ = try write(known, to: "needy") { $0.insert((2, [1, 1, 97, 1, 98, 0, 0]), at: 1) }
    _ = try write(known, to: "eager") { $0.insert((8, [0]), at: $0.firstIndex { $0.id == 9 }!) }
    _ = try write(known, to: "huge") {
      $0[$0.firstIndex { $0.id == 5 }!].bytes = [1, 0] + Self.bytes(of: 5000)
    }
    _ = try write(known, to: "memories") {
      $0[$0.firstIndex { $0.id == 5 }!].bytes = [2, 0, 1, 0, 1]
    }
    _ = try write(known, to: "tables") {
      $0[$0.firstIndex { $0.id == 4 }!].bytes = [2, 0x70, 0, 1, 0x70, 0, 1]
    }
    _ = try write(known, to: "torn") { $0.append((5, [])) }
    _ = try write(known, to: "wrong") {
      let exports = $0.firstIndex { $0.id == 7 }!
      let place = $0[exports].bytes.firstRange(of: Array("choose".utf8))!.upperBound
      $0[exports].bytes[place] = 3
    }
    _ = try write(["ownTexts", String(digest.reversed())], to: "other")
    try Data(try GzipOutput.packed(Array("text".utf8), name: "text")).write(
      to: scratch.url.appending(path: "text"))
    try Data().write(to: scratch.url.appending(path: "empty"))
    let whole = try write(["ownTexts", digest], to: "whole")
    try Data(whole.dropLast(12)).write(to: scratch.url.appending(path: "cut"))
    for (file, found) in [
      ("usual", "found a module without a detector of your own"),
      ("other", "found one of another version of Shadowbox; build it with the sources"),
      ("bare", "does not export choose as the page calls it"),
      ("wrong", "does not export choose as the page calls it"),
      ("needy", "found one with imports"), ("eager", "found one that runs code when it is loaded"),
      ("huge", "more than 256 MiB of memory"), ("torn", "found no WebAssembly in it"),
      ("memories", "found no WebAssembly in it"), ("tables", "found no WebAssembly in it"),
      ("text", "found no WebAssembly in it"), ("empty", "found an empty file"),
      ("0.h5", "found a file that is not packed by gzip"),
      ("cut", "expected the end of the gzip data"), ("none", "No such file"),
    ] {
      let outcome = try run(["--report", "page.html", "--module", file])
      #expect(outcome.status != 0)
      #expect(
        outcome.errors.hasPrefix("error: \(file): ") && outcome.errors.contains(found),
        "\(outcome.errors)")
      // Before the work.
      #expect(!FileManager.default.fileExists(atPath: scratch.path("out/results.h5")))
    }
  }

  @Test func withoutAPageItHasNoEffect() throws {
    _ = try write(["ownTexts", try Self.digest], to: "own.wasm.gz")
    let outcome = try run(["--module", "own.wasm.gz"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--module has no effect without --report"))
  }

  /// The records of a file have no scores, unlike those of a run; they are equal nevertheless.
  @Test func aFileIsLikeItsOwnRun() throws {
    for preset in ["default", "accuracy", "magnitude"] {
      let made = try Program.run(
        ["run", "0.h5", "--detector", "punch/\(preset)", "-o", "r.h5"], in: scratch.url)
      try #require(made.status == 0, "\(made.errors)")
      let compared = try Program.run(
        ["compare", "r.h5", "r.h5", "--report", "page.html"], in: scratch.url)
      #expect(
        compared.status == 0 && !compared.errors.contains("differ from the file"), "\(preset)")
      let page = try scratch.text(of: "page.html")
      #expect(page.contains("\"is_runnable\":true") && page.contains("\"unlike\":0"), "\(preset)")
    }
  }

  @Test func aPageDoesNotReplaceItsModule() throws {
    let packed = try write(["ownTexts", try Self.digest], to: "own.html")
    let outcome = try run(["--report", "own.html", "--module", "own.html"])
    #expect(outcome.status != 0)
    #expect(try Data(contentsOf: scratch.url.appending(path: "own.html")) == Data(packed))
  }

  /// The script that builds it says what it expects before it compiles anything.
  @Test(arguments: [
    (["--detector", "Swing"], "expected: build --detector TYPE FILE.swift... MODULE.wasm.gz"),
    (["--detector", "a b", "a.swift", "a.wasm.gz"], "a b: expected the name of a Swift type"),
    (["--detector", "Swing", "a.swift", "a.wasm.gz"], "a.swift: expected a Swift file with Swing"),
    (["--detector", "Swing", "0.h5", "folder"], "folder: expected a name that ends with .wasm.gz"),
    ([], "expected a folder to write to"),
  ])
  func theScriptSaysWhatItExpects(arguments: [String], message: String) throws {
    let script = Self.root.appending(path: "Sources/WebAssembly/build").path
    let outcome = try Program.launch("bash", [script] + arguments, in: scratch.url)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
  }
}
