public import TraceModel

/// A detector that learns from a person's examples which kind an event is.
///
/// It has a parameter of the kind ``ParameterKind/profiles``.
public protocol EnrollableDetector: Detector {
  associatedtype Features: FeatureReader

  /// Returns the profile learnt from the examples of one person.
  /// - Parameter examples: the kind, and the features by the name of their model.
  static func profile(from examples: [EnrolledExample]) -> PersonProfile

  /// Returns the kind of an event with these features; nil = uncertain.
  static func kind(of features: [String: [Double]], by profile: PersonProfile) -> String?
}

/// One example that a person gave.
public struct EnrolledExample: Hashable, Sendable, Codable {
  /// The name of the kind, as the person gave it.
  public var kind: String
  /// The features by the name of their model.
  public var features: [String: [Double]]

  public init(kind: String, features: [String: [Double]]) {
    (self.kind, self.features) = (kind, features)
  }
}

/// Measures the features of an event from the readings around it.
public protocol FeatureReader: Sendable {
  /// The channels that it reads in addition to that of the detector.
  static var companions: [Channel] { get }
  /// The time after an event, in nanoseconds, up to which readings count.
  static var horizon: Int64 { get }
  /// The number of features by the name of their model.
  static var sizes: [String: Int] { get }

  init()
  mutating func add(_ reading: Reading)
  /// Returns the features by the name of their model; a model whose readings are missing is left out.
  func features(around time: TraceInstant) -> [String: [Double]]
}
