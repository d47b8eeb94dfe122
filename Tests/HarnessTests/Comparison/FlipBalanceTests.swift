import Diagnostics
import Foundation
import Scoring
import Testing
import TraceModel

@testable import Evaluation
@testable import Reports

/// Flips that cancel, and detections of which only a value changes.
@Suite struct FlipBalanceTests {
  private func results(found: Set<Int>, alarms: Int = 0) -> MeasuredResults {
    MeasuredSamples.results([.init(references: 20, found: found, falseAlarms: alarms)])
  }

  private func check(
    _ comparison: ResultComparison, _ name: String, _ limit: String, isNet: Bool
  ) throws -> GateCheck {
    var rules = GateRules(bounds: [try GateBound(name, limit, place: "test")])
    rules.countsNet = isNet
    return try #require(AccuracyGate(comparison, rules).checks.first)
  }

  /// Three references lost and three others found.
  @Test func gainsCancelLosses() throws {
    let comparison = ResultComparison(
      from: results(found: Set(0..<10)), to: results(found: Set(3..<13), alarms: 1))
    let lost = try check(comparison, "lost", "0", isNet: false)
    #expect(lost.verdict == .fail && lost.head == 3)
    #expect(lost.reason.hasSuffix("; 3 references lost, 3 gained, 3 cancel out"), "\(lost.reason)")
    #expect(try check(comparison, "lost", "0", isNet: true).verdict == .pass)
    // 3 + 3 detections, and a false alarm that nothing cancels.
    #expect(try check(comparison, "flips", "0", isNet: false).head == 7)
    #expect(try check(comparison, "flips", "0", isNet: true).head == 1)
    #expect(comparison.cancelText == "References: 3 lost, 3 gained, 3 cancel out.")
  }

  /// The figures count duplicates as false alarms, so nothing may cancel them.
  @Test func duplicatesAreFalseAlarms() throws {
    let base = results(found: Set(0..<10))
    var head = results(found: Set(0..<10), alarms: 5)
    for index in head.runs[0].detections.indices
    where head.runs[0].detections[index].outcome == "false_positive" {
      head.runs[0].detections[index].outcome = "duplicate"
    }
    let comparison = ResultComparison(from: base, to: head)
    #expect(try check(comparison, "flips", "0", isNet: true).head == 5)
    let rate = try check(comparison, "false_alarms_per_hour", "0", isNet: true)
    #expect(rate.verdict == .fail, "\(rate.reason)")
  }

  /// A bound beyond every count is a bound, not a trap.
  @Test(arguments: [
    ("lost", "1e30"), ("recall", "-1e300"), ("false_alarms_per_hour", "+1e300"),
    ("false_alarms_per_hour", "+1e300 %"),
  ])
  func hugeBounds(name: String, limit: String) throws {
    let comparison = ResultComparison(
      from: results(found: Set(0..<10), alarms: 3), to: results(found: Set(3..<13), alarms: 4))
    #expect(try check(comparison, name, limit, isNet: false).verdict == .pass)
  }

  /// 5 or more of 8 by chance: (56 + 28 + 8 + 1) / 256.
  @Test func aFailureSaysWhatChanceDoes() throws {
    let comparison = ResultComparison(
      from: results(found: Set(0..<10)), to: results(found: Set(5..<13)))
    let recall = try check(comparison, "recall", "-0.01", isNet: false)
    #expect(recall.verdict == .fail)
    #expect(try check(comparison, "recall", "-0.01", isNet: true).verdict == .inconclusive)
    // Ten lost and none found is no chance: 1 in 1024.
    let worse = ResultComparison(from: results(found: Set(0..<10)), to: results(found: []))
    #expect(try check(worse, "recall", "-0.01", isNet: true).verdict == .fail)
    #expect(
      recall.reason.hasSuffix(
        "; 5 references lost, 3 gained, 3 cancel out (chance alone does as much here in 36 % of cases)"
      ),
      "\(recall.reason)")
    // Where one is lost and none found, chance is said, too.
    let one = ResultComparison(
      from: results(found: Set(0..<10)), to: results(found: Set(1..<10)))
    let lost = try check(one, "recall", "-0.01", isNet: false)
    #expect(
      lost.reason.hasSuffix(
        "; 1 reference lost, none gained (chance alone does as much here in 50 % of cases)"),
      "\(lost.reason)")
  }

  private func changed(
    _ change: (inout MeasuredRun) -> Void
  ) -> ResultComparison {
    let base = results(found: [7])
    var head = base
    change(&head.runs[0])
    return ResultComparison(from: base, to: head)
  }

  @Test(arguments: [
    (59.2151, "value changed 59.215 -> 59.2151"), (60, "value changed 59.22 -> 60"),
  ])
  func aChangedValueIsNotMoved(value: Double, text: String) throws {
    var base = results(found: [7])
    base.runs[0].detections[0].record.value = 59.215
    var head = base
    head.runs[0].detections[0].record.value = value
    let comparison = ResultComparison(from: base, to: head)
    let flip = try #require(comparison.traces.first?.list.flips.first)
    #expect(flip.text == text && flip.kind == .moved)
    let table = ComparisonTables(comparison).render()
    #expect(table.contains("value changed 1: 1 true positive") && !table.contains("moved"))
    #expect(comparison.markdown(limit: 100_000).contains("value changed 59"))
    #expect(comparison.firstDifference == "at 7.000 s: \(text)")
  }

  /// Times that print alike have more digits.
  @Test func timesAreToldApart() throws {
    let comparison = changed {
      $0.detections[0].record.onset = TraceInstant(nanoseconds: 7_000_000_100)
    }
    #expect(
      comparison.traces.first?.list.flips.first?.text == "moved 7.000000000 -> 7.000000100 s")
  }

  @Test func measurementsAreToldApart() throws {
    var base = results(found: [7])
    base.runs[0].measurements = ["distance": 1000.0001]
    var head = base
    head.runs[0].measurements = ["distance": 1000.0002]
    let comparison = ResultComparison(from: base, to: head)
    #expect(comparison.firstDifference == "in distance: 1000.0001 -> 1000.0002")
    #expect(comparison.markdown(limit: 100_000).contains("1000.0002"))
  }

  @Test func junitHasTimes() {
    let results = results(found: [7])
    #expect(results.junit.contains("<testsuites name=\"shadowbox results\""))
    #expect(results.junit.contains(#"classname="punch/default (synthetic)""#))
    #expect(results.junit.components(separatedBy: #" time="0""#).count > 3)
    var timed = results
    timed.seconds = 1.5
    #expect(timed.junit.contains(#" time="1.500""#))
  }
}
