import TraceModel

/// A stretch of acceleration along one direction of the body's frame: the building block of all
/// motion.
struct Pulse: Sendable {
  enum Shape: Sendable {
    /// A change of speed by the amount, with the smooth start of a minimum-jerk movement: the speed
    /// follows 10 s³ - 15 s⁴ + 6 s⁵ (Flash and Hogan, J. Neurosci. 5, 1985).
    case ramp
    /// A change of speed by the amount in a half sine: the contact of a body with a spring.
    case stop
    /// A change of position by the amount, from rest to rest with minimum jerk (ibidem).
    case reach
    /// A damped oscillation that begins at zero; the amount is its amplitude in m s-2 undamped.
    /// Frequency in Hz, decay in s.
    case ring(frequency: Double, decay: Double)
    /// A turn about a centre, from rest to rest, whose angle (radians) has minimum jerk. The amount
    /// points along the way at the start and has the radius (m) as its length; `centre` has this
    /// length too, and points to the centre from there. The skew, between -1 and 1, is zero for a
    /// symmetric motion; with a positive one the hand is quick early.
    case arc(centre: Vector, angle: Double, skew: Double)
  }

  var shape: Shape
  /// The start in seconds.
  var start: Double
  /// The duration in seconds, positive.
  var duration: Double
  /// The amount in m s-1, m or m s-2, depending on the shape.
  var amount: Vector

  var end: Double { start + duration }

  /// Returns the acceleration in m s-2 in the body's frame; zero outside the pulse.
  func acceleration(at time: Double) -> Vector {
    let s = (time - start) / duration
    guard s > 0, s < 1 else { return .zero }
    if case .arc(let centre, let angle, let skew) = shape {
      return turning(s, about: centre, by: angle, skew: skew)
    }
    return amount * gain(s)
  }

  /// The acceleration along the arc and the one towards its centre.
  private func turning(
    _ time: Double, about centre: Vector, by angle: Double, skew: Double
  ) -> Vector {
    // The time runs quicker at first and slower at last by the skew, with both ends in place.
    let s = time + skew * time * (1 - time)
    let pace = 1 + skew * (1 - 2 * time)
    let p = s * (1 - s)
    let slope = 30 * p * p
    let bend = 60 * p * (1 - 2 * s)
    let rate = slope * pace * angle / duration
    let growth = (bend * pace * pace - 2 * skew * slope) * angle / (duration * duration)
    let passed = angle * smoothStep(s)
    let (sine, cosine) = (Math.sin(passed), Math.cos(passed))
    let along = amount * cosine + centre * sine
    let inward = centre * cosine - amount * sine
    return along * growth + inward * (rate * rate)
  }

  private func gain(_ s: Double) -> Double {
    switch shape {
    case .ramp:
      let p = s * (1 - s)
      return 30 * p * p / duration
    case .stop:
      return .pi / 2 * Math.sin(.pi * s) / duration
    case .reach:
      return 60 * s * (1 - s) * (1 - 2 * s) / (duration * duration)
    case .ring(let frequency, let decay):
      let t = s * duration
      return Math.sin(2 * .pi * frequency * t) * Math.exp(-t / decay)
    case .arc:
      return 0
    }
  }
}

/// Rises from 0 to 1 with zero speed and acceleration at both ends.
func smoothStep(_ s: Double) -> Double {
  let s = min(max(s, 0), 1)
  return s * s * s * (10 + s * (6 * s - 15))
}
