@testable import Evaluation
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
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "traces")

  // Summed geodesics over all consecutive points by GeographicLib 2.0 on WGS84:
  //   .venv/bin/python Tests/Python/check_recorded_traces.py --print
  @Test(arguments: [
    ("cerknicko-jezero", 296, 13675.760260132403), ("korita-zbevnica", 513, 6291.0769291811275),
  ])
  func rawDistanceOfTheHikesIsGeographicLibs(name: String, count: Int, meters: Double) throws {
    let native = try NativeTrace.read(Self.folder.appending(path: "recorded/\(name).h5").path)
    let gpx = try GPXReader.read(Self.folder.appending(path: "recorded/\(name).gpx").path).trace
    for trace in [native, gpx] {
      #expect(trace.header.info(.location)?.count == count)
      let parameters = try #require(TrackDetector.preset(named: "raw"))
        .parameters(for: trace.header)
      let result = try VirtualRun<TrackDetector>.run(parameters, on: MemorySource(trace))
      let distance = result.measurements[DeviceID(0)]?.first { $0.name == "distance" }?.value
      #expect(abs(try #require(distance) / meters - 1) < 1e-9)
    }
  }

  /// The last digits of libm differ between machines, so the samples are compared, not the bytes. In
  /// the quick run one of each kind.
  @Test(arguments: LongTests.firstOfEachKind(Synthesizer.corpus, \.kind))
  func syntheticTracesAreWhatTheProgramMakes(spec: ScenarioSpec) throws {
    let file = try NativeTrace.read(Self.folder.appending(path: "synthetic/\(spec.id).h5").path)
    let made = Synthesizer.trace(spec)
    #expect(file.header.channels.map(\.count) == made.header.channels.map(\.count))
    #expect(file.header.references.map(\.task) == made.header.references.map(\.task))
    for (stored, fresh) in zip(file.header.references, made.header.references) {
      #expect(stored.events.count == fresh.events.count)
      for (one, other) in zip(stored.events, fresh.events) {
        #expect(abs(one.onset.nanoseconds - other.onset.nanoseconds) < 1000)
        #expect(one.label == other.label && one.hand == other.hand && one.place == other.place)
      }
    }
    for channel in Channel.allCases {
      guard let stored = file[channel], let fresh = made[channel] else {
        #expect(file[channel] == nil && made[channel] == nil, "\(channel.name)")
        continue
      }
      #expect(
        farthest(stored.measuredTimes.map(Double.init), fresh.measuredTimes.map(Double.init)) < 1000
      )
      #expect(difference(stored, fresh) < 0.05, "\(channel.name)")
    }
    #expect(file.header.track?.times == made.header.track?.times)
  }

  /// The largest difference of any value: m s-2 of accelerations, metres (by 1e-5 degrees and
  /// more) of positions, twentieths of a point of touches, whether actions differ.
  private func difference(_ left: ChannelBlock, _ right: ChannelBlock) -> Double {
    switch (left, right) {
    case (.vector(let a), .vector(let b)):
      let axes = [(a.x, b.x), (a.y, b.y), (a.z, b.z)]
      return axes.map { farthest($0.0.map(Double.init), $0.1.map(Double.init)) }.max() ?? 0
    case (.fix(let a), .fix(let b)):
      return [
        farthest(a.values.map(\.latitude), b.values.map(\.latitude)) * 1e5,
        farthest(a.values.map(\.longitude), b.values.map(\.longitude)) * 1e5,
        farthest(a.values.map(\.horizontalAccuracy), b.values.map(\.horizontalAccuracy)),
        farthest(a.values.map(\.speed), b.values.map(\.speed)),
      ].max() ?? 0
    case (.heartbeat(let a), .heartbeat(let b)): return a.values == b.values ? 0 : .infinity
    case (.touch(let a), .touch(let b)):
      guard a.values.map(\.phase) == b.values.map(\.phase),
        a.values.map(\.pointer) == b.values.map(\.pointer)
      else { return .infinity }
      // Coordinates are whole pixels: another last digit can move one by half a point.
      return 0.05
        * max(
          farthest(a.values.map(\.x), b.values.map(\.x)),
          farthest(a.values.map(\.y), b.values.map(\.y)))
    case (.action(let a), .action(let b)): return a.values == b.values ? 0 : .infinity
    default: return .infinity
    }
  }

  private func farthest(_ left: [Double], _ right: [Double]) -> Double {
    guard left.count == right.count else { return .infinity }
    return zip(left, right).map { abs($0 - $1) }.max() ?? 0
  }

  @Test func everySyntheticFileIsInTheCorpusAndEveryRecordedOneSaysItsLicence() throws {
    func names(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(
        atPath: Self.folder.appending(path: folder).path
      ).filter { $0.hasSuffix(".h5") }
    }
    let expected = Set(Synthesizer.corpus.map { "\($0.id).h5" })
    #expect(Set(try names("synthetic")) == expected)
    let recorded = try names("recorded")
    #expect(recorded.count == 22)
    for name in recorded {
      let header = try NativeTrace.readHeader(
        Self.folder.appending(path: "recorded/\(name)").path)
      #expect(header.origin == .recorded)
      #expect(["Apache-2.0", "BSD-3-Clause"].contains(header.license), "\(name)")
      #expect(!header.source.isEmpty)
    }
  }
}
