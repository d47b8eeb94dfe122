import Foundation
import HDF5
import Scoring
import Testing
import TraceModel

@testable import Evaluation
@testable import Results

/// A small file of results whose contents would fill the memory.
@Suite struct ResultsBudgetTests {
  @Test(arguments: [(1_000, true), (100_000, false)])
  func figuresArePaidWithBytes(count: Int, isRead: Bool) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "budget-\(UUID()).h5").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let values = Array(repeating: 0.5 as Double?, count: count)
    let points = HDF5Contents.table("run", [.floats("recall", values, unit: "1")])
    let all = HDF5Contents(groups: [("operating_points", points)])
    try HDF5Contents(groups: [("sweep", HDF5Contents(groups: [("all", all)]))])
      .write(to: path, schema: "shadowbox-sweep/2", dataCommit: "")
    let size = try Data(contentsOf: URL(filePath: path)).count
    #expect(size < 250_000)
    let outcome = Result { try ResultsContents.reading(path) }
    if isRead {
      #expect(try outcome.get().rows.count == count)
    } else {
      let text = #expect(throws: (any Error).self) { try outcome.get() }.map { "\($0)" } ?? ""
      #expect(
        text.contains("expected at most 32 MiB plus 200 bytes for each packed byte"), "\(text)")
    }
  }

  /// A detector that fires at each reading of a still device: all its columns pack a hundredfold.
  @Test(arguments: [(entries: 1, events: 150_000), (entries: 30, events: 5_000)])
  func eventsThatPackWellAreReadBack(entries: Int, events: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID()).h5").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var header = TraceHeader(id: "still", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: Int64(events) * 10_000_000)
    let detections = (0..<events).map {
      let time = TraceInstant(nanoseconds: Int64($0) * 10_000_000)
      return DetectionRecord(onset: time, emitted: time, kind: "punch", value: 1)
    }
    let judgement = EventJudgement(
      references: [], detections: detections, tolerance: .standard, duration: header.duration)
    let runs = (0..<entries).map { entry in
      RunRecord(
        entry: "punch/\(entry)", detector: "punch", preset: "x", parameters: [], header: header,
        traceSHA256: "00", task: .punch, readings: events, detections: detections,
        measurements: [], score: .events(judgement), detectorTime: .zero)
    }
    let result = SuiteResult(
      provenance: .init(
        suite: "s", suiteSHA256: "11", dataCommit: "", toolchain: "t", detectionLogSHA256: "22"),
      runs: runs)
    try ResultsFile.write(result, to: path)
    let read = try ResultsContents.reading(path, .events)
    #expect(read.events.reduce(0) { $0 + $1.detections.count } == entries * events)
  }
}
