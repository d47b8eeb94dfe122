import Foundation
import TestSupport
import Testing

@testable import Harness

/// JSON is read as JSON, whose text may have characters that YAML refuses.
@Suite struct SuiteJSONTests {
  private static let made = MadeFiles(["synth punches --duration 20s -o p.h5"])
  private static let odd = "a\u{7F}b\u{9B}c\u{85}d\u{FFFF}"

  @Test func namesThatYAMLRefusesAreRunAgain() throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let parameters = ["threshold": "2.5 g"]
    let suite: [String: Any] = [
      "schema": "shadowbox-suite/1", "traces": [Self.odd: ["p.h5"]],
      "entries": [
        ["name": Self.odd, "detector": "punch", "traces": [Self.odd], "parameters": parameters],
        ["name": "second", "detector": "punch", "traces": [Self.odd]],
      ],
    ]
    let json = try JSONSerialization.data(withJSONObject: suite)
    try json.write(to: scratch.url.appending(path: "suite.json"))
    try scratch.write(
      #"""
      schema: shadowbox-suite/1
      traces: {"a\x7Fb\x9Bc\x85d\uFFFF": [p.h5]}
      entries:
        - {name: "a\x7Fb\x9Bc\x85d\uFFFF", detector: punch, traces: ["a\x7Fb\x9Bc\x85d\uFFFF"], parameters: {threshold: 2.5 g}}
        - {name: second, detector: punch, traces: ["a\x7Fb\x9Bc\x85d\uFFFF"]}
      """#, to: "suite.yml")
    for name in ["suite.json", "suite.yml"] {
      let run = try Program.run(["run", name, "-o", "r.h5", "--force"], in: scratch.url)
      try #require(run.status == 0, "\(run.errors)")
      guard name == "suite.yml" else { continue }
      let again = try Program.run(["rerun", "r.h5"], in: scratch.url)
      #expect(again.status == 0, "\(name): \(again.errors)")
    }
    try scratch.write("{\"schema\": \"shadowbox-suite/1\", }", to: "bad.json")
    let bad = try Program.run(["run", "bad.json"], in: scratch.url)
    #expect(bad.status == 65 && bad.errors.contains("bad.json: expected"), "\(bad.errors)")
  }
}
