import Foundation
import Testing

/// What the targets of `Package.swift` depend on.
@Suite struct PackageGraphTests {
  static let apps: Set = [
    "FightApp", "HikeApp", "WorkoutApp", "TicTacToeApp", "PictureGuessApp",
  ]

  /// The dependencies by target, as the declarations `library("Name", [...])` state them.
  private static func arrows() throws -> [String: Set<String>] {
    let text = try String(
      contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
    let declaration = /library\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/
    return text.matches(of: declaration).reduce(into: [:]) { arrows, match in
      arrows[String(match.1)] = Set(
        (match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) })
    }
  }

  /// Returns a target and everything that is compiled for it.
  private static func closure(of target: String, _ arrows: [String: Set<String>]) -> Set<String> {
    var (found, open) = (Set<String>(), [target])
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += arrows[next] ?? []
    }
    return found
  }

  /// The test of an app developer compiles no app of ours.
  @Test(arguments: ["Evaluation", "ShadowboxTesting", "Reports", "Harness"])
  func noAppIsBelow(target: String) throws {
    let below = Self.closure(of: target, try Self.arrows())
    #expect(below.isDisjoint(with: Self.apps))
    #expect(below.isSuperset(of: ["AppEngines", "Scoring", "TraceModel"]))
  }

  /// The program has neither the HTTP client nor the accounts of an app developer.
  @Test(arguments: ["Harness", "SealedThreads"])
  func theProgramNeedsNoNetwork(target: String) throws {
    let arrows = try Self.arrows()
    #expect(Self.closure(of: target, arrows).isDisjoint(with: ["AppIO", "CCurl"]))
    #expect(arrows["AppIO"]?.contains("CCurl") == true)
  }

  @Test func appsDoNotNeedEachOther() throws {
    let arrows = try Self.arrows()
    for app in Self.apps {
      #expect(arrows[app] == ["AppEngines", "Detectors", "TraceModel"])
    }
  }
}
