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

  /// Writes what a module is recognised by: no browser runs it.
  private func write(_ texts: [String], to name: String) throws -> [UInt8] {
    var code: [UInt8] = [0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0]
    for text in texts { code += text.utf8 }
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
    _ = try write([digest], to: "usual")
    _ = try write(["ownTexts", String(digest.reversed())], to: "other")
    try Data(try GzipOutput.packed(Array("text".utf8), name: "text")).write(
      to: scratch.url.appending(path: "text"))
    try Data().write(to: scratch.url.appending(path: "empty"))
    let whole = try write(["ownTexts", digest], to: "whole")
    try Data(whole.dropLast(12)).write(to: scratch.url.appending(path: "cut"))
    for (file, found) in [
      ("usual", "found a module without a detector of your own"),
      ("other", "found one of another version of Shadowbox; build it with the sources"),
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
