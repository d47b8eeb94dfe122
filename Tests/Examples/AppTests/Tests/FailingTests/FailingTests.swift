import Blows
import Detectors
import ShadowboxTesting
import Testing
import TraceFixtures
import TraceModel
import XCTest

/// Three seconds with a blow after one second and nothing else.
private func oneBlow() throws -> [Trace] {
  let rows = (0..<300).map { $0 == 100 ? "0 0 0 200" : "0 0 0 9.8" }
  let text = """
    shadowbox-fixture/1
    id one-blow
    origin synthetic
    subject s1
    end 3000000000
    reference punch
    event 1000000000 1000000000 - - left - nan
    event 2000000000 2000000000 - - right - nan
    channel acceleration 0 10000000
    \(rows.joined(separator: "\n"))
    complete
    """
  return try [Trace(fixture: text)]
}

@Test func thisFails() async throws {
  try await expect(Blow.self, on: oneBlow()) { $0.recall >= 0.97 }
}

@Test func thisShowsNothingAboutNewPeople() async throws {
  try await expect(Blow.self, on: oneBlow()) { $0.recall.lowerForNewPeople >= 0.2 }
}

final class FailingXCTests: XCTestCase {
  func testThisFails() async throws {
    try await expect(Blow.self, on: oneBlow(), report: XCTFail) { $0.recall >= 0.97 }
  }

  func testThisThrows() async throws {
    try await expect(Blow.self, on: oneBlow()) { $0.recall >= 0.97 }
  }
}
