import Digests
import Evaluation
import Foundation
import PageRuns
import Replay
import Synthesis
import TestSupport
import Testing
import TraceModel

/// What the detectors do with simulated traces is the same to the bit on every machine: the digest is
/// committed. Sources/WebAssembly/certify runs the same input as WebAssembly and on ARM.
@Suite struct CertificateTests {
  private static let runs: [(kind: ScenarioKind, detector: PageDetector, preset: String)] = [
    (.punches, .punch, "default"), (.punches, .punch, "accuracy"), (.punches, .punch, "fast"),
    (.punches, .punch, "hitThat"), (.falls, .punch, "accuracy"), (.lightPunches, .punch, "light"),
    (.fight, .punch, "default"), (.route, .checkIn, "default"), (.route, .checkIn, "stops"),
    (.trackRun, .track, "default"), (.roadRun, .track, "default"), (.roadRun, .track, "raw"),
    (.presence, .presence, "default"), (.drags, .tileDrag, "default"),
  ]

  /// Made once, with what the detectors find in it.
  private static let made = Result {
    let input = try Self.input()
    return (input: input, output: PageCertificate.output(of: input))
  }

  private static func input() throws -> [UInt8] {
    let registry = DetectorRegistry.builtIn
    var input: [UInt8] = []
    var traces: [ScenarioKind: Trace] = [:]
    for run in runs {
      let trace = try traces[run.kind] ?? CorpusFile.trace(run.kind)
      traces[run.kind] = trace
      let detector = try registry.detector(named: run.detector.name)
      let choice = DetectorChoice(detector: run.detector.name, preset: run.preset)
      PageCertificate.append(
        run.detector, try detector.pageValues(of: choice, for: trace.header), on: trace,
        channels: trace.header.channels.map(\.channel), to: &input)
    }
    return input
  }

  @Test func theOutputIsThatOfEveryMachine() throws {
    let (input, output) = try Self.made.get()
    if let folder = ProcessInfo.processInfo.environment["SHADOWBOX_CERTIFICATE"] {
      let folder = URL(filePath: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(input).write(to: folder.appending(path: "input"))
    }
    let digests = try String(
      contentsOf: Fixtures.folder.appending(path: "certificate.txt"), encoding: .utf8)
    let line = "\(SHA256Digest.hex(of: input)) \(SHA256Digest.hex(of: output))"
    #expect(digests.contains(line), "\(line)")
  }

  @Test func aFaultIsInTheOutput() throws {
    let (input, whole) = try Self.made.get()
    let cut = PageCertificate.output(of: Array(input.prefix(input.count / 2)))
    #expect(cut.count < whole.count)
    #expect(String(decoding: cut.suffix(200), as: UTF8.self).contains("packed trace: expected"))
    #expect(PageCertificate.output(of: []).isEmpty)
  }
}
