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
    // git log -1 --format=%cI, %aI, %ci and %ai, with TZ=Europe/Berlin, America/St_Johns and UTC
    // (git 2.39.5; newer ones print Z).
    ("2026-06-01T11:07:29+02:00", "2026-06-01T09:07:29.000Z"),
    ("2026-06-01 11:07:29 +0200", "2026-06-01T09:07:29.000Z"),
    ("2026-01-01T00:07:29-03:30", "2026-01-01T03:37:29.000Z"),
    ("2026-11-23T09:07:29+00:00", "2026-11-23T09:07:29.000Z"),
    ("2026-12-31T23:30:00-0100", "2027-01-01T00:30:00.000Z"),
    ("2024-03-01T01:00:00+02", "2024-02-29T23:00:00.000Z"),
    ("2026-11-23T09:07:29.5Z", "2026-11-23T09:07:29.500Z"),
    ("2026-11-23T11:07:29.123456789+02:00", "2026-11-23T09:07:29.123Z"),
  ])
  func readsTimes(text: String, expected: String) {
    #expect(HistoryTime(text)?.description == expected)
  }

  @Test(arguments: [
    "", "now", "2026-02-29", "2026-11-23T24:00:00Z", "2026-11-23T09:07:29+24:00", "2026-13-01",
    "1969-12-31", "2026-11-23T09:07:29", "2026-11-23T09:07:29.Z", "２026-11-23",
    "2026-11-23T09:07:29+02:60", "2026-11-23T09:07:29+2:00", "2026-11-23T09:07:29 02:00",
    "2026-11-23T09:07:29+02:00Z", "2026-11-23T09:07:29.٣Z", "2026-11-23T09:07:60Z",
    "1970-01-01T00:30:00+01:00", "9999-12-31T23:30:00-01:00", "2026-11-23T", "2026-11-23 09:07:2",
    "2026-11-23T09:07:29.1234567890Z", "2026-11-23T09:07:29Z ", "2026-02-30T11:00:00+02:00",
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
