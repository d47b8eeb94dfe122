// How punches differ from one to the next. The numbers give the medians and the quartile ranges that are
// recorded, as Benchmarks/Recordings/synthetic.py measures them: see docs/simulated-and-recorded.md.

/// Small pushes in all directions before a punch, as damped oscillations.
struct Unrest: Sendable {
  /// The median amplitude in m s-2, and the spread of its logarithm.
  var size: Double
  var spread: Double
  /// The frequencies in Hz.
  var frequency: ClosedRange<Double>
  /// The time before the middle of the punch at which they begin, in s.
  var span: Double
}

/// A straight way to a target.
struct Approach: Sendable {
  /// The oscillation of a pad and the arm after the impact: a share of the peak, Hz, s.
  struct Pad: Sendable {
    var size: ClosedRange<Double>
    var frequency: ClosedRange<Double>
    var decay: ClosedRange<Double>
  }

  /// The length of the way as a multiple of the person's reach, with the spread of its logarithm.
  var way: Double
  var spread: Double
  /// How far the hand is drawn back first, as a multiple of a few centimetres.
  var tension: Double
  /// The ringing after the impact, as a share of the peak.
  var tremble: ClosedRange<Double>
  /// The time of the return in s.
  var back: ClosedRange<Double>
  var unrest: Unrest?
  var pad: Pad?

  /// The manner of people who play a fight: the app distinguishes such punches by their axes.
  static var playful: Approach {
    Approach(way: 1, spread: 0.12, tension: 1, tremble: 0.05...0.12, back: 0.35...0.7)
  }

  static func to(_ target: PunchStyle.Target) -> Approach {
    switch target {
    case .air:
      Approach(
        way: 1.0, spread: 0.2, tension: 0.65, tremble: (-0.12)...(-0.028),
        back: 0.35...0.7,
        unrest: Unrest(size: 1.02, spread: 0.82, frequency: 1.6...5.02, span: 0.26))
    case .pad:
      Approach(
        way: 1.66, spread: 0.4, tension: 0.32, tremble: 0.13...0.21,
        back: 0.51...0.84,
        unrest: Unrest(size: 0.85, spread: 0.23, frequency: 2.6...3.01, span: 0.93),
        pad: Pad(size: 0.29...0.51, frequency: 5.3...10.3, decay: 0.045...0.078))
    }
  }
}

struct SwingManner: Sendable {
  /// The movement of the shoulder meanwhile: changes of speed in m s-1, at this share of the swing,
  /// over s.
  struct Heave: Sendable {
    var size: ClosedRange<Double>
    var start: ClosedRange<Double>
    var duration: Double
  }

  /// The spreads of the logarithms of the swing's time and radius, and a factor for the radius.
  var lengthSpread: Double
  var radius: Double
  var radiusSpread: Double
  /// See ``Pulse/Shape/arc(centre:angle:skew:)``.
  var skew: ClosedRange<Double>
  /// The time in s in which the forearm turns back first, and how far the hand goes: against the
  /// way at the start, and against the centre, in m.
  var windUp: ClosedRange<Double>
  var away: ClosedRange<Double>
  var back: ClosedRange<Double>
  /// How far the wind-up continues into the swing, as a share of the swing's time.
  var overlap: Double
  var heave: Heave
  var unrest: Unrest?
  /// The time of the return in s.
  var slowReturn: ClosedRange<Double>

  static func of(_ technique: Technique, _ force: Force) -> SwingManner {
    if force == .light { return slow(isHook: technique == .hook) }
    return technique == .hook ? hook : uppercut
  }

  private static var hook: SwingManner {
    SwingManner(
      lengthSpread: 0.084, radius: 0.88, radiusSpread: 0.03, skew: (-0.31)...0.12,
      windUp: 0.22...0.35, away: 0.13...0.24, back: 0.59...0.76, overlap: 0.44,
      heave: Heave(size: 0.28...0.94, start: (-0.3)...0.95, duration: 0.23),
      unrest: nil,
      slowReturn: 0.39...0.69)
  }

  private static var uppercut: SwingManner {
    SwingManner(
      lengthSpread: 0.001, radius: 0.97, radiusSpread: 0.061, skew: (-0.093)...0.097,
      windUp: 0.15...0.28, away: 0.034...0.27, back: 0.063...0.087, overlap: 0.25,
      heave: Heave(size: 0.4...1.12, start: 0.46...1.06, duration: 0.18),
      unrest: Unrest(size: 20.7, spread: 0.5, frequency: 0.5...7.19, span: 0.5),
      slowReturn: 0.64...0.91)
  }

  private static func slow(isHook: Bool) -> SwingManner {
    SwingManner(
      lengthSpread: 0, radius: 1, radiusSpread: 0.015,
      skew: isHook ? (-0.28)...0.014 : (-0.34)...0.3,
      windUp: 0.24...0.39, away: 0.098...0.099,
      back: isHook ? 0.43...0.51 : 0.028...0.15, overlap: 0.15,
      heave: Heave(size: 0.1...0.28, start: 0.24...0.36, duration: 0.07),
      unrest: Unrest(size: 6.73, spread: 0.51, frequency: 2.96...6.38, span: 0.5),
      slowReturn: 0.54...0.59)
  }
}
