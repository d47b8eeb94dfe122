/// What a person punches, and how.
public struct PunchStyle: Hashable, Sendable {
  /// What stops the hand.
  public enum Target: String, CaseIterable, Sendable {
    /// The muscles alone.
    case air
    case pad
  }

  /// The target; nil = the person's usual one.
  public var target: Target?
  /// The techniques, at least one; all are equally likely.
  public var techniques: [Technique]
  /// The force; nil = hard and soft punches, equally likely.
  public var force: Force?
  /// Whether the punches follow each other without a pause, two or more a second, along straight
  /// and short ways.
  public var isSeries: Bool
  /// Whether the person shows the detector a kind of punch: an action of an enrolment comes before.
  public var isShown: Bool

  public init(
    target: Target? = nil, techniques: [Technique] = Technique.allCases, force: Force? = nil,
    isSeries: Bool = false, isShown: Bool = false
  ) {
    self.target = target
    self.techniques = techniques.isEmpty ? Technique.allCases : techniques
    self.force = force
    self.isSeries = isSeries
    self.isShown = isShown
  }
}
