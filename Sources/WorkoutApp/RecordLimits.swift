import AppEngines

extension Workout {
  /// The limits of a record that a server saves. They are far beyond any real workout, so that only
  /// an error or an invention is refused.
  enum RecordLimits {
    /// The longest duration in seconds: ten days.
    static let longestDuration = 864_000.0
    /// The most locations: ten days of a fix per second.
    static let mostLocations = 1_000_000
    /// The most splits: those of ten days at the highest speed.
    static let mostSplits = 60_000
    /// How far in the future a workout may be, in nanoseconds: a day, for phones whose clock or time
    /// zone is wrong.
    static let mostAhead: Int64 = 86_400_000_000_000
    /// How long before the start, in nanoseconds, a location may be: a day, for kept fixes.
    static let mostBefore: Int64 = 86_400_000_000_000

    /// The highest average speed in m/s. The records are 10.4 m/s over 100 m on foot, 25 m/s over
    /// 200 m on a bicycle (15.8 m/s for an hour), and 2.5 m/s over 50 m in the water.
    static func fastest(_ sport: Sport) -> Double {
      switch sport {
      case .run: 15
      case .bike: 45
      case .swim: 4
      }
    }

    /// What a distance may be too long in metres, by errors of positions or of counted laps.
    static func slack(_ sport: Sport) -> Double { sport == .swim ? 100 : 1000 }

    /// Returns why a distance in metres cannot be covered in a time in seconds; nil = it can.
    static func fault(_ sport: Sport, distance: Double, seconds: Double) -> Refusal? {
      let most = fastest(sport) * seconds + slack(sport)
      guard !(distance <= most) else { return nil }
      let limit = DecimalText.text(most, decimals: 0) ?? "?"
      return Refusal(
        "too-fast",
        "A \(sport.noun) of this time covers at most \(limit) m; correct its distance or its time.")
    }
  }
}

extension Workout.Record {
  /// Returns why a server does not save the record; nil = it does.
  ///
  /// - Parameter now: the server's time.
  func refusal(now: WallTime) -> Refusal? {
    typealias Limits = Workout.RecordLimits
    if let fault { return fault }
    guard summary.duration <= Limits.longestDuration else {
      return Refusal("too-long", "A workout of more than 10 days cannot be saved.")
    }
    guard segments.reduce(0, { $0 + $1.count }) <= Limits.mostLocations,
      splits.count <= Limits.mostSplits
    else {
      return Refusal(
        "too-large", "A workout of more than \(Limits.mostLocations) locations cannot be saved.")
    }
    guard summary.start <= now.advanced(byNanoseconds: Limits.mostAhead) else {
      return Refusal(
        "future-date",
        "The workout starts more than a day in the future; set the phone's clock and try again.")
    }
    if let fault = Limits.fault(
      summary.sport, distance: summary.distance, seconds: summary.duration)
    {
      return fault
    }
    return inconsistency(now: now)
  }

  private func inconsistency(now: WallTime) -> Refusal? {
    typealias Limits = Workout.RecordLimits
    let second = 1.0
    guard summary.movingTime <= summary.duration + second,
      summary.paceTime <= summary.duration + second
    else { return Refusal("inconsistent-record", "The moving time is longer than the duration.") }
    let earliest = summary.start.advanced(byNanoseconds: -Limits.mostBefore)
    let latest = now.advanced(byNanoseconds: Limits.mostAhead)
    guard locations.allSatisfy({ earliest <= $0.time && $0.time <= latest }) else {
      return Refusal("inconsistent-record", "A location is not of the time of the workout.")
    }
    guard !segments.isEmpty else { return nil }
    guard summary.distance <= 2 * lineLength + Limits.slack(summary.sport) else {
      return Refusal("inconsistent-record", "The distance is longer than the way of the locations.")
    }
    return nil
  }

  /// The length of the line through all locations in metres.
  private var lineLength: Double {
    let places = locations.map(\.coordinate)
    return zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
  }
}
