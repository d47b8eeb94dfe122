import Foundation
import TestSupport
import Testing

/// Signals and references for an audio editor. Tests/Python/check_sounds.py reads the sounds.
@Suite struct ExportSoundTests {
  private let scratch: Scratch

  private static let made = MadeFiles(["synth punches --duration 20s --seed 3 -o p.h5"])

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  /// A label track may have been changed by hand; a sound has not.
  @Test func aLabelTrackIsNotReplaced() throws {
    for _ in 1...2 { #expect(try run(["export", "p.h5", "-o", "p.wav"]).status == 0) }
    let export = ["export", "p.h5", "-o", "p.txt", "--as", "audacity"]
    let written = try run(export)
    #expect(written.status == 0 && written.errors.contains("\n  not copied: "), "\(written.errors)")
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
}
