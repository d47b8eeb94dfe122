import TraceModel

/// A satellite receiver with the errors of a phone: white noise, noise correlated over a minute
/// (Gauss-Markov), episodes of bad reception, a Doppler speed that is much better than the
/// positions, gaps, invalid fixes, and late fixes.
struct Receiver: Sendable {
  /// The standard deviation of the white noise per axis in m.
  let white: Double
  let correlated: Double
  /// The correlation time in seconds.
  let correlationTime: Double
  /// The standard deviation of the Doppler speed per axis in m s-1.
  let doppler: Double
  /// The stated accuracies in episodes of bad reception in m, and the number of episodes per hour.
  let episodeAccuracy: ClosedRange<Double>
  let episodesPerHour: Double
  let gapsPerHour: Double

  init(_ surroundings: Surroundings, random: inout SeededGenerator) {
    switch surroundings {
    case .open:
      white = random.uniform(0.5...0.7)
      correlated = random.uniform(3...4)
      doppler = random.uniform(0.1...0.17)
      episodesPerHour = 5
      gapsPerHour = 6
    case .forest:
      white = random.uniform(1.1...1.5)
      correlated = random.uniform(5...6)
      doppler = random.uniform(0.22...0.3)
      episodesPerHour = 16
      gapsPerHour = 16
    }
    correlationTime = random.uniform(30...100)
    episodeAccuracy = 30...80
  }

  /// The radius that holds 68 % of a circular normal distribution, in standard deviations of one
  /// axis: sqrt(-2 ln 0.32). This is Android's definition of a fix's accuracy.
  static let accuracyFactor = 1.509592

  /// The motion of the receiver.
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
    for start in Weather.instants(receiver.episodesPerHour * hours, end: end, random: &random) {
      let accuracy = random.uniform(receiver.episodeAccuracy)
      let range = start...(start + random.uniform(12...40))
      episodes.append((range, accuracy / Receiver.accuracyFactor))
    }
    for start in Weather.instants(receiver.gapsPerHour * hours, end: end, random: &random) {
      gaps.append(start...(start + random.uniform(5...40)))
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

/// The state of the receiver's errors between fixes.
private struct ErrorState {
  private let receiver: Receiver
  private let memory: Double
  private var random: SeededGenerator
  /// The drift with unit variance: east, north, up.
  private var drift: Vector
  /// The effect of reflections: noise through two low-pass filters, so that it drifts without
  /// jumps.
  private var reflection: Vector
  private var shadow: Vector
  private let shadowMemory: Double
  /// The time constant of each low-pass filter in seconds.
  private static let shadowTime = 12.0

  init(receiver: Receiver, interval: Double, random: SeededGenerator) {
    self.receiver = receiver
    self.random = random
    memory = Math.exp(-interval / receiver.correlationTime)
    drift = self.random.normalVector(standardDeviation: 1)
    shadowMemory = Math.exp(-interval / ErrorState.shadowTime)
    reflection = self.random.normalVector(standardDeviation: 1)
    shadow = reflection
  }

  private mutating func advance() {
    let fresh = (1 - memory * memory).squareRoot()
    drift = drift * memory + random.normalVector(standardDeviation: fresh)
    let m = shadowMemory
    let quick = (1 - m * m).squareRoot()
    reflection = reflection * m + random.normalVector(standardDeviation: quick)
    // The factor makes the variance of the second low pass 1 again.
    let scale = (1 + m) / (1 + m * m).squareRoot()
    shadow = shadow * m + reflection * ((1 - m) * scale)
  }

  mutating func fix(
    of motion: Receiver.Motion, at time: Double, episode: Double,
    random: inout SeededGenerator
  ) -> Fix {
    advance()
    let error =
      drift * receiver.correlated + shadow * episode
      + random.normalVector(standardDeviation: receiver.white)
    let way = motion.profile.way(at: time)
    let point = motion.path.point(at: way).moved(east: error.x, north: error.y)
    let sigma =
      (receiver.correlated * receiver.correlated + receiver.white * receiver.white
      + episode * episode).squareRoot()
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
    let sigma = receiver.doppler * (episode > 0 ? 2.5 : 1)
    let speed = motion.profile.speed(at: time)
    let heading = motion.path.heading(at: motion.profile.way(at: time))
    let east = speed * Math.sin(heading) + random.normal(standardDeviation: sigma)
    let north = speed * Math.cos(heading) + random.normal(standardDeviation: sigma)
    fix.speed = (east * east + north * north).squareRoot()
    fix.speedAccuracy = sigma * random.factor(spread: 0.2)
    let course = Math.degrees(Math.atan2(east, north))
    fix.course = fix.speed < 0.5 ? -1 : course < 0 ? course + 360 : course
  }
}
