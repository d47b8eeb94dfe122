import TraceModel

/// Determines the kind of a punch from the movement around it and from what one person has shown.
struct KindReader: Sendable, Codable {
  var history: MotionHistory
  private let profile: PersonProfile?
  /// The kinds shown in this recording; nil = the parameters do not ask for them.
  var lesson: Lesson?

  /// - Returns: nil if nobody shows kinds, or if punches are reported before the movement after
  ///   them is known.
  init?(_ parameters: PunchParameters) {
    guard KindReader.isNeeded(parameters) else { return nil }
    profile = parameters.profile?.person
    lesson = parameters.enrolment == .actions ? Lesson() : nil
    // Not a default value, which would be created even where it is not needed.
    history = MotionHistory()
  }

  /// Whether kinds are known or will be shown.
  static func isNeeded(_ parameters: PunchParameters) -> Bool {
    fits(parameters) && (parameters.profile?.person != nil || parameters.enrolment == .actions)
  }

  /// Whether kinds are asked for, and punches are reported late enough.
  static func fits(_ parameters: PunchParameters) -> Bool {
    parameters.types == .enrolled
      && (parameters.rule == .swing || parameters.suppression == .nonMaximum)
  }

  /// Returns the name that the person gave to the kind of the punch at a time; nil =
  /// uncertain, or the punch is shown as an example.
  mutating func kind(at time: Int64) -> String? {
    let features = history.features(around: TraceInstant(nanoseconds: time))
    if lesson?.take(features, at: time) == true { return nil }
    guard let profile = lesson?.profile ?? profile else { return nil }
    return PunchDetector.kind(of: features, by: profile)
  }
}

extension PunchDetector: EnrollableDetector {
  public typealias Features = MotionHistory

  /// The name of the features of acceleration alone.
  static let accelerationModel = "acceleration"
  /// The name of the features of acceleration and rotation rate.
  static let motionModel = "acceleration+rotation_rate"
  /// The weight of the identity in the fit of a model. F1 on punches of one person (six kinds, five
  /// examples each) changes by less than 0.01 from 0.3 to 0.9.
  private static let shrinkage = 0.6
  /// The smallest probability at which a class is named.
  private static let sure = 0.6

  public static func profile(from examples: [EnrolledExample]) -> PersonProfile {
    var profile = PersonProfile(models: [:], examples: [:])
    for example in examples { profile.examples[example.kind, default: 0] += 1 }
    for name in MotionHistory.sizes.keys {
      let vectors = examples.compactMap { example in
        example.features[name].map { (kind: example.kind, features: $0) }
      }
      // A model that lacks a kind would assign its punches to other kinds.
      guard Set(vectors.map({ $0.kind })).count == profile.examples.count else { continue }
      profile.models[name] = KindModel(fitting: vectors, shrinkage: shrinkage)
    }
    return profile
  }

  /// Each model whose features are present gives probabilities; their geometric mean counts. Across
  /// recordings of one person it has fewer errors than the better of the two models.
  public static func kind(
    of features: [String: [Double]], by profile: PersonProfile
  ) -> String? {
    let models = profile.models.sorted { $0.key < $1.key }.filter {
      features[$0.key]?.count == $0.value.features
    }
    guard let kinds = models.first?.value.kinds,
      models.allSatisfy({ $0.value.kinds == kinds })
    else { return nil }
    var shares = [Double](repeating: 1, count: kinds.count)
    for (name, model) in models {
      for (kind, share) in model.probabilities(features[name] ?? []).enumerated() {
        shares[kind] *= models.count > 1 ? share.squareRoot() : share
      }
    }
    return likeliest(kinds, shares)
  }

  /// - Parameter shares: proportional to the probabilities of the kinds.
  private static func likeliest(_ kinds: [String], _ shares: [Double]) -> String? {
    // Kinds of one class, such as a jab and a cross, support each other.
    var classes: [(label: String, sum: Double, most: Int)] = []
    for kind in kinds.indices {
      let label = PunchLabel.classify(kinds[kind]).label
      guard let known = classes.firstIndex(where: { $0.label == label }) else {
        classes.append((label, shares[kind], kind))
        continue
      }
      classes[known].sum += shares[kind]
      if shares[kind] > shares[classes[known].most] { classes[known].most = kind }
    }
    guard let best = classes.max(by: { $0.sum < $1.sum }),
      best.sum >= sure * shares.reduce(0, +), best.sum > 0
    else { return nil }
    return kinds[best.most]
  }
}
