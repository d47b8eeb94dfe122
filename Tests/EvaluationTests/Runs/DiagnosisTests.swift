import Scoring
import Testing
import TraceModel

@testable import Evaluation

/// What explains most of the errors, and where nothing does.
@Suite struct DiagnosisTests {
  private struct Person {
    var subject = "ana"
    var activity = "boxing"
    /// In s.
    var references: [Double] = []
    var detections: [Double] = []
    var hours = 1.0
    var kind = "punch"
    /// The places of the references and of the detections; empty = none.
    var places: (Int32?, Int32?) = (nil, nil)
  }

  private static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  private static func diagnosis(
    _ people: [Person], task: ReferenceTask = .punch, isOfLabels: Bool = false
  ) throws -> Diagnosis? {
    let recordings = try people.enumerated().map { number, person in
      var header = TraceHeader(id: "rec\(number)", origin: .recorded)
      (header.subject, header.activity) = (person.subject, person.activity)
      header.end = instant(3600 * person.hours)
      let events = person.references.map {
        ReferenceEvent(onset: instant($0), place: person.places.0)
      }
      header.references = [ReferenceSet(task: task, events: events)]
      let found = person.detections.map {
        DetectionRecord(
          onset: instant($0), emitted: instant($0), kind: person.kind, place: person.places.1)
      }
      let score = try TaskScore(
        task: task, detections: found, measured: [:], header: header, fixes: nil, tolerance: nil,
        distance: { _, _, _, _ in 0 })
      return try #require(DiagnosedRecording(header, task: task, detections: found, score: score))
    }
    return Diagnosis(recordings, isOfLabels: isOfLabels)
  }

