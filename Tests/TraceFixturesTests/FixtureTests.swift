import TestSupport
import Testing
import TraceModel

@testable import TraceFixtures

@Suite struct FixtureTests {
  private static let example = """
    shadowbox-fixture/1
    # Three samples of a watch that delivers them together.
    id tap 1
    origin recorded
    subject s1
    handedness left
    epoch 2022-05-01T10:00:03Z
    end 900000000
    place 7 46.05 14.5 25 0
    ignore 0 100
    reference punch
    tolerance 150000000
    units m s-2
    event 10000000 10000000 jab left\\20hook lead - 31.5
    event 5000000 6000000 - - unknown 7 nan
    track
    0 46.05 14.5
    1000 46.06 14.5
    channel user_acceleration 1000 10000000 arrived
    attribute gravity_removal low-pass, 0.3 s
    0 20000000 0.1 -0.25 9.5
    67 10000000 nan -inf 1e-05
    -67 0 1 2 3
    channel action 5 0
    0 arm
    complete

    """

  @Test func everyStatementIsRead() throws {
    let trace = try Trace(fixture: Self.example)
    var header = TraceHeader(id: "tap 1", origin: .recorded)
    (header.subject, header.handedness) = ("s1", .left)
    (header.epoch, header.isEpochKnown) = ("2022-05-01T10:00:03Z", true)
    header.end = TraceInstant(nanoseconds: 900_000_000)
    header.places = [Place(id: 7, latitude: 46.05, longitude: 14.5, radius: 25, rank: 0)]
    header.ignoreZones = [IgnoreZone(onset: .zero, offset: TraceInstant(nanoseconds: 100))]
    header.references = [
      ReferenceSet(
        task: .punch,
        events: [
          ReferenceEvent(
            onset: TraceInstant(nanoseconds: 5_000_000),
            offset: TraceInstant(nanoseconds: 6_000_000),
            place: 7),
          ReferenceEvent(
            onset: TraceInstant(nanoseconds: 10_000_000), label: "jab", originalLabel: "left hook",
            hand: .lead, value: 31.5),
        ], valueUnits: "m s-2", tolerance: .milliseconds(150))
    ]
    header.track = ReferenceTrack(
      times: [0, 1000], latitudes: [46.05, 46.06], longitudes: [14.5, 14.5])
    var expected = Trace(header: header)
    expected.set(
      .vector(
        VectorColumns(
          times: TimeColumns(
            measured: [1000, 10_001_067, 20_001_000], arrived: [20_001_000, 20_001_067, 20_001_000]),
          x: [0.1, .nan, 1], y: [-0.25, -.infinity, 2], z: [9.5, 1e-5, 3])),
      for: .userAcceleration, attributes: ["gravity_removal": "low-pass, 0.3 s"])
    expected.set(
      .action(ValueColumns(times: TimeColumns(measured: [5]), values: [.arm])), for: .action)
    #expect(trace.bits == expected.bits)
  }

  /// Any trace comes back bit by bit, and writing it again gives the same bytes.
  @Test(.longer) func anyTraceComesBack() throws {
    for seed in 0..<UInt64(LongTests.count(quick: 300, long: 8_000)) {
      let trace = RandomTrace(seed: seed).trace
      let bytes = try trace.fixture()
      let again = try Trace(fixture: bytes)
      #expect(again.bits == trace.bits, "seed \(seed)")
      #expect(try again.fixture() == bytes, "seed \(seed)")
    }
  }

  @Test func linesMayEndAsOnWindows() throws {
    let trace = try Trace(fixture: Self.example.replacing("\n", with: "\r\n"))
    #expect(trace.bits == (try Trace(fixture: Self.example)).bits)
  }

