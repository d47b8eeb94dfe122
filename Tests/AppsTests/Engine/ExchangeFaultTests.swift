import AppEngines
import Testing
import TraceModel

@Suite struct ExchangeFaultTests {
  @Test(arguments: ["restart:1:-5s:new", "clock:1:-1s:5s", "cut:server:-5s:20s"])
  func timesBeforeTheLogAreRefused(text: String) {
    #expect(throws: TraceError.self) { try ExchangeFault(parsing: text) }
  }

  private static let link = NetworkLink(from: .phone(0), to: .server)

  @Test(
    arguments: [
      ("lose:1-server:12", .lose(MessageNumber(link, 12))),
      (
        "delay:server-1:7:0.35s",
        .delay(MessageNumber(NetworkLink(from: .server, to: .phone(0)), 7), by: 350_000_000)
      ),
      (
        "duplicate:1-2:3",
        .duplicate(MessageNumber(NetworkLink(from: .phone(0), to: .phone(1)), 3))
      ),
      (
        "duplicate:server-1:3:0.2s",
        .duplicate(
          MessageNumber(NetworkLink(from: .server, to: .phone(0)), 3), after: 200_000_000)
      ),
      (
        "cut:1:10s:20s",
        .cut(
          .phone(0), from: TraceInstant(nanoseconds: 10_000_000_000),
          to: TraceInstant(nanoseconds: 20_000_000_000))
      ),
      (
        "restart:1:35s:20s",
        .restart(.phone(0), at: TraceInstant(nanoseconds: 35_000_000_000), .age(20_000_000_000))
      ),
      ("restart:server:0s:0s", .restart(.server, at: .zero, .age(0))),
      (
        "restart:2:35.000000001s:new",
        .restart(.phone(1), at: TraceInstant(nanoseconds: 35_000_000_001), .new)
      ),
      (
        "clock:1:35s:-60s",
        .clock(phone: 0, at: TraceInstant(nanoseconds: 35_000_000_000), by: -60_000_000_000)
      ),
      ("drift:1:40ppm", .drift(phone: 0, 40_000)), ("drift:8:-0.5ppm", .drift(phone: 7, -500)),
      (
        "clock:3:1.5s:9223372036.854775807s",
        .clock(phone: 2, at: TraceInstant(nanoseconds: 1_500_000_000), by: .max)
      ),
    ] as [(String, ExchangeFault)]) func textsAreExact(text: String, fault: ExchangeFault) throws
  {
    #expect(try ExchangeFault(parsing: text) == fault)
    #expect(fault.description == text)
  }

  @Test func formsAreTheirOwnText() throws {
    for form in ExchangeFault.forms {
      #expect(try ExchangeFault(parsing: form).description == form)
    }
  }

  @Test func millisecondsAreTimesToo() throws {
    #expect(
      try ExchangeFault(parsing: "cut:server:100ms:1500.25ms").description
        == "cut:server:0.1s:1.50025s")
  }

  /// Whatever is printed is read as the same.
  @Test(arguments: UInt64(1)...4) func anyFaultIsReadAsItIsPrinted(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func whole(_ range: ClosedRange<Int64>) -> Int64 {
      let scale = [1, 1_000_000, 1_000_000_000][Int(random.next() % 3)] as Int64
      return min(
        max(
          Int64(random.uniform(Double(range.lowerBound)...Double(range.upperBound)))
            / scale * scale, range.lowerBound), range.upperBound)
    }
    func endpoint() -> Endpoint { random.unit() < 0.3 ? .server : .phone(Int(whole(1...9))) }
    func message() -> MessageNumber {
      let link = NetworkLink(from: endpoint(), to: .phone(0))
      return MessageNumber(link, Int(whole(1...1_000_000)))
    }
    func instant() -> TraceInstant { TraceInstant(nanoseconds: whole(0...1 << 50)) }
    for _ in 0..<300 {
      let start = instant()
      let faults: [ExchangeFault] = [
        .lose(message()), .delay(message(), by: whole(1...1 << 60)), .duplicate(message()),
        .cut(endpoint(), from: start, to: start.advanced(byNanoseconds: whole(1...1 << 50))),
        .restart(endpoint(), at: instant(), random.unit() < 0.5 ? .new : .age(whole(0...1 << 55))),
        .clock(phone: Int(whole(0...99)), at: instant(), by: whole(1...1 << 60)),
        .drift(phone: Int(whole(0...99)), whole(1...100_000_000)),
      ]
      for fault in faults {
        let read = try ExchangeFault(parsing: fault.description)
        if read != fault { Issue.record("seed \(seed): \(fault) was read as \(read)") }
      }
    }
  }

  @Test(arguments: [
    ("", "part 1: expected a kind of fault: lose, delay,", "found \"\""),
    ("loose:1-server:1", "part 1: expected a kind of fault", "found \"loose\""),
    ("lose", "part 2: expected a link such as 1-server", "found the end of the text"),
    ("lose:1:1", "part 2: expected a link", "found \"1\""),
    ("lose:0-server:1", "part 2: expected a link", "found \"0-server\""),
    ("lose:server-server:1", "part 2: expected a link", "found \"server-server\""),
    ("lose:1-1:1", "part 2: expected a link", "found \"1-1\""),
    ("lose:1-server:0", "part 3: expected the number of a message", "found \"0\""),
    ("lose:1-server:+1", "part 3: expected the number of a message", "found \"+1\""),
    (
      "lose:1-server:99999999999999999999", "part 3: expected the number",
      "found \"99999999999999999999\""
    ),
    ("lose:1-server:1:2", "part 4: expected the end of the text", "found \"2\""),
    ("delay:1-server:1:0s", "part 4: expected a time above 0", "found \"0s\""),
    ("delay:1-server:1:5", "part 4: expected a time", "found \"5\""),
    ("delay:1-server:1:1.s", "part 4: expected a time", "found \"1.s\""),
    ("delay:1-server:1:0.0000000001s", "part 4: expected a time", "found \"0.0000000001s\""),
    ("cut:1:20s:10s", "part 4: expected an end later than the start", "found \"10s\""),
    ("cut:phone:1s:2s", "part 2: expected server, or the number of a phone", "found \"phone\""),
    ("restart:1:5s:-1s", "part 4: expected new, or the age", "found \"-1s\""),
    ("clock:server:5s:1s", "part 2: expected the number of a phone", "found \"server\""),
    ("clock:1:5s:0s", "part 4: expected a step other than 0", "found \"0s\""),
    ("drift:1:40", "part 3: expected a drift other than 0 within ±100000ppm", "found \"40\""),
    ("drift:1:100001ppm", "part 3: expected a drift", "found \"100001ppm\""),
    ("drift:1:9999999999999999999s", "part 3: expected a drift", "found"),
  ]) func mistakesAreNamed(text: String, expected: String, found: String) {
    let error = #expect(throws: TraceError.self) { try ExchangeFault(parsing: text) }
    let message = error?.description ?? ""
    #expect(message.hasPrefix("fault \"\(text)\", \(expected)"), "\(message)")
    #expect(message.contains(found), "\(message)")
  }
}
