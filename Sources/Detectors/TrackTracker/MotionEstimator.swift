import TraceModel

/// A causal estimate of the distance moved, from positions and, if the device states it, speed.
///
/// A Kalman filter with constant velocity and white acceleration per axis smooths the positions;
/// the length of its velocity, integrated, is one estimate of each step (the sum of the filtered
/// positions would count their corrections as movement). The trapezoid of the device's speed is the
/// other. The two are weighted by their variances. Position errors that are correlated over
/// `correlationTime` contribute 2 σ² (1 - exp(-dt/τ)) per step. The trapezoid contributes q dt³/12
/// from the acceleration between its ends and σ² dt²/2 from the error of the speed. So the speed
/// dominates at 1 Hz, and the position at one fix in ten seconds.
///
/// A fix without accuracy comes from a finished track: the device has filtered its positions, and
/// filtering them again cuts loops short. There the step is the straight line between positions that
/// are smoothed only as far as the track is rough (``Roughness``), and a speed, whose accuracy is not
/// stated either, only separates standing from moving: the odometers of watches, which integrate it,
/// are no better than the sum of the straight lines.
struct MotionEstimator: Sendable, Codable {
  enum Outcome: Equatable {
    /// The first fix, which has no predecessor.
    case started
    case moved(meters: Double, isMoving: Bool)
    /// The fix does not fit the previous ones.
    case refused
  }

  private typealias Parameters = TrackDetector.Parameters

  /// The chi-square limit with two degrees of freedom at 0.1 %.
  private static let innovationLimit = 13.8
  /// After this many misfits in a row the filter counts as wrong and restarts.
  private static let restartAfter = 3
  /// The longest gap in seconds, such as a tunnel, that counts as movement if the person moves
  /// before and after it. A longer one leaves time for a rest.
  private static let longestMovingGap = 60.0
  /// The short-term noise of a fix as a share of its total error, most of which drifts slowly.
  private static let whiteShare = 0.6
  /// A position without accuracy is refused by its total error times this factor, not by its
  /// roughness: a smooth track may turn sharply.
  private static let unstatedLimit = 2.0
  /// The minimum in metres: no phone is more accurate.
  private static let leastSigma = 1.0
  /// The maximum in metres, half the circumference of the Earth: squares of values from a corrupt
  /// file would be infinite.
  private static let greatestSigma = 2e7

  private let parameters: TrackDetector.Parameters
  private var filter: PlanarFilter?
  private var time = TraceInstant.zero
  private var speed: DeviceSpeed?
  /// The point up to which the distance is counted while standing; otherwise the last point of
  /// progress.
  private var anchor = Position(latitude: .nan, longitude: .nan)
  private var anchorTime = TraceInstant.zero
  private var isStanding = true
  private var misfits = 0
  /// The short-term noise of positions without accuracy; nil = none so far.
  private var roughness: Roughness?

  init(_ parameters: TrackDetector.Parameters) { self.parameters = parameters }

  /// Forgets the last fix: the next one starts a new stretch.
  mutating func restart() {
    filter = nil
    roughness?.restart()
  }

  /// - Parameters:
  ///   - fix: its coordinates are valid.
  ///   - now: later than the time of the previous fix, which ``TrackDetector`` ensures.
  mutating func take(_ fix: Fix, at now: TraceInstant) -> Outcome {
    let sigma = sigma(of: fix)
    let isStated = fix.horizontalAccuracy >= 0
    if !isStated { addToRoughness(fix, at: now) }
    let newSpeed = DeviceSpeed(fix, parameters: parameters)
    guard var filter else {
      start(fix, sigma: sigma, speed: newSpeed, at: now)
      anchor = Position(fix)
      return .started
    }
    let dt = Double(time.nanoseconds(to: now)) / 1e9
    if dt > parameters.gapLimit { return jump(to: fix, sigma: sigma, speed: newSpeed, at: now) }
    let (before, old) = (filter.velocity.length, filter.position)
    let misfit = filter.step(
      to: fix, after: dt, sigma: isStated ? sigma * Self.whiteShare : roughness?.sigma ?? 0,
      limitSigma: isStated ? sigma * Self.whiteShare : Self.unstatedLimit * sigma,
      accelerationDensity: parameters.accelerationDensity)
    guard misfit <= Self.innovationLimit, filter.position.isValid else {
      misfits += 1
      guard misfits >= Self.restartAfter else { return .refused }
      return jump(to: fix, sigma: sigma, speed: newSpeed, at: now)
    }
    let byPosition =
      isStated
      ? (before + filter.velocity.length) / 2 * dt : old.distance(to: filter.position)
    let oldSpeed = speed
    self.filter = filter
    time = now
    speed = newSpeed
    misfits = 0
    guard let oldSpeed, let newSpeed else {
      return moved(byPosition, leash: parameters.leash * sigma)
    }
    return moved(
      byPosition, from: oldSpeed, to: newSpeed, sigma: sigma, isStated: isStated, after: dt)
  }

