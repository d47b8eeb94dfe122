import Foundation
import Testing

@Suite struct WallTests {
  @Test(arguments: Wall.arrows.keys.sorted())
  func pureTargetKeepsTheRules(target: String) throws {
    let sources = try Repository.sources(of: target)
    let violations = sources.flatMap { Wall.violations(in: $0.text, path: $0.path) }
    #expect(violations == [])
  }

  /// A renamed folder must not leave the wall unnoticed.
  @Test(arguments: ["TraceModel", "Detectors", "Replay", "Synthesis", "Scoring", "TraceFixtures"])
  func pureTargetIsThere(target: String) throws {
    #expect(try !Repository.sources(of: target).isEmpty)
  }

  @Test func onlyClocksSleepsOrReadsClocks() throws {
    let violations = try Repository.sources()
      .flatMap { Wall.clockViolations(in: $0.text, path: $0.path) }
    #expect(violations == [])
  }

  /// A damaged file may crash libhdf5, which must not crash the command. Only the isolated reader
  /// reads native traces.
  @Test func nativeTracesAreReadInASeparateProcess() throws {
    let calls = ["NativeTrace.read(", "NativeTrace.open(", "NativeTrace.readHeader("]
    let sources = try Repository.sources()
    let readers = sources.filter { source in
      source.path != "TraceFormats/Native/NativeTrace.swift"
        && calls.contains(where: source.text.contains)
    }
    #expect(
      readers.map(\.path) == [
        "TraceFormats/Isolation/NativeFile.swift",
        "TraceFormats/Isolation/NativeReaderService.swift",
      ])
  }

  /// Helpers are started by HelperProgram, with their own configuration off. The others start this
  /// program, or one that the user names.
  @Test func onlyTheseStartPrograms() throws {
    let calls = "ChildProcess|ProgramRun|Process|posix_spawn|popen|system|fork"
    let ways = #"\b((\#(calls))\(|Process\.run|execv)"#
    let found = try run(
      ["grep", "-rlE", "--include=*.swift", ways, "."],
      in: Repository.root.appending(path: "Sources"))
    let starters = found.output.split(separator: "\n").map { $0.dropFirst(2) }
    #expect(
      starters.sorted() == [
        "ChildProcesses/ChildProcess.swift", "ChildProcesses/HelperProgram.swift",
        "ChildProcesses/ProgramRun.swift", "ExternalDetectors/ExecProcess.swift",
        "Harness/Bisect/CommitRunner.swift", "Harness/Commands/Gate+Sides.swift",
        "Speed/SpeedProcess.swift", "TraceFormats/Isolation/NativeReaderProcess.swift",
      ])
  }

  /// A file that is written past `OutputFiles` is not protected from being replaced.
  @Test func outputsAreWrittenWhereTheyAreChecked() throws {
    let users = try Repository.sources().filter { source in
      !source.path.hasPrefix("Files/") && source.text.contains("AtomicFile")
    }
    #expect(
      users.map(\.path).sorted() == [
        "AppIO/Hike/HikeContentStore.swift", "AppIO/StateFile.swift",
        "Harness/Commands/FolderCache.swift", "Reports/Text/OutputFiles.swift",
        "Reports/Text/WrittenFiles.swift", "TraceFormats/Text/CSVWriter.swift",
      ])
  }

  /// What a file names must not command a terminal or a CI service: one place writes to stdout, one to
  /// stderr.
  @Test func onlyTheConsoleWritesToTheStandardStreams() throws {
    let words = [
      "print(", "print (", "dump(", "FileHandle.standard", "puts(", "fwrite", "fprintf", "writeAll",
      "Console.write",
    ]
    let writers = try Repository.sources().filter { source in
      guard words.contains(where: source.text.contains) else { return false }
      let tokens = swiftTokens(of: source.text).map(\.text)
      return tokens.indices.contains { index in
        let (before, after) = (
          index > 0 ? tokens[index - 1] : "", index + 1 < tokens.count ? tokens[index + 1] : ""
        )
        switch tokens[index] {
        case "print", "debugPrint", "dump": return after == "(" && ![".", "func"].contains(before)
        case "standardError", "standardOutput":
          return before == "." && tokens[index - 2] == "FileHandle"
        case "fputs", "fwrite", "fprintf", "puts", "writeAll": return after == "("
        case "write": return before == "." && tokens[index - 2] == "Console"
        default: return false
        }
      }
    }
    #expect(
      writers.map(\.path) == [
        "Diagnostics/CLibrary.swift", "Diagnostics/Console.swift",
        "Harness/Terminal/Terminal.swift",
      ])
  }

  /// FoundationNetworking ends the process on answers that a server may give.
  @Test func answersOfServersAreReadByLibcurlAlone() throws {
    let users = try Repository.sources().filter { source in
      ["FoundationNetworking", "URLSession", "CCurl"].contains(where: source.text.contains)
    }
    #expect(users.map(\.path) == ["AppIO/Hike/Network/CurlSession.swift"])
  }

  /// What the sources of a target import, and what that imports, to the end.
  private func reached(from target: Substring) throws -> Set<Substring> {
    let sources = try Dictionary(grouping: Repository.sources()) { $0.path.prefix { $0 != "/" } }
    var (reached, next): (Set<Substring>, [Substring]) = ([], [target])
    while let target = next.popLast() {
      guard reached.insert(target).inserted else { continue }
      next += (sources[target] ?? []).flatMap { Wall.imports(swiftTokens(of: $0.text)).map(\.text) }
    }
    return reached
  }

  /// An app's tests link ShadowboxTesting, or Evaluation: no library of C, no Foundation, and nothing
  /// that reads HDF5 or command lines.
  @Test func anAppsTestsNeedNoLibraryOfC() throws {
    let pure = Set(Wall.arrows.keys.filter { !PackageGraphTests.apps.contains($0) }.map { $0[...] })
      .subtracting(["Synthesis", "TraceFixtures"])
    let ofSwift: Set<Substring> = ["Synchronization", "Glibc", "Musl", "Darwin"]
    let evaluation = pure.union(ofSwift).union(["Evaluation", "Tuning", "Diagnostics"])
    #expect(try reached(from: "Evaluation") == evaluation)
    #expect(
      try reached(from: "ShadowboxTesting")
        == evaluation.union(["ShadowboxTesting", "TraceFixtures", "Testing"]))
  }

  /// A report's module and script are committed: who changes what they are made from must make them anew.
  @Test(arguments: [
    ("Sources/WebAssembly/build", "sources.sha256", "wasm"),
    ("Sources/Page/bundle", "script.sha256", "page"),
  ])
  func thePageIsOfTheseSources(script: String, kept: String, target: String) throws {
    let digest = try run([script, "--digest"], in: Repository.root)
    try #require(digest.status == 0, "\(digest.output)")
    let kept = try String(
      contentsOf: Repository.root.appending(path: "Sources/Page/\(kept)"), encoding: .utf8)
    #expect(digest.output == kept, "run make \(target) ARGS=--update, and commit what it makes")
  }

  /// The manifest says the same: no system library and no other package in what the product builds.
  @Test func theProductOfAppsTestsBuildsNoLibraryOfC() throws {
    let described = try run(
      ["swift", "package", "--ignore-lock", "dump-package"], in: Repository.root)
    try #require(described.status == 0, "\(described.output)")
    // Warnings may come before it.
    let text = described.output.drop { $0 != "{" }
    let package = try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    let product = try #require(package.products.first { $0.name == "ShadowboxTesting" })
    var (built, next): (Set<String>, [String]) = ([], product.targets)
    while let name = next.popLast() {
      guard built.insert(name).inserted else { continue }
      let target = try #require(targets[name], "\(name) is of another package")
      #expect(target.type == "regular", "\(name)")
      next += target.dependencies.map(\.name)
    }
    #expect(built.contains("Scoring") && built.count < 12, "\(built)")
  }

  @Test func arrowsLeadToPureTargetsAndNeverBack() {
    for (target, imports) in Wall.arrows {
      #expect(imports.isSubset(of: Wall.arrows.keys))
      for imported in imports { #expect(Wall.arrows[imported]?.contains(target) == false) }
    }
  }
}

