import TraceModel

/// A satellite receiver with the errors of a phone: white noise with a heavy tail, a drift over a
/// minute without jumps, episodes of bad reception, positions that are held while the phone stands,
/// a Doppler speed that is much better than the positions, gaps, invalid fixes, and late fixes.
///
/// The sizes are those of recorded tracks, see docs/simulated-and-recorded.md.
struct Receiver: Sendable {
  /// The typical standard deviation of the white noise per axis in m; it varies by a factor.
  let white: Double
  let correlated: Double
  /// The sum of the time constants of the drift's two low passes in seconds.
  let correlationTime: Double
  /// The chance that a fix of a standing phone repeats the position before it.
  let heldShare: Double
  /// How much the size of the white noise varies: the standard deviations of its logarithm over a
  /// minute and from fix to fix.
  let slowRoughness: Double
  let quickRoughness: Double
  /// The Doppler noise of a standing device as a share of a moving one's.
  let standingDoppler: Double
  /// The white noise of a standing device as a share of a moving one's.
  let standingWhite: Double
  /// The part of a moving watch's turns and pace changes that its smoothing delays, per axis in m.
  let lag: Double
  /// The standard deviation of the Doppler speed per axis in m s-1.
  let doppler: Double
  /// The stated accuracies in episodes of bad reception in m, and the number of episodes per hour.
  let episodeAccuracy: ClosedRange<Double>
  let episodesPerHour: Double
  let gapsPerHour: Double

  enum Device: Sendable {
    case phone
    /// A watch that smooths its positions and speeds.
    case watch
  }

  init(_ surroundings: Surroundings, on device: Device, random: inout SeededGenerator) {
    let isPhone = device == .phone
    let noise = isPhone ? 1 : 0.36
    let size = isPhone ? 1 : 0.42
    switch surroundings {
    case .open:
      white = noise * random.uniform(0.07...0.18)
      correlated = size * random.uniform(3.8...4.8)
      doppler = (isPhone ? 1 : 0.05) * random.uniform(0.1...0.17)
      episodesPerHour = 5
      gapsPerHour = 6
    case .forest:
      white = noise * random.uniform(0.16...0.36)
      correlated = size * random.uniform(8...9.5)
      doppler = (isPhone ? 1 : 0.05) * random.uniform(0.22...0.3)
      episodesPerHour = 16
      gapsPerHour = 16
    }
    correlationTime = isPhone ? random.uniform(70...200) : random.uniform(100...200)
    heldShare = isPhone ? random.uniform(0...0.38) : random.uniform(0.25...0.6)
    slowRoughness = isPhone ? 0.7 : 0.5
    quickRoughness = isPhone ? 0.85 : 0.95
    standingDoppler = isPhone ? 0.08 : 1.4
    standingWhite = isPhone ? 0.7 : 0.4
    lag = isPhone ? 0 : 0.33
    episodeAccuracy = 30...80
  }

  /// The radius that holds 68 % of a circular normal distribution, in standard deviations of one
  /// axis: sqrt(-2 ln 0.32). This is Android's definition of a fix's accuracy.
  static let accuracyFactor = 1.509592

  struct Motion: Sendable {
    var path: GroundPath
    var profile: SpeedProfile

    func point(at time: Double) -> GeodeticPoint { path.point(at: profile.way(at: time)) }
  }

  /// Returns fixes at `rate` Hz from the start of the app at `opened`, in the order of arrival; the
  /// first one was measured at zero and comes from the cache.
  func fixes(
    of motion: Motion, opened: Double, end: Double, rate: Double, random: inout SeededGenerator
  ) -> FixColumns {
    let weather = Weather(receiver: self, end: end, random: random.split())
    var state = ErrorState(receiver: self, interval: 1 / rate, random: random.split())
    var columns = FixColumns()
    var lastArrival = 0.0
    for index in 0...Int((end * rate).rounded(.down)) {
      let time = Double(index) / rate
      let episode = weather.episodeSigma(at: time)
      var fix = state.fix(of: motion, at: time, episode: episode, random: &random)
      let delay = arrivalDelay(&random)
      if index == 0 {
        lastArrival = opened
      } else {
        if time < opened || weather.isGap(at: time) { continue }
        if weather.isInvalid(at: time, step: 1 / rate) { spoil(&fix, random: &random) }
        lastArrival = max(lastArrival, time + delay)
      }
      if lastArrival > end { continue }
      columns.append(
        fix, measured: instant(time).nanoseconds, arrived: instant(lastArrival).nanoseconds)
    }
    return columns
  }

