extension Workout {
  /// What a swimmer enters: nothing is measured.
  public struct SwimForm: Hashable, Sendable, Codable {
    /// The picked date, which is when it counts, whenever it is entered.
    public var date: WallTime
    /// Metres; more than 0 and at most 10,000.
    public var lapLength: Double
    /// 1...10,000.
    public var laps: Int
    /// 0...99.
    public var hours: Int
    /// 0...59.
    public var minutes: Int
    /// 0...59.
    public var seconds: Int

    public init(
      date: WallTime, lapLength: Double, laps: Int, hours: Int = 0, minutes: Int = 0,
      seconds: Int = 0
    ) {
      self.date = date
      self.lapLength = lapLength
      self.laps = laps
      self.hours = hours
      self.minutes = minutes
      self.seconds = seconds
    }

    /// Metres: laps times their length. Of a form that has a ``refusal(now:)`` it means nothing.
    public var distance: Double { Double(laps) * lapLength }
    /// Seconds, of a form without a ``refusal(now:)``.
    public var duration: Double {
      Double(hours) * 3600 + Double(minutes) * 60 + Double(seconds)
    }

    /// What has to be mended before it can be saved; nil = nothing.
    public func refusal(now: WallTime) -> Refusal? {
      if date > now { return Refusal("future-date", "A swim cannot lie in the future.") }
      guard lapLength > 0, lapLength <= 10_000 else {
        return Refusal("lap-length", "A lap is more than 0 m and at most 10000 m long.")
      }
      guard (1...10_000).contains(laps) else {
        return Refusal("laps", "Enter 1 to 10000 laps.")
      }
      guard (0...99).contains(hours), (0...59).contains(minutes), (0...59).contains(seconds)
      else {
        return Refusal("time", "Enter 0 to 99 hours, 0 to 59 minutes and 0 to 59 seconds.")
      }
      return duration > 0 ? nil : Refusal("time", "A swim takes at least a second.")
    }
  }
}
