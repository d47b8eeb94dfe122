public import TraceModel

/// The kind of a punch, by the direction in which the device was stopped.
///
/// With ``PunchTypes/enrolled`` it is a class, `straight`, `hook` or `uppercut`.
///
/// ```swift
/// PunchKind.thrust.scoredLabel  // straight
/// ```
public enum PunchKind: String, CaseIterable, Hashable, Sendable, Codable {
  case jab, thrust, uppercut, unknown, straight, hook

  init(scoredLabel label: String) {
    self = [.straight, .hook, .uppercut].first { $0.rawValue == label } ?? .unknown
  }

  /// The class that scores compare. Jabs and thrusts are straight punches.
  public var scoredLabel: String {
    switch self {
    case .jab, .thrust, .straight: "straight"
    case .hook: "hook"
    case .uppercut: "uppercut"
    case .unknown: "unknown"
    }
  }
}

public enum PunchTarget: String, CaseIterable, Hashable, Sendable, Codable {
  case low, middle, high, unknown
}

/// A punch, with the sample that stands for it.
///
/// ```swift
/// let jab = PunchEvent(punch: .jab, target: .high, magnitude: 5 * standardGravity)
/// jab.label  // straight
/// jab.damage  // 0.2
/// ```
public struct PunchEvent: DetectionEvent, Hashable, Codable {
  public var punch: PunchKind
  public var target: PunchTarget
  /// |a| without gravity in m s-2, of the first or the peak sample, depending on the parameters.
  public var magnitude: Double
  /// With ``PunchRule/swing``, the peak of a typical punch that is as sure, in m s-2, which is
  /// compared with the threshold; nil with another rule.
  public var equivalentPeak: Double?
  /// With ``PunchTypes/enrolled``, the name that the person gave to the kind; nil = uncertain.
  public var name: String?
  /// Whether the event withdraws the punch at its onset; nil = no.
  public var isWithdrawal: Bool?

  @inlinable public init(
    punch: PunchKind, target: PunchTarget, magnitude: Double, equivalentPeak: Double? = nil,
    name: String? = nil
  ) {
    self.punch = punch
    self.target = target
    self.magnitude = magnitude
    self.equivalentPeak = equivalentPeak
    self.name = name
  }

  /// The damage as a share of a full stamina bar of 1: |a| in g divided by 25, HitThat's rule.
  public var damage: Double { magnitude / standardGravity / PunchEvent.damageDivisor }

  /// The acceleration in g that empties a full stamina bar.
  public static let damageDivisor = 25.0

  public var kind: String { isWithdrawal == true ? DetectionRecord.withdrawal : "punch" }
  public var label: String { punch.scoredLabel }
  public var originalLabel: String { name ?? punch.rawValue }
  public var value: Double { magnitude }
  public var score: Double? { equivalentPeak }
}
