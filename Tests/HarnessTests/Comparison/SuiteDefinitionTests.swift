import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness
@testable import Reports
@testable import Results

/// The suite as results files have it.
@Suite struct SuiteDefinitionTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func parsed(_ text: String) throws -> Suite {
    let path = Self.root.appending(path: "traces/suite.yml").path
    return try SuiteParser(path: path, registry: Program.registry).parse(text)
  }

  private static let everything = """
    schema: shadowbox-suite/1
    name: "all \\"of\\" it"
    traces: {a: [synthetic/punch-s05-right.h5], "b:c": [synthetic/route-s01.h5]}
    entries:
      - {name: one, detector: punch, preset: hitThat, traces: a, gravity_filter: "lowpass:0.31s,0.2g",
         parameters: {threshold: 1.7 g, refractory: 333 ms}, tolerance: 123 ms, device_rate: 33 Hz,
         delivery: {preset: harsh, seed: 7, lost: 0.123}}
      - {detector: checkin, preset: goHike, traces: [a, "b:c"],
         policy: {confirm_after: 1.5 s, cancel: 0.25, spread: 0.5, seed: 9}}
    apps:
      - {app: hike, traces: "b:c", seed: 4, together: true, network: "delay=200ms,loss=0.1",
         policy: {arm_after: 2 s, hold_for: 3 s}}
    """

  @Test(arguments: [true, false])
  func readsAsTheSuiteThatItCameFrom(isOwn: Bool) throws {
    let text =
      isOwn
      ? Self.everything
      : try String(contentsOf: Self.root.appending(path: "traces/suite.yml"), encoding: .utf8)
    let suite = try parsed(text)
    let definition = suite.definition()
    let again = try parsed(definition)
    #expect(again.definition() == definition)
    #expect(again.name == suite.name)
    #expect(again.traceSets.map(\.name).sorted() == suite.traceSets.map(\.name).sorted())
    for set in suite.traceSets { #expect(again.traceSets.contains(set)) }
    #expect(again.entries.count == suite.entries.count && again.apps.count == suite.apps.count)
    for (own, other) in zip(suite.entries, again.entries) {
      var other = other
      other.place = own.place
      #expect(own == other)
    }
  }
}
