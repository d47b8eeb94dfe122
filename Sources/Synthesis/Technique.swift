import TraceModel

public enum Technique: String, CaseIterable, Sendable {
  case jab, uppercut, thrust, hook

  var label: String {
    switch self {
    case .jab, .thrust: "straight"
    case .uppercut: "uppercut"
    case .hook: "hook"
    }
  }

  /// Returns the direction of the hand at the end, in the body's frame. A stop has the opposite
  /// direction: right jab +x, left jab -x, uppercut -y, thrust +z on a phone held upright with its
  /// screen towards the person.
  func direction(side: Double) -> Vector {
    switch self {
    case .jab, .hook: Vector(x: -side, y: 0, z: 0)
    case .uppercut: Vector(x: 0, y: 1, z: 0)
    case .thrust: Vector(x: 0, y: 0, z: -1)
    }
  }

  /// Whether the hand swings about the elbow when nothing stops it.
  var isRound: Bool { self == .uppercut || self == .hook }
}

public enum Force: String, CaseIterable, Sendable {
  case soft, hard
  /// Playful, as two people who fight with their phones punch: straight ways that the app can
  /// distinguish.
  case playful
  /// A slow swing of the forearm, as if to show a punch.
  case light
}

struct Strike: Sendable {
  var technique: Technique
  var force: Force
  /// The direction of the hand in the body's frame.
  var direction: Vector
  /// The start of the acceleration in s.
  var start: Double
  /// The time of the stop in s; for a swing, its whole time.
  var impact: ClosedRange<Double>
  /// Whether the hand goes round the elbow and is stopped by nothing.
  var isSwing: Bool
}
