import Blows
import Foundation
import ShadowboxTesting
import TraceModel
import XCTest

final class BlowXCTests: XCTestCase {
  func testBlowsAreFound() async throws {
    let folder = try XCTUnwrap(Bundle.module.resourcePath) + "/Fixtures"
    try await expect(Blow.self, on: Trace.fixtures(in: folder), report: XCTFail) {
      $0.recall >= 0.97
      $0.falseAlarms == 0
    }
  }
}