/// What `swift package dump-package` says of targets and products.
private struct Manifest: Decodable {
  struct Product: Decodable {
    var name: String
    var targets: [String]
  }

  struct Target: Decodable {
    var name: String
    var type: String
    var dependencies: [Dependency]
  }

  /// A target of this package by name, or a product of another one.
  struct Dependency: Decodable {
    var name: String

    init(from decoder: any Decoder) throws {
      let parts = try decoder.singleValueContainer().decode([String: [Part]].self)
      name = parts.values.first?.first?.text ?? "a dependency without a name"
    }

    private struct Part: Decodable {
      var text: String?

      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
  }

  var products: [Product]
  var targets: [Target]
}

/// Tests the checks with violations and with similar valid code.
@Suite struct PlantedViolationTests {
  @Test(arguments: [
    ("import Foundation", ["import of Foundation"]),
    ("public import Dispatch", ["import of Dispatch"]),
    ("@preconcurrency import struct Foundation.Date", ["import of Foundation"]),
    ("#if canImport(Glibc)\nimport Glibc\n#endif", ["import of Glibc"]),
    ("import Replay", ["import of Replay"]),
    ("import Synchronization", ["import of Synchronization"]),
    ("func f() { print(1) }", ["use of print("]),
    ("func f() { print (1) }", ["use of print("]),
    ("let x = \"\\(print(1))\"", ["use of print("]),
    ("let file: FileHandle? = nil", ["use of FileHandle"]),
    ("let now = ContinuousClock.now", ["use of ContinuousClock"]),
    ("let now = SuspendingClock().now", ["use of SuspendingClock"]),
    ("let now = Date()", ["use of Date("]),
    ("DispatchQueue.main.async {}", ["use of DispatchQueue"]),
    (
      "try await Task.sleep(for: .seconds(1))",
      ["use of .sleep(", "use of Task.", "use of Task.sleep"]
    ),
    (
      "var g = SystemRandomNumberGenerator()",
      ["mutable global g", "use of SystemRandomNumberGenerator"]
    ),
    ("func f() { Double.random(in: 0..<1) }", ["random without using:"]),
    ("func f() { Double.random(in: 0..<g(using: 1)) }", ["random without using:"]),
    (
      "func f() { a.shuffle(); _ = a.randomElement() }",
      ["randomElement without using:", "shuffle without using:"]
    ),
    ("let h = 1.hashValue", ["use of hashValue"]),
    ("nonisolated(unsafe) var x = 1", ["mutable global x", "use of nonisolated(unsafe)"]),
    ("var count = 0", ["mutable global count"]),
    ("private var count: Int = 0", ["mutable global count"]),
    ("var count: Int?\nlet other = 1", ["mutable global count"]),
    ("struct A { static var x = 1 }", ["mutable global x"]),
    ("struct A { public private(set) static var x: [Int] = [] }", ["mutable global x"]),
    ("struct A { @MainActor static var x: Int? }", ["mutable global x"]),
    ("struct A { static var x: Int = 1 { didSet { f() } } }", ["mutable global x"]),
    ("@_silgen_name(\"time\") func t(_: Int) -> Int", ["use of _silgen_name"]),
  ])
  func fault(source: String, expected: [String]) {
    let found = Wall.violations(in: source, path: "Detectors/Planted.swift").map(\.fault)
    #expect(found.sorted() == expected)
  }

