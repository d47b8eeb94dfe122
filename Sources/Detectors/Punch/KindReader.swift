import TraceModel

/// Says which kind a punch is, from the movement around it and what one person has shown.
struct KindReader: Sendable, Codable {
  private var history = MotionHistory()
  private let profile: PersonProfile

  /// - Returns: nil without a profile, or where punches are reported before what it looks at is known.
  init?(_ parameters: PunchParameters) {
    guard parameters.types == .enrolled, let person = parameters.profile?.person,
      parameters.rule == .swing || parameters.suppression == .nonMaximum
    else { return nil }
    profile = person
  }

  mutating func add(acceleration sample: Vector3, at time: Int64) {
    history.add(acceleration: sample, at: time)
  }

  mutating func add(rotation sample: Vector3, at time: Int64) {
    history.add(rotation: sample, at: time)
  }

  /// Returns the name that the person gave to the kind of the punch at a time; nil = it is not sure.
  func kind(at time: Int64) -> String? {
    PunchDetector.kind(
      of: history.features(around: TraceInstant(nanoseconds: time)), by: profile)
  }
}

extension PunchDetector: EnrollableDetector {
  public typealias Features = MotionHistory

  /// The name of the features of acceleration alone.
  static let accelerationModel = "acceleration"
  /// The name of the features of acceleration and rotation rate.
  static let motionModel = "acceleration+rotation_rate"
  /// The weight of the identity in the fit of each model. F1 on punches of one person (six kinds, five
  /// examples each) changes by less than 0.01 from 0.1 to 0.6.
  private static let shrinkages = [accelerationModel: 0.6, motionModel: 0.3]
  /// The probability from which on a class is named.
  private static let sure = 0.7

  public static func profile(from examples: [EnrolledExample]) -> PersonProfile {
    var profile = PersonProfile(models: [:], examples: [:])
    for example in examples { profile.examples[example.kind, default: 0] += 1 }
    for (name, shrinkage) in shrinkages {
      let vectors = examples.compactMap { example in
        example.features[name].map { (kind: example.kind, features: $0) }
      }
      // A model that lacks a kind would give its punches to others.
      guard Set(vectors.map(\.kind)).count == profile.examples.count else { continue }
      profile.models[name] = KindModel(fitting: vectors, shrinkage: shrinkage)
    }
    return profile
  }

  public static func kind(
    of features: [String: [Double]], by profile: PersonProfile
  ) -> String? {
    for name in [motionModel, accelerationModel] {
      if let model = profile.models[name], let vector = features[name],
        vector.count == model.features
      {
        return kind(vector, by: model)
      }
    }
    return nil
  }

  private static func kind(_ features: [Double], by model: KindModel) -> String? {
    let probabilities = model.probabilities(features)
    // Kinds of one class, such as a jab and a cross, support each other.
    var classes: [(label: String, sum: Double, most: Int)] = []
    for kind in model.kinds.indices {
      let label = PunchLabel.classify(model.kinds[kind]).label
      guard let known = classes.firstIndex(where: { $0.label == label }) else {
        classes.append((label, probabilities[kind], kind))
        continue
      }
      classes[known].sum += probabilities[kind]
      if probabilities[kind] > probabilities[classes[known].most] { classes[known].most = kind }
    }
    guard let likeliest = classes.max(by: { $0.sum < $1.sum }), likeliest.sum >= sure else {
      return nil
    }
    return model.kinds[likeliest.most]
  }
}
