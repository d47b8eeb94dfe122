import Detectors
import Evaluation
import Scoring
import ShadowboxTesting
import Testing
import TraceModel

@Suite struct ExpectTests {
  /// The failure of expectations; nil = they are met.
  private func fault(
    _ traces: [Trace], parameters: [String: ParameterValue] = [:],
    @ExpectationBuilder _ expectations: (Metrics) -> [FigureExpectation]
  ) async throws -> String? {
    var faults: [String] = []
    try await expect(
      KnockDetector.self, on: traces, parameters: parameters,
      report: { fault, _, _ in faults.append(fault) }, expectations)
    #expect(faults.count <= 1)
    return faults.first
  }

  private let four = (1...4).map { Knocks.person($0) }

  @Test func whatHoldsPasses() async throws {
    try await expect(KnockDetector.self, on: four) {
      $0.recall == 1
      $0.precision >= 1
      $0.f1 > 0.99
      $0.missed == 0
      $0.falseAlarms <= 0
      $0.falseAlarmsPerHour < 0.1
      $0.latencyP50 <= 0
      $0.latencyP90 <= 0
      $0.onsetErrorP50 == 0
      $0["true_positives"] == 40
      $0.recall.lowerForNewPeople >= 0.7
      $0.falseAlarmsPerHour.upperForNewPeople <= 100
      $0.recall.worstPerson == 1
    }
  }

