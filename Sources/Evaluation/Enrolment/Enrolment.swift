public import Detectors
import Diagnostics
import Replay
import Scoring
import TraceModel

/// What detectors learn from the examples of people: recordings in which each kind is done a few times.
public struct Enrolment: Sendable {
  public struct Person: Sendable, Encodable {
    public var subject: String
    public var kinds: [Kind]
    /// How each example is classified by the other examples of this person.
    public var check: Check
    /// The models that were fitted, by their features.
    public var models: [String]
  }

  public struct Kind: Sendable, Encodable {
    public var name: String
    public var references: Int
    /// Those of them that the detector found.
    public var found: Int
    /// The first of these, which the profile rests on.
    public var used: Int
  }

  public struct Check: Sendable, Encodable, Equatable {
    public var right = 0
    public var wrong = 0
    /// Not classified.
    public var unsure = 0

    public var count: Int { right + wrong + unsure }
  }

  /// By subject, in alphabetical order.
  public var people: [Person]
  public var profiles: [String: PersonProfile]

  /// Learns from recordings.
  /// - Parameter perKind: the number of examples of each kind and person, the earliest of each
  ///   recording first; nil = all.
  /// - Throws: if the detector cannot learn, or a person shows fewer than two kinds.
  public init(_ dataset: EvaluationDataset, perKind: Int?) throws {
    guard let learning = dataset.detector.learning else {
      throw Failure(
        .wrongUse, "detector \(dataset.detector.name): it does not learn from examples")
    }
    (people, profiles) = ([], [:])
    let groups = Dictionary(grouping: dataset.recordings, by: \.trace.header.subject)
    for (subject, recordings) in groups.sorted(by: { $0.key < $1.key }) {
      guard !subject.isEmpty else {
        throw Failure(
          .badData,
          "\(recordings[0].path): expected a subject, found none: a profile belongs to one "
            + "person; state it with convert --subject")
      }
      var (kinds, examples) = ([String: Kind](), [EnrolledExample]())
      for recording in recordings {
        try Enrolment.add(
          recording, of: dataset, learning, perKind: perKind, to: &kinds, &examples)
      }
      let profile = learning.profile(examples)
      guard !profile.models.isEmpty else {
        let counts = kinds.values.sorted { $0.name < $1.name }.map { "\($0.used) \($0.name)" }
        throw Failure(
          .badData,
          "subject \"\(subject)\": expected examples of two kinds or more, more than one of some kind, "
            + "found \(counts.isEmpty ? "none" : counts.joined(separator: ", ")); label the references "
            + "with the kinds, and check with replay that the detector finds them")
      }
      profiles[subject] = profile
      people.append(
        Person(
          subject: subject, kinds: kinds.values.sorted { $0.name < $1.name },
          check: Enrolment.check(examples, learning), models: profile.models.keys.sorted()))
    }
  }

  private static func add(
    _ recording: EvaluationDataset.Recording, of dataset: EvaluationDataset, _ learning: Learning,
    perKind: Int?, to kinds: inout [String: Kind], _ examples: inout [EnrolledExample]
  ) throws {
    let header = recording.trace.header
    guard let reference = header.reference(dataset.detector.task) else { return }
    let result = try dataset.detector.bound(dataset.choice, for: header)
      .run(on: MemorySource(recording.trace))
    let detections = result.detections.ofKind(dataset.detector.task.rawValue)
    let judgement = EventJudgement(
      references: reference.events, detections: detections, ignoreZones: header.ignoreZones,
      tolerance: EventTolerance(for: reference, stated: dataset.margin), duration: header.duration)
    for (event, outcome) in zip(reference.events, judgement.referenceOutcomes)
    where outcome != .ignored && !event.originalLabel.isEmpty {
      let name = event.originalLabel
      kinds[name, default: Kind(name: name, references: 0, found: 0, used: 0)].references += 1
    }
    let labelled = judgement.pairs.filter {
      !reference.events[$0.reference].originalLabel.isEmpty
    }.sorted { detections[$0.detection].onset < detections[$1.detection].onset }
    let features = try learning.features(
      MemorySource(recording.trace), labelled.map { detections[$0.detection].onset })
    for (pair, features) in zip(labelled, features) {
      let name = reference.events[pair.reference].originalLabel
      kinds[name]?.found += 1
      guard !features.isEmpty, kinds[name].map({ $0.used < perKind ?? .max }) ?? false else {
        continue
      }
      kinds[name]?.used += 1
      examples.append(EnrolledExample(kind: name, features: features))
    }
  }

  /// Leaves out each example in turn.
  private static func check(_ examples: [EnrolledExample], _ learning: Learning) -> Check {
    var check = Check()
    for index in examples.indices {
      var others = examples
      let example = others.remove(at: index)
      switch learning.kind(example.features, learning.profile(others)) {
      case nil: check.unsure += 1
      case example.kind: check.right += 1
      default: check.wrong += 1
      }
    }
    return check
  }
}

/// How a detector learns, with its type erased.
package struct Learning: Sendable {
  package let parameter: String
  /// The number of features by the name of their model.
  package let sizes: [String: Int]
  /// Returns the features of the events at some times, ascending.
  let features: @Sendable (MemorySource, [TraceInstant]) throws -> [[String: [Double]]]
  let profile: @Sendable ([EnrolledExample]) -> PersonProfile
  let kind: @Sendable ([String: [Double]], PersonProfile) -> String?

  /// - Returns: nil if the detector has no parameter for a profile.
  init?<D: EnrollableDetector>(_ type: D.Type) {
    guard let field = D.parameterFields.first(where: { $0.kind == .profiles }) else { return nil }
    parameter = field.name
    sizes = D.Features.sizes
    features = { source, times in
      let reader = FeatureConsumer<D.Features>(channel: D.channel, times: times)
      var timeline = Timeline([
        try DeviceStream(
          reader, channel: D.channel, companions: D.Features.companions, name: D.name, on: source)
      ])
      var none: [DetectionRecord] = []
      try timeline.run(into: &none)
      return reader.features
    }
    profile = { D.profile(from: $0) }
    kind = { D.kind(of: $0, by: $1) }
  }
}

/// Measures features at known times, in the order in which a detector gets the readings.
private final class FeatureConsumer<Reader: FeatureReader>: StreamConsumer {
  private var reader = Reader()
  private let channel: Channel
  /// Those to come.
  private var times: ArraySlice<TraceInstant>
  private var block = ChannelBlock(emptyFor: .action)
  private(set) var features: [[String: [Double]]] = []

  init(channel: Channel, times: [TraceInstant]) {
    self.channel = channel
    self.times = times[...]
  }

  func load(_ block: ChannelBlock) { self.block = block }

  func ingest(_ range: Range<Int>) {
    for position in range {
      let measured = TraceInstant(nanoseconds: block.measuredTimes[position])
      while let next = times.first,
        measured.nanoseconds.subtractingClamped(next.nanoseconds) > Reader.horizon
      {
        measure()
      }
      reader.add(
        Reading(
          device: DeviceID(0), channel: channel, sequence: position, measured: measured,
          arrived: measured, value: block.value(at: position)))
    }
  }

  func ingest(companion reading: Reading) { reader.add(reading) }

  private func measure() { features.append(reader.features(around: times.removeFirst())) }

  func handle(_ action: Action, at time: TraceInstant) {}
  func finish(at end: TraceInstant) { while !times.isEmpty { measure() } }
  var hasDetections: Bool { false }
  func take(device: DeviceID, into records: inout [DetectionRecord]) {}
  var measurements: [Measurement] { [] }
}
