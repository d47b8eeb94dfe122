import Detectors
import Foundation
import Replay
import Synthesis
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// The traces of the repository are what SOURCES.md says they are.
@Suite struct CorpusTests {
  // Summed geodesics over all consecutive points by GeographicLib 2.0 on WGS84:
  //   .venv/bin/python Tests/Python/check_recorded_traces.py --print
  @Test(arguments: [
    ("cerknicko-jezero", 296, 13675.760260132403), ("korita-zbevnica", 513, 6291.0769291811275),
  ])
  func rawDistanceOfTheHikesIsGeographicLibs(name: String, count: Int, meters: Double) throws {
    let native = try NativeTrace.read(Fixtures.traces.appending(path: "recorded/\(name).h5").path)
    let gpx = try GPXReader.read(Fixtures.traces.appending(path: "recorded/\(name).gpx").path).trace
    for trace in [native, gpx] {
      #expect(trace.header.info(.location)?.count == count)
      let parameters = try #require(TrackDetector.preset(named: "raw"))
        .parameters(for: trace.header)
      let result = try VirtualRun<TrackDetector>.run(parameters, on: MemorySource(trace))
      let distance = result.measurements[DeviceID(0)]?.first { $0.name == "distance" }?.value
      #expect(abs(try #require(distance) / meters - 1) < 1e-9)
    }
  }

  /// Equal to the bit on every machine, because the project has its own mathematics, and in a debug
  /// build. The quick run tests one of motion, positions, heartbeats and touches each: what the
  /// program makes `SynthCommandTests` compares in full.
  @Test(
    .longer,
    arguments: LongTests.firstOfEachKind(Synthesizer.corpus) {
      [$0.kind.isMotion, $0.kind.isCourse, $0.kind == .presence]
    })
  func syntheticTracesAreWhatTheProgramMakes(spec: ScenarioSpec) throws {
    let file = try NativeTrace.read(Fixtures.traces.appending(path: "synthetic/\(spec.id).h5").path)
    let made = Synthesizer.trace(spec)
    #expect(file.header.channels.map(\.count) == made.header.channels.map(\.count))
    #expect(file.header.references == made.header.references)
    #expect(file.header.places == made.header.places)
    #expect(file.header.track == made.header.track)
    for channel in Channel.allCases {
      #expect(file[channel] == made[channel], "\(channel.name)")
    }
  }

  @Test func everySyntheticFileIsInTheCorpusAndEveryRecordedOneSaysItsLicence() throws {
    func names(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(
        atPath: Fixtures.traces.appending(path: folder).path
      ).filter { $0.hasSuffix(".h5") }
    }
    let expected = Set(Synthesizer.corpus.map { "\($0.id).h5" })
    #expect(Set(try names("synthetic")) == expected)
    let recorded = try names("recorded")
    #expect(recorded.count == 22)
    for name in recorded {
      let header = try NativeTrace.readHeader(
        Fixtures.traces.appending(path: "recorded/\(name)").path)
      #expect(header.origin == .recorded)
      #expect(["Apache-2.0", "BSD-3-Clause"].contains(header.license), "\(name)")
      #expect(!header.source.isEmpty)
    }
  }
}
