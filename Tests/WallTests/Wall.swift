/// The rules for pure targets. They keep the measured code identical to the code on a phone.
enum Wall {
  /// The pure targets and what each may import. None imports C.
  static let arrows: [String: Set<String>] = [
    "TraceModel": [],
    "Detectors": ["TraceModel"],
    "AppEngines": ["Detectors", "TraceModel"],
    "FightApp": ["AppEngines", "Detectors", "TraceModel"],
    "HikeApp": ["AppEngines", "Detectors", "TraceModel"],
    "WorkoutApp": ["AppEngines", "Detectors", "TraceModel"],
    "TicTacToeApp": ["AppEngines", "Detectors", "TraceModel"],
    "PictureGuessApp": ["AppEngines", "Detectors", "TraceModel"],
    "Replay": ["Detectors", "TraceModel"],
    "Synthesis": ["TraceModel"],
    "Scoring": ["TraceModel"],
    "TraceFixtures": ["TraceModel"],
    "PageRuns": ["Detectors", "Replay", "Scoring", "TraceModel"],
  ]

  /// The target that may sleep and read clocks.
  static let targetsWithClock: Set<String> = ["Clocks"]

  /// Names that no pure target may use, as sequences of tokens.
  static let forbiddenInPureTargets =
    clocks + [
      // Output and files.
      ["print", "("], ["debugPrint", "("], ["dump", "("], ["readLine", "("], ["FileHandle"],
      ["FileManager"], ["CommandLine"],
      // Time and threads.
      ["Date", "("], ["DispatchQueue"], ["Task", "{"], ["Task", "."], ["Thread"],
      // Random numbers without a seed, and hash values that differ per process.
      ["SystemRandomNumberGenerator"], ["hashValue"], ["Hasher", "("],
      // State that outlives a call, and ways around imports.
      ["nonisolated", "(", "unsafe", ")"], ["_silgen_name"], ["_extern"], ["_cdecl"], ["dlopen"],
      ["dlsym"],
    ]

  /// The names that sleep or read clocks.
  static let clocks = [
    ["ContinuousClock"], ["SuspendingClock"], ["Task", ".", "sleep"], [".", "sleep", "("],
    ["Thread", ".", "sleep"], ["nanosleep"], ["clock_nanosleep"], ["usleep"], ["clock_gettime"],
    ["clock_gettime_nsec_np"], ["gettimeofday"], ["timespec_get"], ["mach_absolute_time"],
    ["cticks_now"],
    ["DispatchTime"], ["DispatchWallTime"], ["systemUptime"], ["poll", "(", "nil"],
  ]

  /// Methods that use the system's random generator by default.
  static let randomMethods: Set<Substring> = [
    "random", "shuffled", "shuffle", "randomElement",
  ]
}

/// A violation of a rule and its place.
struct Violation: Equatable, CustomStringConvertible {
  var path: String
  var line: Int
  var fault: String

  var description: String { "\(path):\(line): \(fault)" }
}

extension Wall {
  /// Returns the violations in a source of a pure target.
  /// - Parameter path: relative to `Sources`, e.g. `TraceModel/Channel.swift`.
  static func violations(in source: String, path: String) -> [Violation] {
    let tokens = swiftTokens(of: source)
    let target = String(path.prefix { $0 != "/" })
    let allowed = arrows[target] ?? []
    let foreign = imports(tokens).filter { !allowed.contains(String($0.text)) }
    let faults =
      foreign.map { ($0.line, "import of \($0.text)") }
      + uses(of: forbiddenInPureTargets, in: tokens)
      + unseededRandom(tokens)
      + storedGlobals(tokens)
    return faults.sorted { $0.0 < $1.0 }.map { Violation(path: path, line: $0.0, fault: $0.1) }
  }

  /// Returns the places where a source sleeps or reads clocks, unless its target may.
  static func clockViolations(in source: String, path: String) -> [Violation] {
    let target = String(path.prefix { $0 != "/" })
    if targetsWithClock.contains(target) { return [] }
    return uses(of: clocks, in: swiftTokens(of: source))
      .map { Violation(path: path, line: $0.0, fault: $0.1) }
  }

  /// Returns the module names after `import`, also after `import struct` and with a path.
  static func imports(_ tokens: [SwiftToken]) -> [SwiftToken] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import" else { return nil }
      return tokens[(index + 1)...].first { !kinds.contains($0.text) }
    }
  }

  static func uses(of names: [[String]], in tokens: [SwiftToken]) -> [(Int, String)] {
    let byFirst = Dictionary(grouping: names) { $0[0][...] }
    return tokens.indices.flatMap { index in
      (byFirst[tokens[index].text] ?? []).compactMap { name in
        let found = tokens[index...].prefix(name.count).map(\.text)
        guard found.elementsEqual(name, by: { $0 == $1 }) else { return nil }
        return (tokens[index].line, "use of \(name.joined())")
      }
    }
  }

  /// Returns calls such as `.random(in: 0..<1)` without an argument `using:`.
  static func unseededRandom(_ tokens: [SwiftToken]) -> [(Int, String)] {
    tokens.indices.compactMap { index in
      guard index + 2 < tokens.count, tokens[index].text == ".",
        randomMethods.contains(tokens[index + 1].text), tokens[index + 2].text == "("
      else { return nil }
      let isSeeded = arguments(tokens, openedAt: index + 2).contains("using")
      return isSeeded ? nil : (tokens[index].line, "\(tokens[index + 1].text) without using:")
    }
  }

  /// Returns the labels and names directly inside the parentheses that open at `opening`.
  private static func arguments(_ tokens: [SwiftToken], openedAt opening: Int) -> [Substring] {
    var depth = 0
    var names: [Substring] = []
    for token in tokens[opening...] {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth == 0 { break }
      if depth == 1 { names.append(token.text) }
    }
    return names
  }

  /// Returns global stored variables: at the top level of a file, or `static`.
  static func storedGlobals(_ tokens: [SwiftToken]) -> [(Int, String)] {
    var depth = 0
    var faults: [(Int, String)] = []
    for (index, token) in tokens.enumerated() {
      if token.text == "{" { depth += 1 }
      if token.text == "}" { depth -= 1 }
      guard token.text == "var", index + 1 < tokens.count else { continue }
      let isGlobal = depth == 0 || modifiers(tokens, before: index).contains("static")
      if isGlobal, isStored(tokens[(index + 2)...]) {
        faults.append((token.line, "mutable global \(tokens[index + 1].text)"))
      }
    }
    return faults
  }

  /// Returns the words directly before the token at `index`, such as `public private(set) static`.
  private static func modifiers(_ tokens: [SwiftToken], before index: Int) -> Set<Substring> {
    let known: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "static", "final", "nonisolated",
      "lazy", "weak", "unowned", "override", "set", "unsafe", "(", ")",
    ]
    return Set(tokens[..<index].reversed().map(\.text).prefix { known.contains($0) })
  }

  /// Returns whether a declaration is a stored variable: `=` comes before any accessor block, or an
  /// optional type ends the line (its initial value is nil).
  private static func isStored(_ tokens: ArraySlice<SwiftToken>) -> Bool {
    var depth = 0
    var last = SwiftToken(text: "", line: 0)
    for token in tokens {
      if ["(", "["].contains(token.text) { depth += 1 }
      if [")", "]"].contains(token.text) { depth -= 1 }
      if depth == 0, token.text == "{" { return false }
      let endsOptional = ["?", "!"].contains(last.text) && token.line > last.line
      if depth == 0, endsOptional || ["=", ";", "}"].contains(token.text) { return true }
      last = token
    }
    return true
  }
}
