import Diagnostics
import Testing
import TraceFormats
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

  private func event(_ label: String, at onset: Int64 = 0, length: Int64 = 0) -> ReferenceEvent {
    ReferenceEvent(
      onset: TraceInstant(nanoseconds: onset), offset: TraceInstant(nanoseconds: onset + length),
      label: "jab", originalLabel: label)
  }

  @Test(arguments: ["my\tjab", "my\r\njab", "a\r", " a", "a ", " "])
  func aLabelThatATrackCannotHoldIsRefused(label: String) {
    let failure = #expect(throws: Failure.self) {
      try AudacityLabels.text(of: [event("jab"), event(label, at: 1_000_000_001)])
    }
    let text = failure?.description ?? ""
    #expect(text.contains("the event at 1.000 s") && text.contains(inLine(label)), "\(text)")
    #expect(throws: Failure.self) { try AudacityLabels.text(of: []) }
    #expect(throws: Failure.self) { try AudacityLabels.text(of: [event("a", length: -1)]) }
  }

  /// What is written is read back, or refused.
  @Test(arguments: 0..<300 as Range<UInt64>) func tracksAreReadBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", ",", ";", "\"", "\"\"", " ", "\t", "\\", "#", "1", "\n", "\r", "\u{2028}", "\u{0}",
      "\u{FEFF}",
      "é", "::error::", "",
    ]
    let events = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let label = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      return event(
        label, at: .random(in: -9_000_000_000...9_000_000_000, using: &random),
        length: [0, 1, 1_500_000_000].randomElement(using: &random) ?? 0)
    }
    guard let text = try? AudacityLabels.text(of: events) else {
      // Only these are refused.
      return #expect(
        events.contains { event in
          event.originalLabel.utf8.contains { [0, 9, 10, 13].contains($0) }
            || event.originalLabel.hasPrefix(" ") || event.originalLabel.hasSuffix(" ")
        }, "\(events.map(\.originalLabel))")
    }
    let rows = try LabelFile.read(Array(text.utf8), name: "labels").rows
    #expect(rows.map(\.onset) == events.map(\.onset.nanoseconds))
    #expect(rows.map(\.offset) == events.map(\.offset.nanoseconds))
    let labels = events.map { $0.originalLabel.isEmpty ? $0.label : $0.originalLabel }
    #expect(rows.map { Array($0.label.utf8) } == labels.map { Array($0.utf8) })
  }
}