  /// A file that was cut anywhere is refused, unless only its last line break is missing.
  @Test func everyPrefixIsRefused() throws {
    let bytes = Array(Self.example.utf8)
    for count in 0..<(bytes.count - 1) {
      #expect(throws: TraceError.self, "\(count) bytes") {
        try Trace(fixture: Array(bytes.prefix(count)))
      }
    }
    #expect(try Trace(fixture: Array(bytes.dropLast())).bits == Trace(fixture: bytes).bits)
  }

  /// Changed bytes are refused with a place, or give a trace that can be written.
  @Test(.longer) func changedBytesNeverTrap() throws {
    let bytes = Array(Self.example.utf8)
    var generator = SeededGenerator(seed: 17)
    var refused = 0
    let count = LongTests.count(quick: 5_000, long: 200_000)
    for _ in 0..<count {
      var changed = bytes
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let position = Int.random(in: changed.indices, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: changed[position] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: changed.remove(at: position)
        case 2: changed.insert(bytes.randomElement(using: &generator) ?? 0, at: position)
        default: changed.swapAt(position, Int.random(in: changed.indices, using: &generator))
        }
      }
      do throws(TraceError) {
        let trace = try Trace(fixture: changed)
        #expect(try Trace(fixture: trace.fixture()).bits == trace.bits)
      } catch {
        refused += 1
        #expect(error.place.hasPrefix("fixture") && !error.found.isEmpty, "\(error)")
      }
    }
    #expect(refused > count / 4 && refused < count)
  }

  /// A line of the example, what replaces it, and the message.
  @Test(arguments: [
    ("shadowbox-fixture/1", "shadowbox-fixture/2", "f:1: expected \"shadowbox-fixture/1\""),
    ("id tap 1", "id ", "f: expected an id, found an empty text"),
    ("id tap 1", "id \\ZZ", "f:3: expected UTF-8"),
    (
      "id tap 1", "id tap 1\nid tap 2",
      "f:4: expected one \"id\", found another one, after that of line 3"
    ),
    (
      "origin recorded", "origin real",
      "f:4: expected an origin: recorded, synthetic, found \"real\""
    ),
    ("end 900000000", "end 9e8", "f:8: expected an integer: the end in ns, found \"9e8\""),
    ("end 900000000", "end 20001000", "f: expected an end at or after 20001067 ns"),
    ("end 900000000", "end -1", "f: expected an end at or after 0 ns, found -1 ns"),
    ("end 900000000", "end 9223372036854775808", "f:8: expected an integer: the end in ns"),
    ("epoch 2022-05-01T10:00:03Z", "epoch 2022-02-30T10:00:03Z", "f:7: expected an instant"),
    ("ignore 0 100", "ignore 0", "f:10: expected an integer: an offset in ns, found nothing"),
    ("reference punch", "reference kick", "f:11: expected a task: punch, visit"),
    ("units m s-2", "units m s-2\nunits g", "f:14: expected one \"units of punch\""),
    ("1000 46.06 14.5", "1000 46.06 14.5 5", "f:18: expected the end of the line, found \"5\""),
    ("0 20000000 0.1 -0.25 9.5", "0 20000000 0.1 -0.25", "f:21: expected z, found nothing"),
    ("0 20000000 0.1 -0.25 9.5", "0 20000000 0.1 .5 9.5", "f:21: expected y, found \".5\""),
    (
      "0 20000000 0.1 -0.25 9.5", "0 20000000 0.1 1e39 9.5",
      "f:21: expected y in the range of Float"
    ),
    ("0 arm", "0 fire", "f:25: expected an action: arm"),
    ("0 arm", "0 arm\nchannel action 5 0", "f:26: expected one \"channel action\""),
    ("channel action 5 0", "channel action 5 0 late", "f:24: expected \"arrived\" or nothing"),
    ("channel action 5 0", "5 0", "f:24: expected x, found nothing"),
    ("complete", "", "f:27: expected \"complete\" as the last line, found the end of the file"),
    ("complete", "complete\nx", "f:27: expected the end of the line, found \"x\""),
    ("complete", "done", "f:26: expected a statement such as reference"),
  ])
  func whatIsWrongIsNamed(line: String, other: String, message: String) {
    let text = Self.example.replacing(line + "\n", with: other.isEmpty ? "\n" : other + "\n")
    let error = #expect(throws: TraceError.self) { try Trace(fixture: text, name: "f") }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: ["id", "origin", "end"]) func whatIsMissingIsNamed(key: String) {
    let lines = Self.example.split(separator: "\n").filter { !$0.hasPrefix(key + " ") }
    let text = lines.joined(separator: "\n")
    let error = #expect(throws: TraceError.self) { try Trace(fixture: text) }
    #expect(error?.expected == "a line \"\(key) …\"")
  }

  /// A reader refuses what a writer does.
  @Test func theWriterRefusesWhatTheReaderRefuses() {
    var trace = RandomTrace(seed: 1).trace
    trace.header.end = .zero
    #expect(throws: TraceError.self) { try trace.fixture() }
    trace = Trace(header: TraceHeader(id: "", origin: .recorded))
    #expect(throws: TraceError.self) { try trace.fixture() }
  }
}