  /// Each relation at its edge: 39 of 40 events, 0.975.
  @Test func relationsAreExactAtTheEdge() async throws {
    let traces = [Knocks.person(1, missing: 1)] + four.dropFirst()
    #expect(
      try await fault(traces) {
        $0.recall >= 0.975; $0.recall <= 0.975; $0.recall == 0.975
      } == nil)
    #expect(try await fault(traces) { $0.recall > 0.975 } != nil)
    #expect(try await fault(traces) { $0.recall < 0.975 } != nil)
    #expect(try await fault(traces) { $0.recall >= 0.975.nextUp } != nil)
    #expect(try await fault(traces) { $0.recall <= 0.975.nextDown } != nil)
    #expect(try await fault(traces) { $0.recall >= .nan } != nil)
  }

  @Test func aFailureNamesFigureBoundCountsAndPlaces() async throws {
    let traces = [
      Knocks.person(1, missing: 2, falseAlarms: [30, 31]), Knocks.person(2),
      Knocks.person(3, missing: 7),
    ]
    #expect(
      try await fault(traces) {
        $0.recall >= 0.97; $0.falseAlarms <= 5; $0.precision >= 0.97
      }
        == """
        knock: recall is 0.7, expected at least 0.97 (21 of 30 references found, 2 false alarms in 5 min, \
        3 traces, 3 people)
        knock: precision is 0.913, expected at least 0.97 (21 of 30 references found, 2 false alarms in 5 \
        min, 3 traces, 3 people)
        worst traces:
          t3 (person p3): 7 missed at 9.00, 18.00, 27.00, 36.00, 45.00 s and 2 more times
          t1 (person p1): 2 missed at 9.00, 18.00 s; 2 false alarms at 30.00, 31.00 s
        """)
  }

  @Test func atMostFiveTracesAreListed() async throws {
    let traces = (1...8).map { Knocks.person($0, missing: $0) }
    let text = try #require(try await fault(traces) { $0.missed == 0 })
    let lines = text.split(separator: "\n")
    #expect(lines.count == 8)
    #expect(lines[2].hasPrefix("  t8 (person p8): 8 missed"))
    #expect(lines.last == "  … and 3 more traces")
  }

  // MARK: New people

  @Test func nothingIsShownAboutNewPeopleByTwo() async throws {
    let two = Array(four.prefix(2))
    #expect(
      try await fault(two) { $0.recall.lowerForNewPeople >= 0 }
        == """
        knock: the lower end of the interval of recall: expected 3 people or more, found 2 people: nothing \
        is shown about new people; add recordings of other people
        """)
    let unknown = (1...4).map { number in
      var trace = Knocks.person(number)
      if number == 2 { trace.header.subject = "" }
      return trace
    }
    let text = try await fault(unknown) { $0.recall.lowerForNewPeople >= 0 }
    #expect(text?.contains("found a trace that does not state its person") == true, "\(text ?? "")")
  }

  /// 40 of 40 events of four people do not show 0.97, and the interval is the one of `evaluate`.
  @Test func theEndOfTheIntervalCounts() async throws {
    let summary = try await AnyDetector(KnockDetector.self).evaluate(on: four)
    let lower = try #require(summary["recall"]?.interval?.lower)
    #expect(lower > 0.7 && lower < 0.97)
    #expect(try await fault(four) { $0.recall.lowerForNewPeople >= lower } == nil)
    let text = try await fault(four) { $0.recall.lowerForNewPeople >= lower.nextUp }
    #expect(text?.contains("of recall for new people is \(lower)") == true, "\(text ?? "")")
    #expect(text?.contains("recall 1, 95 % interval by clustered_wilson") == true, "\(text ?? "")")
  }

  @Test func theWorstPersonIsNamed() async throws {
    let traces = [Knocks.person(1, missing: 1), Knocks.person(2, missing: 3), Knocks.person(3)]
    let text = try await fault(traces) { $0.recall.worstPerson >= 0.8 }
    #expect(text?.hasPrefix("knock: recall of person p2 is 0.7, expected at least 0.8") == true)
    #expect(try await fault(traces) { $0.recall.worstPerson >= 0.7 } == nil)
    let most = try await fault(traces) { $0.missed.worstPerson <= 2 }
    #expect(most?.contains("false_negatives of person p2 is 3") == true)
  }

  // MARK: Nothing measured

  @Test func noTracesAreAFailure() async throws {
    #expect(try await fault([]) { $0.recall >= 0 }?.contains("no traces") == true)
  }

  @Test func noComparisonIsAFailure() async throws {
    #expect(try await fault(four) { _ in }?.contains("expected a comparison") == true)
  }

  @Test func undefinedIsAFailure() async throws {
    let empty = Knocks.trace("t", person: "p", references: [], peaks: [])
    for text in [
      try await fault([empty]) { $0.recall >= 0 }, try await fault([empty]) { $0.recall <= 1 },
      try await fault([empty]) { $0.precision.worstPerson >= 0 },
      try await fault([empty]) { $0.latencyP50 <= 100 },
    ] {
      #expect(text?.contains("nothing was measured") == true, "\(text ?? "passed")")
    }
    #expect(try await fault([empty]) { $0.falseAlarms == 0 } == nil)
  }

  @Test func aTraceWithoutReferenceIsAFailure() async throws {
    let traces = four + [Knocks.trace("open", person: "p9", references: nil, peaks: [])]
    let text = try await fault(traces) { $0.recall >= 0 }
    #expect(
      text?.contains("expected a reference of task punch in every trace, found none in open")
        == true)
    let alone = try await fault(Array(traces.suffix(1))) { $0.recall >= 0 }
    #expect(alone?.contains("nothing was measured") == true)
  }

  @Test func anUnknownFigureNamesTheKnownOnes() async throws {
    let text = try await fault(four) { $0["recal"] >= 0 }
    #expect(text?.contains("unknown figure of task punch \"recal\"; did you mean recall?") == true)
    #expect(try await fault(four) { $0.distanceError <= 5 }?.contains("distance_error") == true)
  }

  @Test func wrongUseIsThrown() async throws {
    await #expect(throws: (any Error).self) {
      try await fault(four, parameters: ["treshold": .number(1)]) { $0.recall >= 0 }
    }
    let same = [four[0], four[0]]
    let error = await #expect(throws: TraceError.self) { try await fault(same) { $0.recall >= 0 } }
    #expect(error?.found == "two with id t1")
  }

  @Test func parametersAreUsed() async throws {
    #expect(try await fault(four, parameters: ["threshold": .number(30)]) { $0.recall == 0 } == nil)
  }

  // MARK: Reports

  /// An issue at the call, not at the function of the test.
  @Test func swiftTestingGetsAnIssueAtTheCall() async throws {
    let line = #line + 2
    try await withKnownIssue {
      try await expect(KnockDetector.self, on: four) { $0.recall > 1 }
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.sourceLocation?.fileName == "ExpectTests.swift"
        && issue.comments.contains {
          $0.rawValue.hasPrefix("knock: recall is 1, expected more than 1 (")
        }
    }
  }

  /// Outside of a test it is an error, never a silent pass.
  @Test func elsewhereItIsThrown() async throws {
    let four = four
    let error = await #expect(throws: ExpectationError.self) {
      try await Task.detached {
        try await expect(KnockDetector.self, on: four) { $0.recall > 1 }
      }.value
    }
    #expect(error?.description.contains("ExpectTests.swift:") == true)
    #expect(error?.description.contains("recall is 1") == true)
  }

  @Test func aReportGetsFileAndLine() async throws {
    var places: [(String, UInt)] = []
    try await expect(
      KnockDetector.self, on: four, report: { places.append(("\($1)", $2)) }
    ) { $0.recall > 1 }
    #expect(places.count == 1)
    #expect(places.first?.0.hasSuffix("ExpectTests.swift") == true)
  }
}
