/// What a detector has learnt from examples of one person: a model for each set of sensors.
///
/// ```swift
/// let model = KindModel(kinds: ["hook", "jab"], offsets: [0, 0], weights: [[1], [-1]])
/// let models = ["acceleration": model].compactMapValues { $0 }
/// let profile = PersonProfile(models: models, examples: ["hook": 5, "jab": 5])
/// PunchDetector.kind(of: ["acceleration": [9]], by: profile)  // hook
/// ```
public struct PersonProfile: Hashable, Sendable, Codable {
  /// The models by the name that the detector gives to a set of features.
  public var models: [String: KindModel]
  public var examples: [String: Int]

  public init(models: [String: KindModel], examples: [String: Int]) {
    (self.models, self.examples) = (models, examples)
  }
}

/// The profiles of some people, as a value of a parameter. A detector uses the profile of its
/// trace's subject and ignores the others.
///
/// ```swift
/// let profile = PersonProfile(models: [:], examples: ["hook": 5])
/// let gym = ProfileSet(source: "gym.json", people: ["Ana": profile, "Ben": profile])
/// gym.person == nil  // true
/// gym.only("Ana")?.person == profile  // true
/// ```
public struct ProfileSet: Hashable, Sendable, Codable {
  /// The origin of the profiles, e.g. a file.
  public var source: String
  public var people: [String: PersonProfile]

  public init(source: String, people: [String: PersonProfile]) {
    (self.source, self.people) = (source, people)
  }

  /// Returns the profile of one person alone; nil = there is none.
  public func only(_ subject: String) -> ProfileSet? {
    people[subject].map { ProfileSet(source: source, people: [subject: $0]) }
  }

  /// The profile, if there is exactly one.
  public var person: PersonProfile? { people.count == 1 ? people.first?.value : nil }
}
