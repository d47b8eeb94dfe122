/// The hours of a day by activity.
///
/// ```swift
/// let parts = [DayProfile.Part(activity: "walk", hours: 2), .init(activity: "sit", hours: 9)]
/// DayProfile(name: "office", parts: parts).hours  // 11.0
/// ```
public struct DayProfile: Hashable, Sendable, Encodable {
  public static let schema = "shadowbox-day/1"
  /// The number of hours in a day, which a profile may not exceed.
  public static let day = 24.0

  public struct Part: Hashable, Sendable, Encodable {
    public var activity: String
    /// The hours per day.
    public var hours: Double

    public init(activity: String, hours: Double) {
      self.activity = activity
      self.hours = hours
    }
  }

  public var name: String
  /// The activities, each once; together at most ``day`` hours.
  public var parts: [Part]

  public init(name: String, parts: [Part]) {
    self.name = name
    self.parts = parts
  }

  public var hours: Double { parts.reduce(0) { $0 + $1.hours } }
}
