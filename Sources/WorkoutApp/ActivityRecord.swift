public import AppEngines
public import Detectors

extension Workout {
  public struct UserID: RawRepresentable, Hashable, Comparable, Sendable, Codable,
    CodingKeyRepresentable
  {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static func < (left: UserID, right: UserID) -> Bool { left.rawValue < right.rawValue }
  }

  /// The id of an activity, assigned by the recording phone, so that a repeated save is stored
  /// once.
  public struct ActivityID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public var creator: UserID
    /// A random number of the app's installation, so that a phone that lost its state does not
    /// reuse ids.
    public var installation: UInt64
    /// The number from 1, in the order of finishing.
    public var number: Int

    public static func < (left: ActivityID, right: ActivityID) -> Bool {
      (left.creator, left.installation, left.number)
        < (right.creator, right.installation, right.number)
    }

    /// The unique id as text, e.g. `ann/7/3`. A slash in the creator's id is unambiguous, because
    /// the numbers come last.
    public var description: String { "\(creator.rawValue)/\(installation)/\(number)" }
  }

  /// A point of a recorded track.
  public struct Location: Hashable, Sendable, Codable {
    public var coordinate: Coordinate
    /// The altitude in metres above mean sea level; nil = not stated.
    public var altitude: Double?
    public var time: WallTime
  }

  /// A kilometre or mile of a run.
  public struct Split: Hashable, Sendable, Codable {
    /// `km` or `mile`.
    public var unit: String
    /// The number, from 1.
    public var number: Int
    /// The time in seconds from the previous mark to this one, without pauses and standing. Across
    /// a gap it is the proportional part of the gap's time at constant speed.
    public var seconds: Double
    /// The time at which the mark was crossed.
    public var time: WallTime

    /// The length in metres.
    public var length: Double { unit == "km" ? 1000 : Pace.Rule.exact.metersPerMile }

    /// Returns the pace; nil if the time is zero.
    public func pace(_ rule: Pace.Rule = .exact) -> Pace? {
      Pace(seconds: seconds, meters: length, rule: rule)
    }
  }

  public struct Summary: Hashable, Sendable, Codable {
    public var id: ActivityID
    public var creatorName: String
    public var sport: Sport
    public var start: WallTime
    /// The duration in seconds, without pauses but with standing.
    public var duration: Double
    /// The moving time in seconds, without pauses, standing and gaps; for a form, the duration.
    public var movingTime: Double
    /// The time in seconds for the distance: the moving time plus the gaps across which distance
    /// was counted. Without the gaps, a run without fixes on half the way would appear twice as
    /// fast.
    public var paceTime: Double
    /// The distance in metres.
    public var distance: Double

    /// - Parameter paceTime: nil = the moving time.
    public init(
      id: ActivityID, creatorName: String, sport: Sport, start: WallTime, duration: Double,
      movingTime: Double, paceTime: Double? = nil, distance: Double
    ) {
      (self.id, self.creatorName, self.sport, self.start) = (id, creatorName, sport, start)
      (self.duration, self.movingTime, self.distance) = (duration, movingTime, distance)
      self.paceTime = paceTime ?? movingTime
    }

    public var creator: UserID { id.creator }

    /// Returns the average pace over ``paceTime``; nil = none, e.g. at zero distance.
    public func pace(_ rule: Pace.Rule = .exact) -> Pace? {
      Pace(seconds: paceTime, meters: distance, rule: rule)
    }

    /// Whether its figures are valid: a NaN or infinity would invalidate all sums.
    var isPlausible: Bool {
      [duration, movingTime, paceTime, distance].allSatisfy { (0...1e15).contains($0) }
    }

    /// Sorts newest first; equal times by id.
    static func isEarlierInFeed(_ left: Summary, _ right: Summary) -> Bool {
      left.start != right.start ? left.start > right.start : left.id < right.id
    }
  }

  /// A finished activity with all its data.
  public struct Record: Hashable, Sendable, Codable {
    public var summary: Summary
    /// The accepted fixes, one list per stretch between pauses; empty for a form.
    public var segments: [[Location]] = []
    public var splits: [Split] = []

    public var id: ActivityID { summary.id }
    public var locations: [Location] { segments.flatMap(\.self) }
    public var bounds: MapBounds? { MapBounds(around: locations.map(\.coordinate)) }
    public var line: [[Coordinate]] { segments.map { $0.map(\.coordinate) } }

    /// Why the record is invalid; nil = it is valid.
    var fault: Refusal? {
      guard summary.isPlausible else {
        return Refusal("invalid-record", "The times and the distance must be from 0 to 1e15.")
      }
      guard segments.allSatisfy({ $0.allSatisfy(\.coordinate.isValid) }) else {
        return Refusal("invalid-record", "A location is not a position on Earth.")
      }
      guard segments.allSatisfy({ $0.allSatisfy { $0.altitude?.isFinite != false } }) else {
        return Refusal("invalid-record", "An altitude is not a finite number.")
      }
      guard splits.allSatisfy({ $0.seconds >= 0 && $0.seconds.isFinite }) else {
        return Refusal("invalid-record", "The time of a split is negative or not finite.")
      }
      return nil
    }
  }
}