  /// Draws an arrival delay: mostly 0.1 to 0.2 s, occasionally longer when the phone is busy.
  private func arrivalDelay(_ random: inout SeededGenerator) -> Double {
    let usual = random.uniform(0.04...0.25)
    let isLate = random.chance(0.01)
    let extra = random.uniform(1...4)
    return isLate ? usual + extra : usual
  }

  /// Makes a fix invalid: some hundred metres off, like a position estimated from the network.
  private func spoil(_ fix: inout Fix, random: inout SeededGenerator) {
    let wild = GeodeticPoint(degreesLatitude: fix.latitude, longitude: fix.longitude)
      .moved(east: random.uniform(-300...300), north: random.uniform(-300...300))
    fix.latitude = Math.degrees(wild.latitude)
    fix.longitude = Math.degrees(wild.longitude)
    fix.horizontalAccuracy = -1
    fix.speed = -1
    fix.speedAccuracy = -1
    fix.course = -1
  }
}

/// The times of bad reception, of no reception and of invalid fixes.
private struct Weather {
  private var episodes: [(range: ClosedRange<Double>, sigma: Double)] = []
  private var gaps: [ClosedRange<Double>] = []
  private var invalid: [Double] = []

  init(receiver: Receiver, end: Double, random: SeededGenerator) {
    var random = random
    let hours = end / 3600
    episodes = Weather.instants(receiver.episodesPerHour * hours, end: end, random: &random).map {
      let accuracy = random.uniform(receiver.episodeAccuracy)
      return ($0...($0 + random.uniform(12...40)), accuracy / Receiver.accuracyFactor)
    }
    gaps = Weather.instants(receiver.gapsPerHour * hours, end: end, random: &random).map {
      $0...($0 + random.uniform(5...40))
    }
    invalid = Weather.instants(4 * hours, end: end, random: &random)
  }

  /// Draws instants, at least one, after the first 90 s.
  private static func instants(
    _ expected: Double, end: Double, random: inout SeededGenerator
  ) -> [Double] {
    let count = max(Int(expected.rounded()), 1)
    return (0..<count).map { _ in random.uniform(90...max(end - 20, 91)) }.sorted()
  }

  /// Returns the additional standard deviation; zero with good reception.
  func episodeSigma(at time: Double) -> Double {
    guard let episode = episodes.first(where: { $0.range.contains(time) }) else { return 0 }
    // An episode starts and ends within six seconds.
    let edge = min(time - episode.range.lowerBound, episode.range.upperBound - time)
    return episode.sigma * min(edge / 6, 1)
  }

  func isGap(at time: Double) -> Bool { gaps.contains { $0.contains(time) } }

  func isInvalid(at time: Double, step: Double) -> Bool {
    invalid.contains { $0 >= time && $0 < time + step }
  }
}

/// Noise of unit variance through two equal low passes, so that it drifts without jumps: its
/// autocorrelation is (1 + t/T) exp(-t/T).
private struct SmoothNoise {
  private let memory: Double
  private var first: Vector
  private(set) var value: Vector

  /// - Parameter time: the time constant T of each low pass in s.
  init(time: Double, interval: Double, random: inout SeededGenerator) {
    memory = Math.exp(-interval / time)
    // The stationary state of short intervals, in which the two correlate by the root of a half.
    first = random.normalVector(standardDeviation: 1)
    value = (first + random.normalVector(standardDeviation: 1)) * 0.5.squareRoot()
  }

  mutating func advance(_ random: inout SeededGenerator) {
    let m = memory
    first = first * m + random.normalVector(standardDeviation: (1 - m * m).squareRoot())
    // The factor makes the variance of the second low pass 1 again.
    let scale = (1 + m) / (1 + m * m).squareRoot()
    value = value * m + first * ((1 - m) * scale)
  }
}

