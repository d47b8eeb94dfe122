import Detectors
import Foundation
import Testing
import TraceModel

/// Kinds of punches that a person shows in the recording itself.
@Suite struct LessonTests {
  private typealias Session = EnrolledKindTests.Session

  private static func parameters(_ profile: PersonProfile? = nil) -> PunchParameters {
    PunchParameters(
      threshold: 20, rule: .swing, retrigger: .everySample, arming: .always,
      suppression: .nonMaximum, peakWindow: 0, refractory: 0.32, types: .enrolled,
      profile: profile.map { ProfileSet(source: "test", people: ["a": $0]) }, enrolment: .actions)
  }

  /// What a session's kinds are called, with the actions before the punches at these positions.
  /// - Parameters:
  ///   - given: the actions; nil = those of a lesson, again and again.
  ///   - saving: whether the state is saved and read on the way.
  private func names(
    _ kinds: [String], actionsBefore positions: [Int], _ given: [Action]? = nil,
    profile: PersonProfile? = nil, seed: UInt64 = 1, saving: Bool = false
  ) throws -> (names: [String?], examples: [Double]) {
    let session = Session(kinds, seed: seed)
    var detector = PunchDetector(Self.parameters(profile))
    var found: [Detection<PunchEvent>] = []
    let lesson: [Action] = [.enrollStraight, .enrollHook, .enrollUppercut, .enrollEnd]
    var actions = positions.indices.map { index in
      (time: Int64(positions[index]) * 2_000_000_000, action: given?[index] ?? lesson[index % 4])
    }
    for position in session.acceleration.range {
      let time = TraceInstant(nanoseconds: session.acceleration.measuredTimes[position])
      while let next = actions.first, next.time <= time.nanoseconds {
        detector.handle(next.action, at: time, into: &found)
        actions.removeFirst()
      }
      detector.ingest(
        companion: Reading(
          device: DeviceID(0), channel: .rotationRate, sequence: position, measured: time,
          arrived: time, value: .vector(session.rotation[position])), into: &found)
      detector.ingest(session.acceleration[position], measured: time, arrived: time, into: &found)
      if saving, position % 97 == 0 {
        detector = try JSONDecoder().decode(
          PunchDetector.self, from: JSONEncoder().encode(detector))
      }
    }
    detector.finish(at: TraceInstant(nanoseconds: 1 << 50), into: &found)
    #expect(found.count == kinds.count)
    #expect(
      detector.measurements.map(\.name)
        == ["enrolled_straight", "enrolled_hook", "enrolled_uppercut", "kinds_learnt"])
    return (found.map(\.event.name), detector.measurements.map(\.value))
  }

  private static let shown =
    [String](repeating: "jab", count: 5) + [String](repeating: "lead hook", count: 5)
    + [String](repeating: "uppercut", count: 5)
  private static let later = ["uppercut", "jab", "lead hook", "jab", "uppercut", "lead hook"]
  private static let classes = ["uppercut", "straight", "hook", "straight", "uppercut", "hook"]

  @Test(arguments: [false, true]) func whatIsShownIsNamedFromThenOn(saving: Bool) throws {
    let (names, examples) = try names(
      Self.shown + Self.later, actionsBefore: [0, 5, 10, 15], saving: saving)
    #expect(names.prefix(15).allSatisfy { $0 == nil })
    #expect(names.suffix(6) == Self.classes.map(Optional.some)[...])
    #expect(examples == [5, 5, 5, 3])
  }

  @Test func beforeTheEndOfTheLessonNothingIsNamed() throws {
    #expect(
      try names(Self.shown + Self.later, actionsBefore: [0, 5, 10]).names.allSatisfy { $0 == nil })
    #expect(try names(Self.shown + Self.later, actionsBefore: [0, 5, 10]).examples[3] == 0)
    #expect(try names(Self.later, actionsBefore: []).names.allSatisfy { $0 == nil })
  }

  @Test func aKindThatIsHardlyShownIsLeftOut() throws {
    let kinds = Self.shown.prefix(10) + ["uppercut", "uppercut"] + Self.later
    let (names, examples) = try names(Array(kinds), actionsBefore: [0, 5, 10, 12])
    #expect(examples == [5, 5, 2, 2])
    #expect(names.suffix(6).allSatisfy { $0 == "straight" || $0 == "hook" || $0 == nil })
    #expect(names[13] == "straight")
    // One kind alone teaches nothing.
    let alone = try self.names(
      Array(Self.shown.prefix(5)) + Self.later, actionsBefore: [0, 5, 5, 5])
    #expect(alone.names.allSatisfy { $0 == nil })
  }

  @Test func onlyTheFirstTenCount() throws {
    let kinds = [String](repeating: "jab", count: 12) + Self.shown.dropFirst(5) + Self.later
    #expect(try names(kinds, actionsBefore: [0, 12, 17, 22]).examples == [10, 5, 5, 3])
  }

  /// A person shows other movements under the same names: the newest lesson counts, once it is whole.
  @Test func anotherLessonReplacesTheFirst() throws {
    let swapped =
      [String](repeating: "lead hook", count: 5) + [String](repeating: "jab", count: 5)
      + [String](repeating: "uppercut", count: 5)
    let kinds = Self.shown + Self.later + swapped + Self.later
    let (names, examples) = try names(kinds, actionsBefore: [0, 5, 10, 15, 21, 26, 31, 36])
    #expect(names[15..<21] == Self.classes.map(Optional.some)[...])
    #expect(
      names.suffix(6)
        == ["uppercut", "hook", "straight", "hook", "uppercut", "straight"].map(Optional.some)[...])
    #expect(examples == [5, 5, 5, 3])
  }

  /// An action carries its kind, so that a lost, a repeated or a late one shifts nothing.
  @Test func theOrderOfTheKindsDoesNotMatter() throws {
    let kinds = Array(Self.shown.suffix(10).reversed()) + Self.shown.prefix(5) + Self.later
    let found = try names(
      kinds, actionsBefore: [0, 5, 10, 15],
      [.enrollUppercut, .enrollHook, .enrollStraight, .enrollEnd])
    #expect(found.names.suffix(6) == Self.classes.map(Optional.some)[...])
    // The recording begins within the lesson: the straight ones are not known.
    let cut = try names(
      Array(Self.shown.dropFirst(5)) + ["uppercut", "lead hook"], actionsBefore: [0, 5, 10],
      [.enrollHook, .enrollUppercut, .enrollEnd])
    #expect(cut.names.suffix(2) == ["uppercut", "hook"] && cut.examples == [0, 5, 5, 2])
    // A kind may be shown in two goes.
    let goes = Self.shown.prefix(2) + Self.shown[5..<10] + Self.shown.prefix(3) + Self.later
    #expect(
      try names(
        Array(goes), actionsBefore: [0, 2, 7, 10],
        [.enrollStraight, .enrollHook, .enrollStraight, .enrollEnd]
      ).examples == [5, 5, 0, 2])
  }

  @Test func anotherEndOrBeginningLosesNothing() throws {
    let (names, examples) = try names(
      Self.shown + Self.later, actionsBefore: [0, 5, 10, 15, 15, 15, 15],
      [
        .enrollStraight, .enrollHook, .enrollUppercut, .enrollEnd, .enrollEnd, .enrollHook,
        .enrollEnd,
      ])
    #expect(names.suffix(6) == Self.classes.map(Optional.some)[...])
    #expect(examples == [0, 0, 0, 3])
  }

  @Test func aProfileServesUntilTheLessonEnds() throws {
    let profile = PunchDetector.profile(
      from: Session((0..<20).map { ["jab", "cross", "lead hook", "uppercut"][$0 % 4] }, seed: 1)
        .examples)
    let (names, _) = try names(
      Self.later + Self.shown + Self.later, actionsBefore: [6, 11, 16, 21], profile: profile,
      seed: 3)
    #expect(names.prefix(6) == Self.later.map(Optional.some)[...])
    #expect(names[6..<21].allSatisfy { $0 == nil })
    #expect(names.suffix(6) == Self.classes.map(Optional.some)[...])
  }

  @Test func thePresetsFollowTheActionsOfTheTrace() {
    var header = TraceHeader(id: "a", origin: .recorded)
    func enrolment(_ preset: String) -> PunchEnrolment? {
      PunchDetector.preset(named: preset)?.parameters(for: header).enrolment
    }
    #expect(enrolment("default") == .file)
    header.channels = [
      ChannelInfo(channel: .action, count: 4, attributes: ["kinds": "enroll_hook enroll_end"])
    ]
    #expect(enrolment("default") == .actions)
    #expect(enrolment("light") == .actions)
    #expect(enrolment("hitThat") == .file)
    let parameters = PunchDetector.preset(named: "default")?.parameters(for: header)
    #expect(parameters.map(PunchDetector.companions) == [.rotationRate])
  }
}
