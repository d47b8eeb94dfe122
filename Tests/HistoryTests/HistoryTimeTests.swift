import Foundation
import Testing

@testable import History

@Suite struct HistoryTimeTests {
  @Test(arguments: [
    ("2026-11-23", "2026-11-23T00:00:00.000Z"),
    ("2026-11-23T09:07:29Z", "2026-11-23T09:07:29.000Z"),
    ("2026-11-23T09:07:29.123Z", "2026-11-23T09:07:29.123Z"),
    ("2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"),
    ("1970-01-01", "1970-01-01T00:00:00.000Z"), ("9999-12-31", "9999-12-31T00:00:00.000Z"),
  ])
  func readsTimes(text: String, expected: String) {
    #expect(HistoryTime(text)?.description == expected)
  }

  @Test(arguments: [
    "", "now", "2026-02-29", "2026-11-23T24:00:00Z", "2026-11-23T09:07:29+01:00", "2026-13-01",
    "1969-12-31", "2026-11-23T09:07:29", "2026-11-23T09:07:29.1234Z", "２026-11-23",
  ])
  func refusesOthers(text: String) {
    #expect(HistoryTime(text) == nil)
  }

  /// Texts sort as the instants do, and lead back to them.
  @Test func textsSort() {
    let times = (0..<2000).map {
      HistoryTime(milliseconds: $0 * $0 * $0 * 31_536 % 253_402_300_799)
    }
    for (left, right) in zip(times, times.dropFirst()) {
      #expect((left < right) == (left.description < right.description))
      #expect(HistoryTime(left.description) == left)
    }
  }

  @Test func staysInItsRange() {
    #expect(HistoryTime(Date(timeIntervalSince1970: -1e20)).milliseconds == 0)
    #expect(HistoryTime(Date(timeIntervalSince1970: .infinity)).description.hasPrefix("9999"))
    let day = HistoryTime(milliseconds: 86_400_000)
    #expect((day - .seconds(86_400)).milliseconds == 0)
    #expect((day - .seconds(86_399.5)).milliseconds == 500)
    #expect((day - .seconds(Int64.max)).milliseconds == 0)
  }
}