/// The state of the receiver's errors between fixes.
private struct ErrorState {
  private let receiver: Receiver
  private var random: SeededGenerator
  /// The drift: east, north, up.
  private var drift: SmoothNoise
  /// The effect of reflections in episodes of bad reception.
  private var shadow: SmoothNoise
  /// The effect of the surroundings on the sizes of the drift (x) and of the white noise (y).
  private var sky: SmoothNoise
  private var lag: SmoothNoise
  private var held: Vector?

  /// The time constants of a low pass of the reflections and of the sky in seconds.
  private static let shadowTime = 12.0
  private static let skyTime = 30.0
  private static let lagTime = 1.5
  /// The standard deviation of the logarithm of the drift's size.
  private static let drifting = 0.5

  init(receiver: Receiver, interval: Double, random: SeededGenerator) {
    self.receiver = receiver
    var random = random
    drift = SmoothNoise(
      time: receiver.correlationTime / 2, interval: interval, random: &random)
    shadow = SmoothNoise(time: ErrorState.shadowTime, interval: interval, random: &random)
    sky = SmoothNoise(time: ErrorState.skyTime, interval: interval, random: &random)
    lag = SmoothNoise(time: ErrorState.lagTime, interval: interval, random: &random)
    self.random = random
  }

  private mutating func advance() {
    drift.advance(&random)
    shadow.advance(&random)
    sky.advance(&random)
    lag.advance(&random)
  }

  /// The standard deviation of the drift now; its mean square is that of the receiver.
  private var driftSize: Double {
    let spread = ErrorState.drifting
    return receiver.correlated * Math.exp(spread * sky.value.x - spread * spread)
  }

  /// Returns the white noise of a fix; it has a heavy tail, because its size varies.
  private mutating func whiteNoise() -> Vector {
    let logarithm =
      receiver.slowRoughness * sky.value.y
      + random.normal(standardDeviation: receiver.quickRoughness)
    return random.normalVector(standardDeviation: receiver.white * Math.exp(logarithm))
  }

  /// Returns the error of a fix, which is that of the previous fix while the phone stands and the
  /// receiver holds its position.
  private mutating func error(isStanding: Bool, episode: Double) -> Vector {
    let size = isStanding ? receiver.standingWhite : 1
    let fresh =
      drift.value * driftSize + shadow.value * episode + whiteNoise() * size
      + lag.value * (isStanding ? 0 : receiver.lag)
    let isHeld = isStanding && random.chance(receiver.heldShare)
    let error = isHeld ? held ?? fresh : fresh
    held = isStanding ? error : nil
    return error
  }

  mutating func fix(
    of motion: Receiver.Motion, at time: Double, episode: Double,
    random: inout SeededGenerator
  ) -> Fix {
    advance()
    let error = error(isStanding: motion.profile.speed(at: time) == 0, episode: episode)
    let way = motion.profile.way(at: time)
    let point = motion.path.point(at: way).moved(east: error.x, north: error.y)
    let sigma =
      (driftSize * driftSize + receiver.white * receiver.white + episode * episode).squareRoot()
    let claim = max(sigma * Receiver.accuracyFactor * random.factor(spread: 0.15), 2)
    var fix = Fix(
      latitude: Math.degrees(point.latitude), longitude: Math.degrees(point.longitude),
      altitude: 40 + 1.5 * error.z, horizontalAccuracy: claim)
    measureSpeed(&fix, motion, at: time, episode: episode, random: &random)
    return fix
  }

  /// Measures the speed from the Doppler shift, as a vector; without movement there is no course.
  private func measureSpeed(
    _ fix: inout Fix, _ motion: Receiver.Motion, at time: Double, episode: Double,
    random: inout SeededGenerator
  ) {
    let speed = motion.profile.speed(at: time)
    let sigma =
      receiver.doppler * (episode > 0 ? 2.5 : 1) * (speed == 0 ? receiver.standingDoppler : 1)
    let heading = motion.path.heading(at: motion.profile.way(at: time))
    let east = speed * Math.sin(heading) + random.normal(standardDeviation: sigma)
    let north = speed * Math.cos(heading) + random.normal(standardDeviation: sigma)
    fix.speed = (east * east + north * north).squareRoot()
    fix.speedAccuracy = sigma * random.factor(spread: 0.2)
    let course = Math.degrees(Math.atan2(east, north))
    fix.course = fix.speed < 0.5 ? -1 : course < 0 ? course + 360 : course
  }
}
