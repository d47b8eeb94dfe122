import Blows
import Foundation
import ShadowboxTesting
import Testing
import TraceModel

@Test func blowsAreFound() async throws {
  let folder = try #require(Bundle.module.resourcePath) + "/Fixtures"
  try await expect(Blow.self, on: Trace.fixtures(in: folder), tolerance: .milliseconds(150)) {
    $0.recall >= 0.97
    $0.falseAlarms == 0
    $0.latencyP90 <= 0.1
  }
}