  private mutating func addToRoughness(_ fix: Fix, at now: TraceInstant) {
    var roughness = roughness ?? Roughness()
    roughness.add(Position(fix), at: now)
    self.roughness = roughness
  }

  /// Processes a step with a speed at both ends.
  private mutating func moved(
    _ byPosition: Double, from oldSpeed: DeviceSpeed, to newSpeed: DeviceSpeed, sigma: Double,
    isStated: Bool, after dt: Double
  ) -> Outcome {
    setAnchor()
    isStanding = max(oldSpeed.value, newSpeed.value) < parameters.standingSpeed
    if isStanding { return .moved(meters: 0, isMoving: false) }
    guard isStated || (oldSpeed.isStated && newSpeed.isStated) else {
      return .moved(meters: byPosition, isMoving: true)
    }
    return .moved(
      meters: weighed(byPosition, from: oldSpeed, to: newSpeed, sigma: sigma, after: dt),
      isMoving: true)
  }

  /// Weighs a step by position against the trapezoid of the speeds, by their variances.
  private func weighed(
    _ byPosition: Double, from oldSpeed: DeviceSpeed, to newSpeed: DeviceSpeed, sigma: Double,
    after dt: Double
  ) -> Double {
    let bySpeed = (oldSpeed.value + newSpeed.value) / 2 * dt
    let positionVariance = -2 * sigma * sigma * Math.expm1(-dt / parameters.correlationTime)
    let speedVariance =
      parameters.accelerationDensity * dt * dt * dt / 12
      + (oldSpeed.variance + newSpeed.variance) / 4 * dt * dt
    let weight = positionVariance / (positionVariance + speedVariance)
    return weight * bySpeed + (1 - weight) * byPosition
  }

  /// Processes a step without a speed. The person stands until the distance to the anchor reaches
  /// the leash, which is then counted. The person moves as long as the leash is reached again
  /// within the hold.
  private mutating func moved(_ byPosition: Double, leash: Double) -> Outcome {
    let away = anchor.distance(to: position)
    if isStanding {
      guard away > leash else { return .moved(meters: 0, isMoving: false) }
      isStanding = false
      setAnchor()
      return .moved(meters: away, isMoving: true)
    }
    if away > leash {
      setAnchor()
    } else if Double(anchorTime.nanoseconds(to: time)) / 1e9 >= parameters.standingHold {
      isStanding = true
      setAnchor()
    }
    return .moved(meters: byPosition, isMoving: true)
  }

  /// Restarts at `fix` after a gap or after misfits, and counts the straight line unless it is
  /// within the noise or impossibly fast.
  ///
  /// A person who moves before and after a short gap, by the stated speeds, has moved during it,
  /// too. The line is weighed against the speeds, because a bend is longer than its chord and a
  /// short line is not a stop.
  private mutating func jump(
    to fix: Fix, sigma: Double, speed newSpeed: DeviceSpeed?, at now: TraceInstant
  ) -> Outcome {
    if !isStanding { setAnchor() }
    let away = anchor.distance(to: Position(fix))
    let dt = Double(time.nanoseconds(to: now)) / 1e9
    let oldSpeed = speed
    start(fix, sigma: sigma, speed: newSpeed, at: now)
    if dt > parameters.gapLimit, dt <= Self.longestMovingGap,
      fix.horizontalAccuracy >= 0, let oldSpeed, let newSpeed,
      oldSpeed.isStated, newSpeed.isStated,
      min(oldSpeed.value, newSpeed.value) >= parameters.standingSpeed,
      away <= parameters.maximumSpeed * dt
    {
      isStanding = false
      setAnchor()
      return .moved(
        meters: weighed(away, from: oldSpeed, to: newSpeed, sigma: sigma, after: dt),
        isMoving: true)
    }
    guard away > parameters.leash * sigma else { return .moved(meters: 0, isMoving: false) }
    setAnchor()
    let isPossible = away <= parameters.maximumSpeed * dt
    return .moved(meters: isPossible ? away : 0, isMoving: false)
  }

