import Detectors
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Runs of a detector that withdraws: figures as reported, and in the end.
@Suite struct WithdrawalRunTests {
  /// Five punches and five knocks in turn, one every 3 s at 100 Hz.
  private static let files = MadeFiles { scratch in
    var columns = VectorColumns()
    var events: [ReferenceEvent] = []
    for index in 0..<10 {
      let peak = Int64(index) * 3_000_000_000 + 1_500_000_000
      let isPunch = index % 2 == 0
      if isPunch { events.append(ReferenceEvent(onset: TraceInstant(nanoseconds: peak))) }
      for sample in 0..<300 {
        let time = Int64(index) * 3_000_000_000 + Int64(sample) * 10_000_000
        let t = Double(time - peak) / 1e9
        func bump(_ middle: Double, _ width: Double) -> Double {
          exp(-(t - middle) * (t - middle) / width)
        }
        let punch = 30 * bump(-0.15, 0.004) - 70 * bump(0, 0.0012)
        let x = isPunch ? punch : -45 * bump(0, 0.00005)
        columns.append(Vector3(x: Float(x), y: 0.1, z: 0), measured: time, arrived: time)
      }
    }
    var trace = Trace(header: TraceHeader(id: "knocks", origin: .recorded))
    trace.header.subject = "a"
    trace.header.end = TraceInstant(nanoseconds: 30_000_000_000)
    trace.header.references = [ReferenceSet(task: .punch, events: events)]
    trace.set(.vector(columns), for: .userAcceleration)
    try NativeTrace.write(trace, to: scratch.path("knocks.h5"))
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [knocks.h5]}
      entries:
        - {name: quick, detector: punch, preset: fast, traces: all}
        - {name: slow, detector: punch, traces: all}
      """, to: "suite.yml")
  }

  private func bench() throws -> StepBench {
    let bench = try StepBench()
    try Self.files.copy(to: bench.scratch)
    return bench
  }

  private struct Document: Decodable {
    struct Summary: Decodable {
      struct Figure: Decodable { var value: Double? }
      var entry: String
      var figures: [String: Figure]
    }
    var summaries: [Summary]
  }

  @Test func anEntryThatWithdrawsIsScoredTwice() throws {
    let bench = try bench()
    let outcome = try bench.run("run suite.yml -o r.h5 --format json")
    let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
    #expect(document.summaries.map(\.entry) == ["quick", "quick, final", "slow"])
    func value(_ entry: Int, _ name: String) -> Double? {
      document.summaries[entry].figures[name]?.value
    }
    #expect(value(0, "true_positives") == 5)
    #expect(value(0, "false_positives") == 5)
    #expect(value(1, "true_positives") == 5)
    #expect(value(1, "false_positives") == 0)
    #expect(value(0, "withdrawal_time_count") == 5)
    let median = try #require(value(0, "withdrawal_time_p50"))
    #expect(0.2...0.33 ~= median)
    #expect(value(2, "withdrawal_time_count") == nil)
    // Latency is that of the report in both.
    #expect(value(1, "latency_p50") == value(0, "latency_p50"))
  }

  @Test func theOtherCommandsTakeTheResults() throws {
    let bench = try bench()
    try bench.run("run suite.yml -o one.h5 --deterministic")
    try bench.run("run suite.yml -o two.h5 --deterministic --threads 1")
    #expect(try bench.scratch.bytes(of: "one.h5") == bench.scratch.bytes(of: "two.h5"))
    let info = try bench.run("info one.h5")
    #expect(info.output.contains("quick, final"), "\(info.output)")
    try bench.run("compare one.h5 two.h5")
    try bench.run("rerun one.h5")
    let screen = try bench.run("run suite.yml -o one.h5")
    #expect(screen.output.contains("quick, final"))
    #expect(screen.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let replay = try bench.run("replay knocks.h5 --detector punch/fast --format csv")
    #expect(replay.output.split(separator: "\n").filter { $0.contains(",withdrawn,") }.count == 5)
  }
}
