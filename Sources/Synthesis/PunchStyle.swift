/// What somebody punches, and how.
public struct PunchStyle: Hashable, Sendable {
  /// What stops the hand.
  public enum Target: String, CaseIterable, Sendable {
    /// The muscles alone.
    case air
    case pad
  }

  /// nil = the target of the person.
  public var target: Target?
  /// The techniques, at least one; each is as likely.
  public var techniques: [Technique]
  /// nil = hard and soft punches, each as likely.
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