  /// 40 events, 2 to 18 s apart.
  private static func events(_ seed: UInt64, count: Int = 40) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    var time = 0.0
    return (0..<count).map { _ in
      time += generator.uniform(2...18)
      return (time * 1000).rounded() / 1000
    }
  }

  private static func people(
    _ count: Int, _ change: (Int, [Double]) -> [Double]
  ) -> [Person] {
    (0..<count).map { number in
      let times = events(UInt64(number))
      return Person(
        subject: "p\(number)", references: times, detections: change(number, times))
    }
  }

  // MARK: Each cause

  @Test func aConstantShift() throws {
    let found = try #require(
      try Self.diagnosis(
        Self.people(3) { _, times in times.enumerated().map { $1 - 0.16 - Double($0 % 10) / 50 } },
        isOfLabels: true))
    #expect(found.cause == .offset && found.explained == 240 && found.errors == 240)
    #expect(
      found.text
        == "all 120 false alarms lie 160-340 ms before a missed reference: offset -0.24 s; "
        + "add 0.24 s to the detections' times, or try --tolerance 340ms")
    let far = try #require(
      try Self.diagnosis(Self.people(2) { _, times in times.map { $0 + 3600 } }, isOfLabels: true))
    #expect(
      far.cause == .offset && far.text.hasSuffix("offset +3600.00 s; do both sides use one clock?"))
  }

  /// 600 false alarms elsewhere hide 60 late detections from a count of all errors.
  @Test func aShiftOfTheMissedOnesAmongManyFalseAlarms() throws {
    func people(late: Double) -> [Person] {
      Self.people(3) { number, times in
        var generator = SeededGenerator(seed: UInt64(100 + number))
        let elsewhere = (0..<200).map { _ in generator.uniform(0...450) }
        return (times.enumerated().map { $1 + ($0 % 2 == 0 ? 0 : late) } + elsewhere).sorted()
      }
    }
    let found = try #require(try Self.diagnosis(people(late: 0.5), isOfLabels: true))
    #expect(found.cause == .shiftedMisses)
    #expect(found.text.contains("missed references have a false alarm "), "\(found.text)")
    #expect(
      found.text.contains(" after them, outside the tolerance: do both sides use one clock? Then"),
      "\(found.text)")
    // None is late by the same: the false alarms are near missed references by chance.
    var generator = SeededGenerator(seed: 5)
    let scattered = people(late: 0).map { person in
      var person = person
      person.detections.removeAll { time in
        person.references.contains(time) && generator.uniform(0...1) < 0.5
      }
      return person
    }
    #expect(try Self.diagnosis(scattered, isOfLabels: true)?.cause != .shiftedMisses)
  }

  @Test func aToleranceThatIsTooNarrow() throws {
    let found = try #require(
      try Self.diagnosis(
        Self.people(3) { _, times in
          times.enumerated().map { $1 + ($0 % 2 == 0 ? 1 : -1) * (0.2 + Double($0 % 10) / 50) }
        }))
    #expect(found.cause == .tolerance)
    #expect(found.text.contains("from a missed reference; try a tolerance of 380ms"))
  }

  @Test func anOffsetOfEachRecording() throws {
    let found = try Self.diagnosis(
      Self.people(4) { number, times in times.map { $0 + [-40, 0.9, 7, 300][number] } })
    #expect(found?.cause == .ownOffsets)
    #expect(found?.text.contains("(-40.00 to +300.00 s): align the clocks first") == true)
  }

  @Test(arguments: [
    (1.0, 50.0, "1-based samples at 50 Hz"), (0, 104, "samples at 104 Hz"),
    (0, 1000, "milliseconds"),
  ])
  func numbersOfSamples(first: Double, rate: Double, unit: String) throws {
    let people = Self.people(2) { _, times in times }.map { person in
      var person = person
      // The detector answers after 5 ms.
      person.detections = person.references.map { ($0 * rate).rounded() / rate + 0.0005 }
      person.references = person.references.map { ($0 * rate).rounded() + first }
      return person
    }
    let found = try Self.diagnosis(people, isOfLabels: true)
    #expect(found?.cause == .sampleNumbers)
    #expect(found?.text.hasPrefix("the references look like \(unit), not seconds") == true)
    let swapped = people.map { person in
      var other = person
      (other.references, other.detections) = (person.detections, person.references)
      return other
    }
    #expect(
      try Self.diagnosis(swapped)?.text.hasPrefix("the detections look like \(unit)") == true)
  }

  @Test func recordingsWithoutDetections() throws {
    let people = Self.people(4) { number, times in number < 2 ? [] : times }
    let found = try Self.diagnosis(people)
    #expect(found?.cause == .silentRecordings && found?.explained == 80)
    #expect(
      found?.text.hasPrefix("2 of 4 recordings have no detection at all (rec0, rec1): ") == true)
    let none = try Self.diagnosis(Self.people(2) { _, _ in [] })
    #expect(none?.text.hasPrefix("nothing is detected in any recording with references") == true)
  }

  @Test func promptsThatNobodyConfirms() throws {
    let people = Self.people(1) { _, times in times }.map { person in
      var person = person
      (person.kind, person.places) = ("prompt", (1, 1))
      return person
    }
    let found = try Self.diagnosis(people, task: .visit)
    #expect(found?.cause == .unconfirmed)
    #expect(
      found?.text
        == "a replay confirms no prompt, and the next comes only after that (40 prompts): "
        + "measure with --parameters requires-confirmation=false, or with policy in a suite")
  }

  @Test func otherPlaces() throws {
    let people = Self.people(2) { _, times in times }.map { person in
      var person = person
      (person.kind, person.places) = ("visit", (0, 1))
      return person
    }
    let found = try Self.diagnosis(people, task: .visit)
    #expect(found?.cause == .otherNames)
    #expect(found?.text.contains("(place 1 for place 0)") == true)
  }

  @Test func severalDetectionsOfOneEvent() throws {
    let people = Self.people(2) { _, times in times.flatMap { [$0, $0 + 0.05, $0 + 0.1] } }
    #expect(try Self.diagnosis(people)?.cause == .duplicates)
  }

  /// False alarms of `count` people; all of those of `bad` at other times than the references.
  private static func alarms(_ count: Int, _ bad: [Int: Int]) -> [Person] {
    people(count) { number, times in
      times + (0..<bad[number, default: 0]).map { 1000 + 7.3 * Double($0) }
    }
  }

  @Test func onePersonOrActivity() throws {
    let one = try Self.diagnosis(Self.alarms(4, [2: 30, 0: 2]))
    #expect(
      one?.cause == .person && one?.text == "30 of 32 false alarms are of one of 4 people (p2)")
    var people = Self.alarms(4, [2: 20, 3: 20])
    for index in people.indices { people[index].activity = index < 2 ? "boxing" : "clapping" }
    #expect(
      try Self.diagnosis(people)?.text
        == "all 40 false alarms are in one of 2 activities (clapping)")
    // Both have the same errors.
    people = Self.alarms(4, [2: 40])
    people[2].activity = "clapping"
    #expect(
      try Self.diagnosis(people)?.text
        == "all 40 false alarms are of one of 4 people (p2) and in one of 2 activities (clapping)")
    // Without names.
    people = Self.alarms(4, [2: 40])
    for index in people.indices { (people[index].subject, people[index].activity) = ("", "") }
    #expect(
      try Self.diagnosis(people)?.text == "all 40 false alarms are in one of 4 recordings (rec2)")
  }

  // MARK: Silence

  @Test func nothingToSay() throws {
    let healthy = Self.people(4) { _, times in times.map { $0 + 0.02 } }
    #expect(try Self.diagnosis(healthy) == nil)
    #expect(try Self.diagnosis([]) == nil)
    #expect(try Self.diagnosis([Person()]) == nil)
    // Six false alarms of one person, beside 400 hits.
    #expect(try Self.diagnosis(Self.alarms(10, [3: 6])) == nil)
    // Four errors are too few.
    #expect(
      try Self.diagnosis([
        Person(references: [1, 2, 3, 4]), Person(subject: "ben", references: [1], detections: [1]),
      ]) == nil)
  }

  @Test func noCauseExplainsMost() throws {
    // A tie of two people, and errors of all.
    #expect(try Self.diagnosis(Self.alarms(4, [0: 20, 1: 20])) == nil)
    #expect(try Self.diagnosis(Self.alarms(4, [0: 20, 1: 20, 2: 20, 3: 20])) == nil)
    // One person alone, in one activity and one recording.
    #expect(try Self.diagnosis(Self.alarms(1, [0: 40])) == nil)
    // Most of the time is of one person, and so are most of the errors.
    var people = Self.alarms(3, [0: 30, 1: 2, 2: 1])
    people[0].hours = 20
    #expect(try Self.diagnosis(people) == nil)
    // Half of the recordings are shifted, the others have as many false alarms in other places: only the
    // misses have a cause.
    people = Self.people(4) { number, times in
      number < 2 ? times.map { $0 + 0.3 } : times + times.flatMap { [$0 + 0.7, $0 + 1.3] }
    }
    #expect(try Self.diagnosis(people)?.cause == .shiftedMisses)
  }

  /// A detector that fires at random has no offset, however dense the events are.
  @Test(arguments: 0..<20)
  func blindDetectorsHaveNoOffset(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 1000 + seed)
    let people = (0..<4).map { number -> Person in
      let spacing: Double = generator.uniform(0.3...4)
      let references = (0..<60).map { Double($0) * spacing + generator.uniform(0...spacing / 2) }
      let detections = (0..<60).map { _ in generator.uniform(0...60 * spacing) }.sorted()
      return Person(subject: "p\(number)", references: references, detections: detections)
    }
    #expect(try Self.diagnosis(people) == nil, "seed \(seed)")
  }

  /// Clocks at their ends neither trap nor match.
  @Test func extremeTimes() throws {
    let ends = (0..<6).map { Double($0) * 9 - 9e9 }
    _ = try Self.diagnosis([Person(references: ends, detections: ends.map { -$0 })])
  }
}
