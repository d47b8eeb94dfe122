@testable import Evaluation
import Diagnostics
import Detectors
import Testing
import Tuning

@Suite struct TuneOptionsTests {
  @Test func objectives() throws {
    #expect(try Objective(nil, budget: nil) == .maximumRecall(falseAlarmsPerHour: 60))
    #expect(try Objective(nil, budget: 3) == .maximumRecall(falseAlarmsPerHour: 3))
    #expect(try Objective("f1", budget: nil) == .fBeta(1))
    #expect(try Objective("f-beta:0.5", budget: nil) == .fBeta(0.5))
    #expect(try Objective("cost:10:1", budget: nil) == .cost(miss: 10, falseAlarm: 1))
  }

  @Test(arguments: [
    "f2", "f-beta", "f-beta:0", "f-beta:x", "cost:1", "cost:0:1", "cost:1:-1",
    "cost:nan:1", "",
  ])
  func wrongObjectives(text: String) {
    #expect(throws: Failure.self) { try Objective(text, budget: nil) }
  }

  @Test func wrongBudgets() {
    #expect(throws: Failure.self) { try Objective("f1", budget: 3) }
    #expect(throws: Failure.self) { try Objective(nil, budget: -1) }
    #expect(throws: Failure.self) { try Objective(nil, budget: .nan) }
  }

  private func punch() throws -> AnyDetector {
    try DetectorRegistry.builtIn.detector(named: "punch")
  }

  @Test func dimensions() throws {
    #expect(
      try SearchDimension("refractory=200ms..0.8s", of: punch())
        == SearchDimension(
          "refractory", .number(range: 0.2...0.8, isLogarithmic: false, values: 5)))
    #expect(
      try SearchDimension("peak-window=0.1s..1s:log:3", of: punch())
        == SearchDimension(
          "peak-window", .number(range: 0.1...1, isLogarithmic: true, values: 3)))
    #expect(
      try SearchDimension("rule=axes,magnitude", of: punch())
        == SearchDimension("rule", .choice(["axes", "magnitude"])))
  }

  @Test(arguments: [
    "refractory", "refractory=", "refractory=1", "refractory=2..1", "refractory=0..1:log",
    "refractory=0..100", "refractory=0..1:0", "refractory=0..1:2:3", "refractory=0..x",
    "refractroy=0..1", "rule=axis", "rule=axes,axes",
  ])
  func wrongDimensions(text: String) {
    #expect(throws: Failure.self) { try SearchDimension(text, of: punch()) }
  }

  @Test func testSetsAreWholeGroups() throws {
    let ids = ["a1", "a2", "b1", "c1", "d1"]
    let groups = ["a", "a", "b", "c", "d"]
    func kept(_ text: String, seed: UInt64 = 1) throws -> Set<Int> {
      try TestSet.positions(text, ids: ids, files: ids, groups: groups, seed: seed)
    }
    #expect(try kept("a1") == [0, 1])
    #expect(try kept("[bc]*") == [2, 3])
    for seed in 0..<20 as Range<UInt64> {
      let positions = try kept("0.5", seed: seed)
      #expect(Set(positions.map { groups[$0] }).count == 2)
      #expect(positions.contains(0) == positions.contains(1))
      #expect(try kept("0.5", seed: seed) == positions)
    }
    // A person whose name is a number is no fraction.
    #expect(
      try TestSet.positions(
        "01", ids: ids, files: ids, groups: ["01", "01", "02", "03", "04"], seed: 1) == [0, 1])
    for wrong in ["x", "*", "0", "1", "-0.5", "nan"] {
      #expect(throws: Failure.self) { try kept(wrong) }
    }
  }

  @Test func groupsOfUnknownPeople() {
    let recordings = [("r1", "p"), ("r2", "p"), ("r3", ""), ("r4", "")].map {
      TrialRecording(id: $0.0, subject: $0.1, activity: "", references: 1, sha256: $0.0)
    }
    let bySubject = TuneGrouping(recordings, by: .subject)
    #expect(bySubject.labels == ["p", "p", "recording r3", "recording r4"])
    #expect(bySubject.isOptimistic && bySubject.withoutSubject == 2)
    #expect(!TuneGrouping(Array(recordings.prefix(2)), by: .subject).isOptimistic)
    // The one whose person is not known may be that of the others.
    #expect(TuneGrouping(Array(recordings.prefix(3)), by: .subject).isOptimistic)
    #expect(TuneGrouping(Array(recordings.prefix(2)), by: .recording).isOptimistic)
    #expect(!TuneGrouping(Array(recordings.prefix(1)), by: .recording).isOptimistic)
  }
}
