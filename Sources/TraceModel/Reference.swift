/// The task of a reference, on which a detector is scored.
///
/// ```swift
/// ReferenceTask(rawValue: "moving_time")?.isCountable  // false
/// ```
public enum ReferenceTask: String, CaseIterable, Hashable, Comparable, Sendable, Codable {
  case punch
  case visit
  case distance
  case movingTime = "moving_time"
  case split
  case ascent
  case presence
  case drop

  public static func < (left: ReferenceTask, right: ReferenceTask) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The hand that made an event.
public enum Hand: Int8, CaseIterable, Hashable, Sendable, Codable {
  case unknown, left, right, lead, rear

  public var name: String { Hand.names[Int(rawValue)] }

  private static let names = ["unknown", "left", "right", "lead", "rear"]
}

/// An event that happened, as ground truth.
///
/// ```swift
/// let punch = ReferenceEvent(onset: .zero, label: "jab")
/// punch.offset == punch.onset  // true
/// ```
public struct ReferenceEvent: Hashable, Sendable, Codable {
  public var onset: TraceInstant
  /// Equal to `onset` for an instant.
  public var offset: TraceInstant
  /// The scored class, e.g. `straight`; empty = not stated.
  public var label: String
  /// The class as the source names it.
  public var originalLabel: String
  public var hand: Hand
  /// The place of a visit; nil = none.
  public var place: Int32?
  /// The value in the unit of the set (a peak, a distance); NaN = not stated.
  @NaNEquatable public var value: Double

  public init(
    onset: TraceInstant, offset: TraceInstant? = nil, label: String = "",
    originalLabel: String? = nil, hand: Hand = .unknown, place: Int32? = nil, value: Double = .nan
  ) {
    self.onset = onset
    self.offset = offset ?? onset
    self.label = label
    self.originalLabel = originalLabel ?? label
    self.hand = hand
    self.place = place
    self.value = value
  }
}

/// The complete reference of one task. An empty set means "nothing happened"; a missing set means
/// "not known".
///
/// ```swift
/// let punches = ReferenceSet(task: .punch, events: [ReferenceEvent(onset: .zero)])
/// punches.isOfDevice  // false
/// ```
public struct ReferenceSet: Hashable, Sendable, Codable {
  public var task: ReferenceTask
  /// The events, ordered by onset, then offset.
  public var events: [ReferenceEvent]
  /// The unit of the events' values (UDUNITS), empty for none.
  public var valueUnits: String
  /// The maximum distance of a detection from the reference; nil = the metric's default.
  public var tolerance: Duration?
  /// The source's definition of an onset.
  public var definition: String

  public init(
    task: ReferenceTask, events: [ReferenceEvent], valueUnits: String = "",
    tolerance: Duration? = nil, definition: String = ""
  ) {
    self.task = task
    self.events = events
    self.valueUnits = valueUnits
    self.tolerance = tolerance
    self.definition = definition
  }
}

extension ReferenceSet {
  /// The definition of a distance that the recording device counted itself.
  public static let odometerDefinition = "the device's own odometer, no independent truth"

  /// Whether the reference comes from the device that made the recording. A difference then does
  /// not show which of the two is right.
  public var isOfDevice: Bool { definition.hasPrefix(Self.odometerDefinition) }
}

/// The true path, if known.
///
/// ```swift
/// let fix = Fix(latitude: 47.4, longitude: 8.5)
/// let fixes = FixColumns(times: TimeColumns(measured: [0, 20, 10]), values: [fix, fix, fix])
/// ReferenceTrack(fixes).times  // [0, 20]
/// ```
public struct ReferenceTrack: Hashable, Sendable, Codable {
  /// The times in nanoseconds, not decreasing.
  public var times: [Int64]
  /// The latitudes in degrees, WGS84.
  public var latitudes: [Double]
  /// The longitudes in degrees, WGS84.
  public var longitudes: [Double]

  public init(times: [Int64], latitudes: [Double], longitudes: [Double]) {
    precondition(times.count == latitudes.count && times.count == longitudes.count)
    self.times = times
    self.latitudes = latitudes
    self.longitudes = longitudes
  }

  /// The path through the fixes that have a position, without those whose time goes back.
  public init(_ fixes: FixColumns) {
    self.init(times: [], latitudes: [], longitudes: [])
    for position in fixes.range {
      let (fix, time) = (fixes[position], fixes.measuredTimes[position])
      guard fix.latitude.isFinite, fix.longitude.isFinite, time >= times.last ?? .min else {
        continue
      }
      times.append(time)
      latitudes.append(fix.latitude)
      longitudes.append(fix.longitude)
    }
  }
}

/// A stretch of time that scores ignore (both ends inclusive).
///
/// ```swift
/// let end = TraceInstant(nanoseconds: 9)
/// let zones = [IgnoreZone(onset: .zero, offset: end)]
/// let punch = DetectionRecord(onset: end, emitted: end, kind: "punch")
/// let stated = ReferenceCount(task: .punch, count: 0)
/// CountScore(stated, detections: [punch], ignoreZones: zones).detected  // 0
/// ```
public struct IgnoreZone: Hashable, Sendable, Codable {
  public var onset: TraceInstant
  public var offset: TraceInstant

  public init(onset: TraceInstant, offset: TraceInstant) {
    self.onset = onset
    self.offset = offset
  }
}
