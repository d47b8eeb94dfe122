/// The targets under `Sources` as the text of `Package.swift` lists them, and what each depends on.
/// `swift package dump-package` reports the same, but takes seconds.
enum ManifestText {
  struct Target: Equatable {
    var name: String
    /// Targets, and products of other packages.
    var dependencies: [String]

    /// The line of the list in `docs/architecture.md`.
    var line: String {
      guard !dependencies.isEmpty else { return name }
      let room = String(repeating: " ", count: max(1, 18 - name.count))
      return name + room + "-> " + dependencies.joined(separator: ", ")
    }
  }

  static func targets(in manifest: String) -> [Target] {
    let list = manifest.firstRange(of: "\n  targets: [").map { manifest[$0.upperBound...] } ?? ""
    let heads = list.matches(
      of: /(?:\blibrary|\.target|\.executableTarget|\.systemLibrary)\(\s*(?:name:\s*)?"(\w+)"/)
    return heads.compactMap { head in
      let call = arguments(list[head.range.upperBound...])
      guard !call.contains("path: \"Tests/") else { return nil }
      let lists = call.matches(of: /named\((\w+)\)/).map { $0.output.1 }
      return Target(
        name: String(head.output.1),
        dependencies: dependencies(in: call) + lists.flatMap { names(in: $0, of: manifest) })
    }
  }

  /// Returns the text up to the parenthesis that closes the call.
  private static func arguments(_ text: Substring) -> Substring {
    var depth = 1
    return text.prefix { character in
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      return depth > 0
    }
  }

  private static func dependencies(in call: Substring) -> [String] {
    let end = call.firstMatch(of: /(?:exclude|resources|pkgConfig):/)?.range.lowerBound
    return call[..<(end ?? call.endIndex)].replacing(/, package: "[^"]*"/, with: "")
      .matches(of: /"(\w+)"/).map { String($0.output.1) }
  }

  /// Returns the names in a list such as `let apps = ["A", "B"]`, which targets add to their own.
  private static func names(in list: Substring, of manifest: String) -> [String] {
    guard let start = manifest.firstRange(of: "let \(list) = [")?.upperBound else { return [] }
    return dependencies(in: manifest[start...].prefix { $0 != "]" })
  }
}
