public import Detectors

extension Workout {
  /// Who has the app: what the server knows an account by.
  public struct UserID: RawRepresentable, Hashable, Comparable, Sendable, Codable,
    CodingKeyRepresentable
  {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public static func < (left: UserID, right: UserID) -> Bool { left.rawValue < right.rawValue }
  }

  /// Of one activity, made by the phone that records it, so that saving it twice is saving it once.
  public struct ActivityID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public var creator: UserID
    /// A random number of the app's installation: a phone that lost its state does not make the
    /// same ids again.
    public var installation: UInt64
    /// From 1, in the order of finishing.
    public var number: Int

    public init(creator: UserID, installation: UInt64, number: Int) {
      self.creator = creator
      self.installation = installation
      self.number = number
    }

    public static func < (left: ActivityID, right: ActivityID) -> Bool {
      (left.creator, left.installation, left.number)
        < (right.creator, right.installation, right.number)
    }

    /// Unique among activities, e.g. `ann/7/3`; a slash in the creator's id is no matter, for the
    /// numbers stand last.
    public var description: String { "\(creator.rawValue)/\(installation)/\(number)" }
  }

  /// A point on the ground: degrees, WGS84.
  public struct Coordinate: Hashable, Sendable, Codable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }

    /// Latitude within ±90, longitude within ±180.
    public var isValid: Bool { Geodesy.isValid(latitude: latitude, longitude: longitude) }
  }

  /// A point of a recorded track.
  public struct Location: Hashable, Sendable, Codable {
    public var coordinate: Coordinate
    /// Metres above mean sea level; nil = not stated.
    public var altitude: Double?
    public var time: WallTime

    public init(coordinate: Coordinate, altitude: Double? = nil, time: WallTime) {
      self.coordinate = coordinate
      self.altitude = altitude
      self.time = time
    }
  }

  /// One kilometre or mile of a run.
  public struct Split: Hashable, Sendable, Codable {
    /// `km` or `mile`.
    public var unit: String
    /// From 1.
    public var number: Int
    /// Seconds from the mark before to this one, without pauses and standing; across a gap, the part
    /// of its time that the part of its way took at an even speed.
    public var seconds: Double
    /// When the mark was crossed.
    public var time: WallTime

    public init(unit: String, number: Int, seconds: Double, time: WallTime) {
      self.unit = unit
      self.number = number
      self.seconds = seconds
      self.time = time
    }

    /// Metres.
    public var length: Double { unit == "km" ? 1000 : Pace.Rule.exact.metersPerMile }

    /// nil where the time is zero.
    public func pace(_ rule: Pace.Rule = .exact) -> Pace? {
      Pace(seconds: seconds, meters: length, rule: rule)
    }
  }

  /// What a list shows of an activity.
  public struct Summary: Hashable, Sendable, Codable {
    public var id: ActivityID
    public var creatorName: String
    public var sport: Sport
    public var start: WallTime
    /// Seconds without pauses, standing included.
    public var duration: Double
    /// Seconds without pauses, standing and gaps; that of a form is its duration.
    public var movingTime: Double
    /// Seconds in which the distance was covered: the moving time, and the gaps across which
    /// distance was counted. Without them, who had no fix for half the way would be twice as fast.
    public var paceTime: Double
    /// Metres.
    public var distance: Double

    /// - Parameter paceTime: nil = the moving time.
    public init(
      id: ActivityID, creatorName: String, sport: Sport, start: WallTime, duration: Double,
      movingTime: Double, paceTime: Double? = nil, distance: Double
    ) {
      self.id = id
      self.creatorName = creatorName
      self.sport = sport
      self.start = start
      self.duration = duration
      self.movingTime = movingTime
      self.paceTime = paceTime ?? movingTime
      self.distance = distance
    }

    public var creator: UserID { id.creator }

    /// Average, of ``paceTime``; nil = none, as at zero distance.
    public func pace(_ rule: Pace.Rule = .exact) -> Pace? {
      Pace(seconds: paceTime, meters: distance, rule: rule)
    }

    /// Whether its figures are some: one that is none, or endless, would spoil all sums.
    var isPlausible: Bool {
      [duration, movingTime, paceTime, distance].allSatisfy { (0...1e15).contains($0) }
    }

    /// Newest first; equal times by id.
    static func isEarlierInFeed(_ left: Summary, _ right: Summary) -> Bool {
      left.start != right.start ? left.start > right.start : left.id < right.id
    }
  }

  /// A finished activity with all its data.
  public struct Record: Hashable, Sendable, Codable {
    public var summary: Summary
    /// The accepted fixes, one list per stretch between pauses; none of a form.
    public var segments: [[Location]]
    public var splits: [Split]

    public init(summary: Summary, segments: [[Location]] = [], splits: [Split] = []) {
      self.summary = summary
      self.segments = segments
      self.splits = splits
    }

    public var id: ActivityID { summary.id }
    public var locations: [Location] { segments.flatMap(\.self) }
    /// nil where nothing was located.
    public var bounds: MapBounds? { MapBounds(around: locations.map(\.coordinate)) }
    /// The line on the map, one per segment.
    public var line: [[Coordinate]] { segments.map { $0.map(\.coordinate) } }

    /// Why it is no record; nil = it is one.
    var fault: Refusal? {
      guard summary.isPlausible else {
        return Refusal(
          "invalid-record", "The times and the distance are from 0 to 1e15.")
      }
      guard segments.allSatisfy({ $0.allSatisfy(\.coordinate.isValid) }) else {
        return Refusal("invalid-record", "A location is not a position on Earth.")
      }
      guard segments.allSatisfy({ $0.allSatisfy { $0.altitude?.isFinite != false } }) else {
        return Refusal("invalid-record", "An altitude is not a finite number.")
      }
      guard splits.allSatisfy({ $0.seconds >= 0 && $0.seconds.isFinite }) else {
        return Refusal("invalid-record", "The time of a split is not finite or negative.")
      }
      return nil
    }
  }
}
