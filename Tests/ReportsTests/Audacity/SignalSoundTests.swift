import Diagnostics
import Testing
import TraceModel

@testable import Reports

/// Signals and references for an audio editor.
@Suite struct SignalSoundTests {
  private func sound(_ times: [Int64], _ values: [Float]) throws -> SignalSound {
    var columns = VectorColumns()
    for (time, value) in zip(times, values) {
      columns.append(Vector3(x: value, y: 0, z: 0), measured: time, arrived: time)
    }
    return try SignalSound(columns, unit: "m/s2", end: .zero, name: "a")
  }

  @Test func oddReadingsAreNoFault() throws {
    #expect(throws: Failure.self) { try sound([], []) }
    #expect(throws: Failure.self) { try sound([5], [1]) }
    #expect(throws: Failure.self) { try sound([5, 5, 5], [1, 1, 1]) }
    #expect(throws: Failure.self) { try sound([0, 20, 10, 40], [1, 1, 1, 1]) }
    // Ten days at a gigahertz.
    #expect(throws: Failure.self) {
      try sound([0, 1, 2, 3, 864_000_000_000_000], [1, 1, 1, 1, 1])
    }
    #expect(throws: Failure.self) { try sound([.min, 0, .max], [1, 1, 1]) }
    #expect(try sound([.min, 5, 10], [1, 1, 1]).gaps == 0)
    #expect(try sound([.min, 5, 10, 15], [1, 1, 1, 1]).gaps == 1)
    let still = try sound([0, 10_000_000, 20_000_000], [0, 0, 0])
    #expect(still.scale == 1 && still.rate == 100)
    let broken = try sound([0, 10_000_000, 20_000_000], [2, .nan, .infinity])
    #expect(broken.scale == 2)
    // No reading that is not a number gets into the file: 3 samples of 4 channels.
    let samples = broken.bytes.suffix(48)
    let words = stride(from: samples.startIndex, to: samples.endIndex, by: 4).map { start in
      Float(
        bitPattern: samples[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      )
    }
    #expect(words == [1, 0, 0, 1] + Array(repeating: 0, count: 8))
    #expect(broken.bytes.count.isMultiple(of: 2))
  }

  @Test func aLabelStaysInItsLine() {
    let event = ReferenceEvent(
      onset: TraceInstant(nanoseconds: 1_000_000_001), label: "jab",
      originalLabel: "my\tjab\r\nleft")
    #expect(AudacityLabels.text(of: [event]) == "1.000000001\t1.000000001\tmy jab left\n")
  }
}
