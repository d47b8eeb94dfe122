public import TraceModel

/// What a punch was, by the direction in which the device was stopped.
public enum PunchKind: String, CaseIterable, Hashable, Sendable, Codable {
  case jab, thrust, uppercut, unknown

  /// The class that scores compare: jabs and thrusts are straight punches.
  public var scoredLabel: String {
    switch self {
    case .jab, .thrust: "straight"
    case .uppercut: "uppercut"
    case .unknown: "unknown"
    }
  }
}

/// Where a punch is aimed.
public enum PunchTarget: String, CaseIterable, Hashable, Sendable, Codable {
  case low, middle, high, unknown
}

/// One punch.
public struct PunchEvent: DetectionEvent, Hashable, Codable {
  public var punch: PunchKind
  public var target: PunchTarget
  /// |a| without gravity in m s-2, of the sample that the parameters name (first or peak).
  public var magnitude: Double

  @inlinable
  public init(punch: PunchKind, target: PunchTarget, magnitude: Double) {
    self.punch = punch
    self.target = target
    self.magnitude = magnitude
  }

  /// The share of a full stamina bar of 1 that the punch takes: |a| in g over 25, HitThat's rule.
  public var damage: Double { magnitude / standardGravity / PunchEvent.damageDivisor }

  /// An acceleration of so many g would empty a full stamina bar.
  public static let damageDivisor = 25.0

  public var kind: String { "punch" }
  public var label: String { punch.scoredLabel }
  public var originalLabel: String { punch.rawValue }
  public var value: Double { magnitude }
}