  private mutating func start(
    _ fix: Fix, sigma: Double, speed: DeviceSpeed?, at now: TraceInstant
  ) {
    filter = PlanarFilter(at: Position(fix), sigma: sigma * Self.whiteShare)
    time = now
    self.speed = speed
    isStanding = true
    misfits = 0
  }

  private mutating func setAnchor() {
    anchor = position
    anchorTime = time
  }

  private var position: Position { filter?.position ?? anchor }

  /// The standard deviation per axis in metres. A horizontal accuracy is the 63-68 % radius, √2 σ
  /// on iOS.
  private func sigma(of fix: Fix) -> Double {
    guard fix.horizontalAccuracy >= 0, fix.horizontalAccuracy.isFinite else {
      return parameters.unknownSigma
    }
    return min(max(fix.horizontalAccuracy / 2.0.squareRoot(), Self.leastSigma), Self.greatestSigma)
  }
}

/// A speed stated by the device in m/s, and its variance.
private struct DeviceSpeed: Sendable, Codable {
  let value: Double
  let variance: Double
  /// Whether the device states the speed's accuracy.
  let isStated: Bool

  /// Returns nil if the fix has no valid speed: the speed is negative or NaN, or its accuracy is
  /// negative.
  init?(_ fix: Fix, parameters: TrackDetector.Parameters) {
    guard fix.speed >= 0, fix.speed <= parameters.maximumSpeed, !(fix.speedAccuracy < 0) else {
      return nil
    }
    value = fix.speed
    isStated = fix.speedAccuracy.isFinite
    let sigma =
      isStated
      ? min(max(fix.speedAccuracy, 0.05), parameters.maximumSpeed) : parameters.speedSigma
    variance = sigma * sigma
  }
}

/// A Kalman filter of position and velocity with white acceleration, the same for both axes.
struct PlanarFilter: Sendable, Codable {
  private(set) var position: Position
  /// The velocity in m/s.
  private(set) var velocity = PlanarVector.zero
  // The covariance of one axis: position, position with velocity, velocity.
  private var pp: Double
  private var pv = 0.0
  /// The initial standard deviation is 10 m/s: the speed is unknown at first.
  private var vv = 100.0

  init(at position: Position, sigma: Double) {
    self.position = position
    pp = sigma * sigma
  }

  /// Predicts over `dt` seconds and corrects with the fix, with a noise of `sigma` metres per axis.
  /// - Returns: the squared innovation over its variance if the noise were `limitSigma`, chi-square
  ///   with two degrees of freedom.
  mutating func step(
    to fix: Fix, after dt: Double, sigma: Double, limitSigma: Double,
    accelerationDensity q: Double
  ) -> Double {
    pp += dt * (2 * pv + dt * vv) + q * dt * dt * dt / 3
    pv += dt * vv + q * dt * dt / 2
    vv += q * dt
    // The plane touches at the last position, so that its distortion does not accumulate.
    let frame = LocalFrame(latitude: position.latitude, longitude: position.longitude)
    let predicted = PlanarVector(east: velocity.east * dt, north: velocity.north * dt)
    let measured = frame.offset(latitude: fix.latitude, longitude: fix.longitude)
    let innovation = PlanarVector(
      east: measured.east - predicted.east, north: measured.north - predicted.north)
    let variance = pp + sigma * sigma
    let limit = pp + limitSigma * limitSigma
    let gain = pp / variance
    let velocityGain = pv / variance
    let corrected = frame.position(
      of: PlanarVector(
        east: predicted.east + gain * innovation.east,
        north: predicted.north + gain * innovation.north))
    position = Position(latitude: corrected.latitude, longitude: corrected.longitude)
    velocity.east += velocityGain * innovation.east
    velocity.north += velocityGain * innovation.north
    vv -= velocityGain * pv
    pv -= gain * pv
    pp -= gain * pp
    return (innovation.east * innovation.east + innovation.north * innovation.north) / limit
  }
}
