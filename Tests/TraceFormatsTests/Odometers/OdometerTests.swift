import Foundation
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// The odometers of FIT and TCX files, which gpsbabel drops.
@Suite struct OdometerTests {
  typealias Read = (readings: [[Double]], report: OdometerReport)

  /// Each reading as seconds since 2022-05-01T10:00:00Z, and metres.
  private func fit(
    _ bytes: [UInt8], strict: Bool = false, chunk: Int = ByteSource.chunkSize
  ) throws(TraceError) -> Read {
    var readings: [[Double]] = []
    let source = try ByteSource(bytes: bytes, name: "a.fit", chunk: chunk)
    let report = try FITOdometer.read(source, strict: strict) { readings.append(Self.row($0, $1)) }
    return (readings, report)
  }

  private func tcx(
    _ points: String, strict: Bool = false, isWhole: Bool = true
  ) throws(TraceError) -> Read {
    var readings: [[Double]] = []
    let text = isWhole ? Self.head + points + "</Track></Lap></Activity></X>" : Self.head + points
    let report = try TCXOdometer.read(source(text, name: "a.tcx"), strict: strict) {
      readings.append(Self.row($0, $1))
    }
    return (readings, report)
  }

  private static let head =
    "<X><Activity><Lap><DistanceMeters>999</DistanceMeters><Track>"
  private static let start: Int64 = 1_651_399_200

  private static func row(_ time: Int64, _ meters: Double) -> [Double] {
    [Double(time - start * 1_000_000_000) / 1e9, meters]
  }

  private let record = FITFile.definition(0, [FITFile.time, FITFile.distance])

  private func point(_ second: UInt32, _ centimeters: UInt32) -> [UInt8] {
    FITFile.data(0, [FITFile.start + second, centimeters])
  }

  // MARK: FIT

  @Test(arguments: [12, 14])
  func recordsAreRead(headerSize: Int) throws {
    let bytes = FITFile.file(
      [record, point(0, 0), point(1, 312), point(7, 4_294_967_294)], headerSize: headerSize)
    let found = try fit(bytes)
    #expect(found.readings == [[0, 0], [1, 3.12], [7, 42_949_672.94]])
    #expect(found.report.unknown == 0 && found.report.losses.count == 0)
    #expect(found.report.notes == ["Odometer: 3 readings, read from the file itself."])
  }

  /// The largest integer is FIT's "not known", and no distance of 42,949,672.95 m.
  @Test func invalidValuesAreNoValues() throws {
    let found = try fit(
      FITFile.file([
        record, point(0, 100), point(1, .max), FITFile.data(0, [.max, 200]), point(3, 300),
        // Before the device knows the time, it counts from its start.
        FITFile.data(0, [0x0FFF_FFFF, 400]),
      ]))
    #expect(found.readings == [[0, 1], [3, 3]])
    #expect(found.report.unknown == 1 && found.report.losses.count == 0)
    #expect(found.report.notes[0].contains("1 record states no distance"))
  }

  @Test func anyOrderOfBytesAndFieldsIsRead() throws {
    let fields = [FITFile.distance, FITFile.latitude, FITFile.time, FITFile.longitude]
    for isBigEndian in [false, true] {
      let found = try fit(
        FITFile.file([
          FITFile.definition(3, fields, isBigEndian: isBigEndian, developer: [5, 0]),
          FITFile.data(
            3, [250, 1, FITFile.start + 2, 9], isBigEndian: isBigEndian,
            developer: [1, 2, 3, 4, 5]),
        ]))
      #expect(found.readings == [[2, 2.5]])
    }
  }

  @Test func otherMessagesAreSkipped() throws {
    let found = try fit(
      FITFile.file([
        FITFile.definition(1, message: 21, [FITFile.time, FITFile.distance]), record,
        FITFile.data(1, [FITFile.start, 5]), point(1, 100),
        // The local type becomes another message, then one without a distance.
        FITFile.definition(0, message: 19, [FITFile.distance]), FITFile.data(0, [7]),
        FITFile.definition(0, [FITFile.time]), FITFile.data(0, [FITFile.start + 2]),
      ]))
    #expect(found.readings == [[1, 1]] && found.report.unknown == 1)
  }

