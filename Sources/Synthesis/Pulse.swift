import TraceModel

/// One stretch of acceleration along one direction of the body's frame: the brick of all motion.
struct Pulse: Sendable {
  enum Shape: Sendable {
    /// A change of speed by the amount, as smooth as a minimum-jerk movement starts: the speed
    /// follows 10 s³ - 15 s⁴ + 6 s⁵ (Flash and Hogan, J. Neurosci. 5, 1985).
    case ramp
    /// A change of speed by the amount in a half sine: the contact of a body with a spring.
    case stop
    /// A change of place by the amount, from rest to rest with minimum jerk (ibidem).
    case reach
    /// A damped oscillation that begins at zero; the amount is its amplitude in m s-2 undamped.
    /// Frequency in Hz, decay in s.
    case ring(frequency: Double, decay: Double)
  }

  var shape: Shape
  /// Seconds.
  var start: Double
  /// Seconds, positive.
  var duration: Double
  /// m s-1, m or m s-2, as the shape says.
  var amount: Vector

  var end: Double { start + duration }

  static func ring(
    at start: Double, amplitude: Vector, frequency: Double, decay: Double
  ) -> Pulse {
    // After seven decays less than a thousandth is left.
    Pulse(
      shape: .ring(frequency: frequency, decay: decay), start: start, duration: 7 * decay,
      amount: amplitude)
  }

  /// m s-2 in the body's frame; zero outside the pulse.
  func acceleration(at time: Double) -> Vector {
    let s = (time - start) / duration
    guard s > 0, s < 1 else { return .zero }
    return amount * gain(s)
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
    }
  }
}

/// 0 to 1 with zero speed and acceleration at both ends.
func smoothStep(_ s: Double) -> Double {
  let s = min(max(s, 0), 1)
  return s * s * s * (10 + s * (6 * s - 15))
}
