import Diagnostics
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import Reports

/// Signals and references for an audio editor. Tests/Python/check_sounds.py reads the sounds.
@Suite struct ExportSoundTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let made = try run(["synth", "punches", "--duration", "20s", "--seed", "3", "-o", "p.h5"])
    try #require(made.status == 0, "\(made.errors)")
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  /// A label track may have been changed by hand; a sound has not.
  @Test func aLabelTrackIsNotReplaced() throws {
    for _ in 1...2 { #expect(try run(["export", "p.h5", "-o", "p.wav"]).status == 0) }
    let export = ["export", "p.h5", "-o", "p.txt", "--as", "audacity"]
    #expect(try run(export).status == 0)
    try scratch.write("1\t1\tjab\n", to: "p.txt")
    let refused = try run(export)
    #expect(refused.status == 64 && refused.errors.contains("--force"), "\(refused.errors)")
    #expect(try scratch.text(of: "p.txt") == "1\t1\tjab\n")
    #expect(try run(export + ["--force"]).status == 0)
    try scratch.write("RIFFsomething else", to: "other.wav")
    #expect(try run(["export", "p.h5", "-o", "other.wav"]).status == 64)
  }

  @Test(arguments: [
    (["--as", "wav", "--channels", "location"], "unknown channel"),
    (["--as", "wav", "--channels", "acceleration,rotation_rate"], "--channels"),
    (["--as", "wav", "--reference", "punch"], "--reference"),
    (["--as", "audacity", "--reference", "visit"], "punch"),
    (["--as", "audacity", "--channels", "acceleration"], "--channels"),
    (["--as", "wav", "--detector", "punch"], "--detector"),
  ]) func mistakesAreTold(options: [String], message: String) throws {
    let outcome = try run(["export", "p.h5", "-o", "out.wav"] + options)
    #expect(outcome.status != 0 && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!scratch.names.contains("out.wav"))
  }

  @Test func aTrackHasNoSound() throws {
    #expect(try run(["synth", "track-run", "--seed", "3", "-o", "t.h5"]).status == 0)
    let outcome = try run(["export", "t.h5", "-o", "t.wav"])
    #expect(outcome.status == 65 && outcome.errors.contains("location"), "\(outcome.errors)")
    let labels = try run(["export", "t.h5", "-o", "t.txt", "--as", "audacity"])
    #expect(labels.status == 65 && labels.errors.contains("--reference"), "\(labels.errors)")
  }

  @Test func severalGoIntoAFolder() throws {
    #expect(
      try run(["synth", "punches", "--duration", "20s", "--subject", "2", "-o", "q.h5"]).status == 0
    )
    let outcome = try run(["export", "p.h5", "q.h5", "-o", "sounds", "--as", "wav"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try scratch.filesInFolders() == 2)
  }

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