  /// A type that is no unsigned integer, or has another size, is no distance.
  @Test(
    arguments: [
      (FITFile.Field(5, 4, 0x88), nil), ((5, 4, 0x84), nil), ((5, 4, 0x06), 2.5),
    ] as [(FITFile.Field, Double?)])
  func theFieldTypeDecides(field: FITFile.Field, meters: Double?) throws {
    let found = try fit(
      FITFile.file([
        FITFile.definition(0, [FITFile.time, field]), FITFile.data(0, [FITFile.start, 250]),
      ]))
    #expect(found.readings == meters.map { [[0, $0]] } ?? [])
  }

  /// Five bits of the time, which run over. FITFile.start is a multiple of 32.
  @Test func compressedTimesCountOn() throws {
    let base = FITFile.start / 32 * 32
    let first = Double(base) - Double(FITFile.start)
    let found = try fit(
      FITFile.file([
        FITFile.definition(1, [FITFile.distance]),
        // Without a time before it, there is none.
        FITFile.compressed(1, offset: 3, [50]),
        record, FITFile.data(0, [base + 30, 100]), FITFile.compressed(1, offset: 31, [200]),
        FITFile.compressed(1, offset: 1, [300]), FITFile.compressed(1, offset: 1, [400]),
        FITFile.compressed(1, offset: 0, [500]),
      ]))
    let times = [30, 31, 33, 33, 64].map { first + $0 }
    #expect(found.readings == zip(times, [1.0, 2, 3, 4, 5]).map { [$0, $1] })
  }

  @Test func filesMayFollowOneAnother() throws {
    let one = FITFile.file([record, point(0, 100)])
    let other = FITFile.file([record, point(9, 50)], headerSize: 12)
    #expect(try fit(one + other).readings == [[0, 1], [9, 0.5]])
  }

  /// Every shorter file: what is before the end is read, and the loss is told with its place.
  @Test func truncationIsALoss() throws {
    let whole = FITFile.file([record, point(0, 100), point(1, 200)])
    for count in 0..<whole.count {
      let bytes = Array(whole[..<count])
      let found = try fit(bytes)
      #expect(found.readings.count == (count < 35 ? 0 : count < 44 ? 1 : 2), "\(count)")
      #expect(found.report.losses.count == 1)
      let text = try #require(found.report.losses.first.first).description
      #expect(text.hasPrefix("a.fit: odometer: expected ") && text.contains("at byte \(count)"))
      #expect(throws: TraceError.self) { try fit(bytes, strict: true) }
    }
  }

  @Test(arguments: [
    (
      FITFile.file([FITFile.data(0, [1])]),
      "a definition before the data of local type 0, found none"
    ),
    ([UInt8](repeating: 0x20, count: 40), "a header of FIT, found other bytes"),
    (FITFile.file([[0x40, 0, 2, 20, 0, 0]]), "0 or 1 as the byte order, found 2"),
    (
      Array(
        FITFile.file([FITFile.definition(0, [FITFile.time])]).enumerated().map {
          $0.offset == 4 ? $0.element - 1 : $0.element
        }), "a message that ends with its file, found one beyond it"
    ),
  ])
  func damageIsReported(bytes: [UInt8], says: String) throws {
    let found = try fit(bytes)
    #expect(found.report.losses.first.first?.description.contains(says) == true)
    #expect(found.report.losses.count == 1)
  }

  /// Damaged bytes: an answer or an error, the same whatever the chunks are.
  @Test(.longer) func damagedBytesGiveAnAnswer() throws {
    let whole =
      FITFile.file([
        record, point(0, 100), FITFile.definition(1, [FITFile.distance], developer: [3]),
        FITFile.compressed(1, offset: 5, [300]) + [1, 2, 3], point(40, .max), point(41, 700),
      ]) + FITFile.file([record, point(50, 900)])
    var generator = SeededGenerator(seed: 3)
    var damaged = 0
    for round in 0..<LongTests.count(quick: 20_000, long: 500_000) {
      var bytes = whole
      for _ in 0..<(1 + generator.next() % 3) where !bytes.isEmpty {
        let place = Int(generator.next() % UInt64(bytes.count))
        switch generator.next() % 4 {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
        case 2 where place > 0: bytes.removeSubrange(place...)
        default: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        }
      }
      let chunk = 1 + Int(generator.next() % 16)
      let (one, other) = (try fit(bytes), try fit(bytes, chunk: chunk))
      let isSame = one.readings == other.readings && one.report.losses == other.report.losses
      #expect(isSame, "round \(round)")
      damaged += one.report.losses.count
      guard isSame else { return }
    }
    #expect(damaged > 1000)
  }

  // MARK: TCX

