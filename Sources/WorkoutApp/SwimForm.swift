public import AppEngines

extension Workout {
  /// The form for a swim, which is entered instead of measured.
  public struct SwimForm: Hashable, Sendable, Codable {
    /// The selected date of the swim, independent of the time of entry.
    public var date: WallTime
    /// The length of a lap in metres; more than 0 and at most 10,000.
    public var lapLength: Double
    /// The number of laps, 1...10,000.
    public var laps: Int
    /// The time: 0...99 h, 0...59 min, 0...59 s.
    public var hours: Int
    public var minutes: Int
    public var seconds: Int

    public init(
      date: WallTime, lapLength: Double, laps: Int, hours: Int = 0, minutes: Int = 0,
      seconds: Int = 0
    ) {
      (self.date, self.lapLength, self.laps) = (date, lapLength, laps)
      (self.hours, self.minutes, self.seconds) = (hours, minutes, seconds)
    }

    /// The distance in metres: laps times their length. Only valid without a ``refusal(now:)``.
    public var distance: Double { Double(laps) * lapLength }
    /// The duration in seconds. Only valid without a ``refusal(now:)``.
    public var duration: Double { Double(hours) * 3600 + Double(minutes) * 60 + Double(seconds) }

    /// Returns what has to be corrected before saving; nil = nothing.
    public func refusal(now: WallTime) -> Refusal? {
      if date > now { return Refusal("future-date", "A swim cannot be in the future.") }
      guard lapLength > 0, lapLength <= 10_000 else {
        return Refusal("lap-length", "Enter a lap length of more than 0 m and at most 10000 m.")
      }
      guard (1...10_000).contains(laps) else { return Refusal("laps", "Enter 1 to 10000 laps.") }
      guard (0...99).contains(hours), (0...59).contains(minutes), (0...59).contains(seconds)
      else { return Refusal("time", "Enter 0 to 99 hours, 0 to 59 minutes and 0 to 59 seconds.") }
      guard duration > 0 else { return Refusal("time", "Enter a time of at least 1 second.") }
      return RecordLimits.fault(.swim, distance: distance, seconds: duration)
    }
  }
}
