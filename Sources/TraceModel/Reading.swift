/// A device of a run, as its index. The index breaks ties in time.
public struct DeviceID: Hashable, Comparable, Sendable, Codable {
  public var index: Int

  public init(_ index: Int) { self.index = index }

  public static func < (left: DeviceID, right: DeviceID) -> Bool { left.index < right.index }
}

/// A sample with three axes in the device's frame: acceleration in m s-2 (with or without gravity,
/// depending on the channel) or rotation rate in rad s-1.
///
/// Sensors deliver single precision. A threshold is rounded to it before the comparison, so that a
/// sample equal to the threshold does not exceed it.
///
/// ```swift
/// Vector3(x: 3, y: 4, z: 0).magnitude  // 5.0
/// ```
public struct Vector3: Hashable, Sendable, Codable {
  public var x: Float
  public var y: Float
  public var z: Float

  @inlinable public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// x² + y² + z², in single precision.
  @inlinable public var squaredMagnitude: Float { x * x + y * y + z * z }

  @inlinable public var magnitude: Float { squaredMagnitude.squareRoot() }
}

/// An accelerometer sample in m s-2.
public typealias Acceleration = Vector3

/// The standard acceleration of gravity in m s-2 (3rd CGPM, 1901).
public let standardGravity = 9.80665

/// A position fix as the device reported it. Invalid codes (a negative accuracy) are kept, because
/// a detector has to handle them. NaN = no value.
///
/// ```swift
/// Fix(latitude: 47.4, longitude: 8.5).altitude  // nan
/// ```
public struct Fix: Hashable, Sendable, Codable, BitwiseCopyable {
  /// The latitude in degrees, WGS84.
  public var latitude: Double
  /// The longitude in degrees, WGS84.
  public var longitude: Double
  /// The altitude in metres above mean sea level.
  public var altitude: Double
  /// The horizontal accuracy in metres; negative = the position is invalid.
  public var horizontalAccuracy: Double
  /// The speed in m s-1; negative = invalid.
  public var speed: Double
  /// The accuracy of the speed in m s-1; negative = invalid.
  public var speedAccuracy: Double
  /// The course in degrees clockwise from true north; negative = invalid.
  public var course: Double

  @inlinable public init(
    latitude: Double, longitude: Double, altitude: Double = .nan,
    horizontalAccuracy: Double = .nan, speed: Double = .nan, speedAccuracy: Double = .nan,
    course: Double = .nan
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.course = course
  }
}

/// A position in a local frame, for recordings that are published without their position on Earth.
/// If the origin and the axes are known, the source states them.
public struct LocalPosition: Hashable, Sendable, Codable, BitwiseCopyable {
  /// The x coordinate in metres.
  public var x: Double
  /// The y coordinate in metres.
  public var y: Double

  @inlinable public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A value with an accuracy: heading (degrees true), pressure (Pa), odometer (m).
/// An accuracy of NaN = not stated.
///
/// ```swift
/// Scalar(value: 101_325).accuracy  // nan
/// ```
public struct Scalar: Hashable, Sendable, Codable, BitwiseCopyable {
  public var value: Double
  public var accuracy: Double

  @inlinable public init(value: Double, accuracy: Double = .nan) {
    self.value = value
    self.accuracy = accuracy
  }
}

/// A heartbeat of another device, as the observer's device received it.
///
/// ```swift
/// Heartbeat(peer: 3).sequence  // -1
/// ```
public struct Heartbeat: Hashable, Sendable, Codable, BitwiseCopyable {
  /// The sender.
  public var peer: Int32
  /// The sender's counter, which may restart with the sender; -1 = none.
  public var sequence: Int64

  @inlinable public init(peer: Int32, sequence: Int64 = -1) {
    self.peer = peer
    self.sequence = sequence
  }
}

/// An action of the person on the device. With the actions of an enrolment, the person begins to
/// show a kind of punch, or has shown all kinds.
///
/// ```swift
/// Action(name: "arm") == .arm  // true
/// ```
public enum Action: Int8, CaseIterable, Hashable, Sendable, Codable {
  case arm, disarm, confirm, `continue`, cancel, pause, resume
  case enrollStraight, enrollHook, enrollUppercut, enrollEnd

  /// The name in files and in logs.
  public var name: String { Action.names[Int(rawValue)] }

  private static let names = [
    "arm", "disarm", "confirm", "continue", "cancel", "pause", "resume", "enroll_straight",
    "enroll_hook", "enroll_uppercut", "enroll_end",
  ]

  public var isEnrolment: Bool { shownClass != nil || self == .enrollEnd }

  /// The class of ``PunchLabel/classes`` that the person begins to show; nil = none.
  public var shownClass: String? {
    switch self {
    case .enrollStraight: "straight"
    case .enrollHook: "hook"
    case .enrollUppercut: "uppercut"
    default: nil
    }
  }

  public init?(name: some StringProtocol) {
    guard let index = Action.names.firstIndex(where: { $0 == name }) else { return nil }
    self = Action.allCases[index]
  }
}

/// A named place with a radius: a waypoint of a route, a geofence.
public struct Place: Hashable, Sendable, Codable {
  public var id: Int32
  /// The latitude in degrees, WGS84.
  public var latitude: Double
  /// The longitude in degrees, WGS84.
  public var longitude: Double
  /// The radius in metres; NaN = the detector's parameter.
  public var radius: Double
  /// The position in the route, from 0.
  public var rank: Int32

  public init(id: Int32, latitude: Double, longitude: Double, radius: Double, rank: Int32) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
    self.rank = rank
  }
}

/// A reading of any channel. Only runs that merge channels or devices use single readings; all
/// others use ``ChannelBlock``s.
public struct Reading: Sendable, Equatable {
  public enum Value: Sendable, Equatable {
    case vector(Vector3)
    case fix(Fix)
    case local(LocalPosition)
    case scalar(Scalar)
    case heartbeat(Heartbeat)
    case touch(Touch)
    case action(Action)
  }

  public var device: DeviceID
  public var channel: Channel
  /// The position in the channel, from 0.
  public var sequence: Int
  /// The sensor's time stamp.
  public var measured: TraceInstant
  /// The time at which the app received it.
  public var arrived: TraceInstant
  public var value: Value

  public init(
    device: DeviceID, channel: Channel, sequence: Int, measured: TraceInstant,
    arrived: TraceInstant, value: Value
  ) {
    self.device = device
    self.channel = channel
    self.sequence = sequence
    self.measured = measured
    self.arrived = arrived
    self.value = value
  }
}