  @Test func trackPointsAreRead() throws {
    let found = try tcx(
      """
      <Trackpoint><Time>2022-05-01T10:00:00Z</Time><DistanceMeters>0.0</DistanceMeters></Trackpoint>
      <ns:Trackpoint><DistanceMeters> 3.25 </DistanceMeters><Extensions><Time>x</Time>
      <DistanceMeters>7</DistanceMeters></Extensions><Time>2022-05-01T12:00:01.5+02:00</Time>
      </ns:Trackpoint><Trackpoint><Time>2022-05-01T10:00:02Z</Time></Trackpoint><Trackpoint/>
      <Trackpoint><Time>2022-05-01T10:00:03Z</Time><DistanceMeters>1<!-- -->2</DistanceMeters>
      </Trackpoint>
      """)
    #expect(found.readings == [[0, 0], [1.5, 3.25], [3, 12]])
    #expect(found.report.unknown == 1 && found.report.losses.count == 0)
  }

  /// What FIT calls invalid, as converters write it.
  @Test(arguments: ["4294967295", "4294967295.0", "42949672.95", "42949672.949999996", "NaN", ""])
  func sentinelsAreNoDistance(text: String) throws {
    let found = try tcx(
      "<Trackpoint><Time>2022-05-01T10:00:00Z</Time><DistanceMeters>\(text)</DistanceMeters></Trackpoint>"
    )
    #expect(found.readings.isEmpty && found.report.unknown == 1)
  }

  @Test(arguments: [
    ("<Time>2022-05-01T10:00:00Z</Time><DistanceMeters>x</DistanceMeters>", "a distance of zero"),
    ("<Time>2022-05-01T10:00:00Z</Time><DistanceMeters>-1</DistanceMeters>", "found \"-1\""),
    ("<Time>2022-05-01T10:00:00Z</Time><DistanceMeters>inf</DistanceMeters>", "found \"inf\""),
    ("<Time>now</Time><DistanceMeters>1</DistanceMeters>", "found \"now\""),
    ("<DistanceMeters>1</DistanceMeters>", "expected a time, found a distance without one"),
  ])
  func damagedPointsAreLosses(content: String, says: String) throws {
    let good =
      "<Trackpoint><Time>2022-05-01T10:00:09Z</Time><DistanceMeters>5</DistanceMeters></Trackpoint>"
    let points = "\n<Trackpoint>\(content)</Trackpoint>\(good)"
    let found = try tcx(points)
    #expect(found.readings == [[9, 5]] && found.report.losses.count == 1)
    let text = try #require(found.report.losses.first.first).description
    #expect(text.hasPrefix("a.tcx:2: odometer: expected ") && text.contains(says), "\(text)")
    #expect(throws: TraceError.self) { try tcx(points, strict: true) }
  }

  @Test func anOpenElementIsALoss() throws {
    let points =
      "<Trackpoint><Time>2022-05-01T10:00:00Z</Time><DistanceMeters>5</DistanceMeters></Trackpoint><Trackpoint>"
    let found = try tcx(points, isWhole: false)
    #expect(found.readings == [[0, 5]] && found.report.losses.count == 1)
    #expect(throws: TraceError.self) { try tcx(points, strict: true, isWhole: false) }
  }

  @Test(.longer) func damagedTextGivesAnAnswer() {
    let text =
      Self.head + """
        <Trackpoint><Time>2022-05-01T10:00:00Z</Time><DistanceMeters>5</DistanceMeters></Trackpoint>
        <Trackpoint><Time>2022-05-01T10:00:01Z</Time><DistanceMeters>6.5</DistanceMeters>
        </Trackpoint></Track></Lap></Activity></X>
        """
    let outcome = TextFuzzTests.run(text, seed: 8) { input throws(TraceError) in
      var readings: [[Double]] = []
      let report = try TCXOdometer.read(input, strict: true) { readings.append(Self.row($0, $1)) }
      return "\(readings) \(report)"
    }
    #expect(outcome.read > 0 && outcome.refused > TextFuzzTests.rounds / 5)
  }

  /// What a failing consumer throws is no damage of the file.
  @Test func failuresAreNotDamage() throws {
    let bytes = FITFile.file([record, point(0, 100)])
    let full = TraceError(.inputOutput, place: "disk", expected: "room", found: "none")
    #expect(throws: full) {
      _ = try FITOdometer.read(ByteSource(bytes: bytes, name: "a"), strict: false) {
        _, _ throws(TraceError) in throw full
      }
    }
  }
}