  @Test(arguments: [
    "import TraceModel\npublic import TraceModel",
    "// import Foundation\n/* print(1) */ let s = \"ContinuousClock Date(\"",
    "func fingerprint(_ x: Int) {}\nfunc f() { fingerprint(1) }",
    "func f(g: inout some RandomNumberGenerator) { _ = Double.random(in: 0..<1, using: &g) }",
    "func f() { a.shuffle(using: &g); random(in: 1) }",
    "struct A { static let x = 1; var y = 2; lazy var z = 3 }",
    "struct A { static var x: Int { 1 } }",
    "struct A { static var x:\n  [String: (Int) -> Int?]\n  {\n    [:]\n  }\n}",
    "protocol P { static var x: Int? { get }\n static func f()\n var y: Int? { get } }",
    "var doubled: Int { let x = 1; return x * 2 }",
    "func f() { var local = 1; local += 1 }",
    "struct A: Hashable { func hash(into hasher: inout Hasher) { hasher.combine(1) } }",
  ])
  func innocence(source: String) {
    #expect(Wall.violations(in: source, path: "Detectors/Planted.swift") == [])
  }

  @Test(arguments: ["TraceModel", "Detectors", "FightApp", "Replay", "Synthesis", "Scoring"])
  func noPureTargetImportsC(target: String) {
    #expect(Wall.violations(in: "import Glibc", path: target + "/Math.swift").count == 1)
  }

  @Test(arguments: [
    ("TraceModel", "Detectors"), ("Detectors", "Replay"), ("Detectors", "AppEngines"),
    ("Synthesis", "Detectors"), ("Replay", "Synthesis"), ("AppEngines", "Replay"),
    ("AppEngines", "FightApp"), ("FightApp", "AppIO"), ("FightApp", "HikeApp"),
  ])
  func importAgainstTheArrows(target: String, imported: String) {
    let violations = Wall.violations(in: "import \(imported)", path: target + "/Planted.swift")
    #expect(violations.map(\.fault) == ["import of \(imported)"])
  }

  @Test(arguments: [
    ("ContinuousClock().now", "use of ContinuousClock"),
    ("clock_gettime(CLOCK_MONOTONIC, &t)", "use of clock_gettime"),
    ("usleep(1)", "use of usleep"),
    ("try await clock.sleep(until: t)", "use of .sleep("),
    ("poll(nil, 0, 10)", "use of poll(nil"),
  ])
  func clockOutsideClocks(source: String, fault: String) {
    let found = Wall.clockViolations(in: "\n" + source, path: "Harness/Planted.swift")
    #expect(found == [Violation(path: "Harness/Planted.swift", line: 2, fault: fault)])
    #expect(Wall.clockViolations(in: source, path: "Clocks/SystemClock.swift") == [])
  }
}
