import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct CivilTimeTests {
  // Made by Python's datetime: ((t - datetime(1970,1,1,tzinfo=utc)) / timedelta(microseconds=1))
  // · 1000 over random times of random zones.
  @Test(
    arguments: [
      ("1815-10-28T02:16:07.519501-03:30", -4_865_422_432_480_499_000),
      ("2161-11-13T06:06:31.029724-03:30", 6_054_773_791_029_724_000),
      ("1912-10-04T10:01:01.026681-11:59", -1_806_371_998_973_319_000),
      ("2232-01-13T21:13:27.761111Z", 8_268_988_407_761_111_000),
      ("2218-04-25T14:31:35.244406+01:30", 7_836_008_495_244_406_000),
      ("1801-12-11T23:45:32.981929-03:30", -5_303_306_667_018_071_000),
      ("2061-02-15T21:32:06.816256+00:00", 2_875_728_726_816_256_000),
      ("1993-12-28T19:37:37.412719-11:59", 757_150_597_412_719_000),
      ("1852-03-17T07:00:49.209208+05:30", -3_717_181_750_790_792_000),
      ("2043-07-12T00:34:34.653776+05:30", 2_320_254_274_653_776_000),
      ("1711-11-03T02:55:01.475003Z", -8_146_818_298_524_997_000),
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999999999Z", -1),
      ("2000-02-29T00:00:00Z", 951_782_400_000_000_000),
      // The ends of the axis: numpy.datetime64('1677-09-21T00:12:43.145224193', 'ns') and its twin.
      ("2262-04-11T23:47:16.854775807Z", .max), ("1677-09-21T00:12:43.145224192Z", .min),
      // Forms.
      ("2021-10-24 18:46:23+00:00", 1_635_101_183_000_000_000),
      ("2021-10-24T18:46:23", 1_635_101_183_000_000_000),
      ("2021-10-24T18:46Z", 1_635_101_160_000_000_000),
      ("2021-10-24T18:46:23,5+0100", 1_635_097_583_500_000_000),
      ("2021-10-24T18:46:23.123456789-01", 1_635_104_783_123_456_789),
      (" 2021-10-24T18:46:23Z ", 1_635_101_183_000_000_000),
    ] as [(String, Int64)])
  func readsAsPythonDoes(text: String, expected: Int64) {
    #expect(scanned(text) { CivilTime($0, $1)?.nanoseconds } == expected)
  }

  @Test(arguments: [
    "", "2021-10-24", "2021-10-24T", "2021-13-01T00:00:00Z", "2021-00-01T00:00:00Z",
    "2021-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2021-04-31T00:00:00Z", "2021-01-00T00:00:00Z",
    "2021-01-01T24:00:01Z", "2021-01-01T24:01:00Z", "2021-01-01T24:00:00.1Z",
    "2021-01-01T25:00:00Z",
    "2021-01-01T00:00:61Z", "2021-02-01T00:00:60Z", "2016-12-31T23:59:60+01:00",
    "2021-01-01T00:60:00Z", "2021-01-01T23:59:60Z",
    "2021-01-01T00:00:00.Z", "2021-01-01T00:00:00ZZ",
    "2021-01-01T00:00:00+24:00", "2021-01-01T00:00:00+01:60", "2021-01-01T00:00:00+1",
    "2021-01-01T00:00:00+", "21-01-01T00:00:00Z", "2021-1-1T00:00:00Z", "2021-01-01X00:00:00Z",
    "2262-04-11T23:47:16.854775808Z", "1677-09-21T00:12:43.145224191Z", "9999-12-31T23:59:59Z",
    "0000-01-01T00:00:00Z", "20210101T000000Z", "2021-01-01T-1:00:00Z",
  ])
  func refusesOtherTextsThanTimes(text: String) {
    #expect(scanned(text) { CivilTime($0, $1) } == nil)
  }

  // 1483228800 is 2017-01-01T00:00:00Z, before which the last leap second was inserted.
  @Test(
    arguments: [
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000, true),
      ("2016-12-31T23:59:60.25Z", 1_483_228_800_250_000_000, true),
      ("2017-01-01T00:59:60+01:00", 1_483_228_800_000_000_000, true),
      ("2016-12-31T24:00:00Z", 1_483_228_800_000_000_000, false),
      ("2016-12-31T24:00Z", 1_483_228_800_000_000_000, false),
    ] as [(String, Int64, Bool)])
  func takesTheEndOfADay(text: String, expected: Int64, isLeapSecond: Bool) throws {
    let time = try #require(scanned(text) { CivilTime($0, $1) })
    #expect(time.nanoseconds == expected && time.isLeapSecond == isLeapSecond)
  }

  // Fractions of a second and their nanoseconds, ties to even.
  @Test(
    arguments: [
      ("0000000005", 0), ("0000000015", 2), ("00000000050000000001", 1), ("0000000004999", 0),
      ("123456789123", 123_456_789), ("1234567896", 123_456_790), ("9999999994", 999_999_999),
      ("9999999995", 1_000_000_000), ("1000000000000000000000000000", 100_000_000),
    ] as [(String, Int64)])
  func roundsBeyondNanoseconds(fraction: String, expected: Int64) {
    for (start, seconds) in [("1970-01-01T00:00:02", 2), ("1969-12-31T23:59:57", -3)] {
      let text = "\(start).\(fraction)Z"
      #expect(
        scanned(text) { CivilTime($0, $1)?.nanoseconds } == Int64(seconds) * 1_000_000_000
          + expected)
    }
  }

  @Test func statesWhetherTheZoneIsWritten() {
    #expect(scanned("2021-10-24T18:46:23") { CivilTime($0, $1)?.hasZone } == false)
    #expect(scanned("2021-10-24T18:46:23-00:00") { CivilTime($0, $1)?.hasZone } == true)
  }

  @Test(.longer) func writesWhatItReads() {
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    for round in 0..<LongTests.count(quick: 5000, long: 20_000) {
      let units: [Int64] = [1, 1000, 1_000_000, 1_000_000_000]
      let unit = units[Int(generator.next() % 4)]
      let time = Int64(bitPattern: generator.next()) / unit * unit
      let text = CivilTime.text(nanoseconds: time)
      #expect(
        scanned(text) { CivilTime($0, $1)?.nanoseconds } == time, "seed \(seed) round \(round)")
    }
    #expect(CivilTime.text(nanoseconds: 0) == "1970-01-01T00:00:00Z")
    #expect(CivilTime.text(nanoseconds: -1) == "1969-12-31T23:59:59.999999999Z")
    #expect(CivilTime.text(nanoseconds: 1_500_000_000) == "1970-01-01T00:00:01.500Z")
  }
}
