import Diagnostics
import Evaluation
import Foundation
import Testing

@testable import Speed

@Suite struct SpeedMessagesTests {
  @Test(arguments: [
    SpeedRequest.block(entry: 0, passes: 1), .block(entry: 12, passes: 1_000_000),
    .count(passes: 3), .fleet(devices: 100, milliseconds: 1500),
  ])
  func aRequestReadsAsWritten(request: SpeedRequest) {
    #expect(SpeedRequest(request.line.dropLast()) == request)
  }

  @Test(arguments: [
    "", " ", "block", "block 1", "block 1 0", "block -1 1", "block 1 1 1", "block  1 1",
    "block 1 1 ", "block 1 1000001", "block 1 99999999999999999999", "block x 1", "count",
    "count 0",
    "fleet 0 1", "fleet 1 0", "Block 1 1", "block\t1 1", "block 1.0 1", "\u{0}",
  ])
  func anythingElseIsNoRequest(line: String) {
    #expect(SpeedRequest(line) == nil)
  }

  /// Lines with changed, lost and added characters are read or refused, and never trap.
  @Test func garbledLines() {
    var random = SystemRandom(seed: 5)
    for _ in 0..<2000 {
      var line = Array("block 17 4000")
      for _ in 0..<Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(line.count))
        let scalar = Character(Unicode.Scalar(UInt8(random.next() % 128)))
        random.next() % 2 == 0 ? line.insert(scalar, at: place) : (line[place] = scalar)
      }
      guard let request = SpeedRequest(String(line)) else { continue }
      #expect(SpeedRequest(request.line.dropLast()) == request)
    }
  }

  @Test func messagesReadAsWritten() throws {
    let ready = SpeedReady(
      toolVersion: "1", entries: [.init(entry: "a/b", samples: 10, traces: 1, inputsSha256: "ff")],
      leftOut: [.init(entry: "c", reason: "none")])
    let line = try SpeedMessages.line(ready)
    #expect(line.hasSuffix("\n") && !line.dropLast().contains("\n"))
    #expect(SpeedMessages.message(SpeedReady.self, of: Array(line.utf8)) == ready)
    #expect(SpeedMessages.message(SpeedReady.self, of: Array("{}".utf8)) == nil)
    #expect(SpeedMessages.message(SpeedBlock.self, of: Array(line.utf8)) == nil)
  }
}

/// SplitMix64.
struct SystemRandom {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite struct SpeedPairingTests {
  private func ready(_ names: [String], digest: String = "d", leftOut: [String] = []) -> SpeedReady
  {
    SpeedReady(
      toolVersion: "1",
      entries: names.map { .init(entry: $0, samples: 1000, traces: 1, inputsSha256: digest) },
      leftOut: leftOut.map { .init(entry: $0, reason: "an app") })
  }

  @Test func entriesArePairedByName() throws {
    let found = try SpeedPairing(
      ready(["a", "b", "c"], leftOut: ["x"]), ready(["c", "a", "d"], leftOut: ["x", "b"]),
      allowsDifferentTraces: false)
    #expect(found.pairs.map(\.base.entry) == ["a", "c"])
    #expect(found.pairs.map(\.positions) == [[0, 1], [2, 0]])
    #expect(
      found.notCompared.map { "\($0.entry): \($0.reason)" }
        == ["b: head: an app", "d: only one side has it", "x: an app"])
  }

  /// Two detectors have two names.
  @Test func singleEntriesAreAPair() throws {
    let found = try SpeedPairing(ready(["a"]), ready(["b"]), allowsDifferentTraces: false)
    #expect(found.pairs.map(\.head.entry) == ["b"])
    #expect(found.notCompared.isEmpty)
  }

  @Test func nothingInCommonIsAnError() {
    let error = #expect(throws: NothingToTime.self) {
      try SpeedPairing(ready(["a", "b"]), ready(["c", "d"]), allowsDifferentTraces: false)
    }
    #expect(error?.leftOut.map(\.entry) == ["a", "b", "c", "d"] && error?.failure.kind == .badData)
    #expect(throws: NothingToTime.self) {
      try SpeedPairing(ready([]), ready([]), allowsDifferentTraces: true)
    }
  }

  @Test func differentTracesAreAnErrorUnlessAllowed() throws {
    let error = #expect(throws: Failure.self) {
      try SpeedPairing(ready(["a"]), ready(["a"], digest: "e"), allowsDifferentTraces: false)
    }
    #expect(error?.kind == .badData)
    #expect(error?.description.contains("entry a: expected the same traces") == true)
    let found = try SpeedPairing(
      ready(["a"]), ready(["a"], digest: "e"), allowsDifferentTraces: true)
    #expect(found.pairs.count == 1)
  }
}
