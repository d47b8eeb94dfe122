/// A device of a run: its place in the order of the devices, which breaks ties of time.
public struct DeviceID: Hashable, Comparable, Sendable, Codable {
  public var index: Int

  public init(_ index: Int) {
    self.index = index
  }

  public static func < (left: DeviceID, right: DeviceID) -> Bool {
    left.index < right.index
  }
}

/// A sample with three axes in the device's frame: acceleration in m s-2 (with or without
/// gravity, as the channel says) or rotation rate in rad s-1.
///
/// Single precision is what the sensors deliver: a threshold is rounded to it before it is
/// compared, so that a sample of exactly the threshold is not beyond it.
public struct Vector3: Hashable, Sendable, Codable {
  public var x: Float
  public var y: Float
  public var z: Float

  @inlinable
  public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// x² + y² + z², in single precision.
  @inlinable
  public var squaredMagnitude: Float { x * x + y * y + z * z }

  @inlinable
  public var magnitude: Float { squaredMagnitude.squareRoot() }
}

/// An accelerometer sample in m s-2.
public typealias Acceleration = Vector3

/// The standard acceleration of gravity in m s-2 (3rd CGPM, 1901).
public let standardGravity = 9.80665

/// One position fix, as the device reported it: invalid codes (a negative accuracy) are kept,
/// because what a detector makes of them is what is measured. NaN = the device gave no value.
public struct Fix: Hashable, Sendable, Codable, BitwiseCopyable {
  /// Degrees, WGS84.
  public var latitude: Double
  /// Degrees, WGS84.
  public var longitude: Double
  /// Metres above mean sea level.
  public var altitude: Double
  /// Metres; negative = the position is invalid.
  public var horizontalAccuracy: Double
  /// m s-1; negative = invalid.
  public var speed: Double
  /// m s-1; negative = invalid.
  public var speedAccuracy: Double
  /// Degrees clockwise from true north; negative = invalid.
  public var course: Double

  @inlinable
  public init(
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

/// A position in a local frame, for recordings that are published without their place on Earth.
/// The source says where the frame's origin lies and where its axes point, if anyone does.
public struct LocalPosition: Hashable, Sendable, Codable, BitwiseCopyable {
  /// Metres.
  public var x: Double
  /// Metres.
  public var y: Double

  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A value with an accuracy: heading (degrees true), pressure (Pa), odometer (m).
/// An accuracy of NaN = not stated.
public struct Scalar: Hashable, Sendable, Codable, BitwiseCopyable {
  public var value: Double
  public var accuracy: Double

  @inlinable
  public init(value: Double, accuracy: Double = .nan) {
    self.value = value
    self.accuracy = accuracy
  }
}

/// A sign of life of another device, as the observer's device got it.
public struct Heartbeat: Hashable, Sendable, Codable, BitwiseCopyable {
  /// Who sent it.
  public var peer: Int32
  /// The sender's counter, which may start anew when the sender does; -1 = none.
  public var sequence: Int64

  @inlinable
  public init(peer: Int32, sequence: Int64 = -1) {
    self.peer = peer
    self.sequence = sequence
  }
}

/// What a person did on the device.
public enum Action: Int8, CaseIterable, Hashable, Sendable, Codable {
  case arm, disarm, confirm, `continue`, cancel, pause, resume

  /// The name in files and in logs.
  public var name: String {
    switch self {
    case .arm: "arm"
    case .disarm: "disarm"
    case .confirm: "confirm"
    case .continue: "continue"
    case .cancel: "cancel"
    case .pause: "pause"
    case .resume: "resume"
    }
  }

  public init?(name: some StringProtocol) {
    guard let action = Action.allCases.first(where: { $0.name == name }) else { return nil }
    self = action
  }
}

/// A named place with a fence around it: a waypoint of a route, a geofence.
public struct Place: Hashable, Sendable, Codable {
  public var id: Int32
  /// Degrees, WGS84.
  public var latitude: Double
  /// Degrees, WGS84.
  public var longitude: Double
  /// Metres; NaN = the detector's own.
  public var radius: Double
  /// Position in the route, from 0.
  public var rank: Int32

  public init(id: Int32, latitude: Double, longitude: Double, radius: Double, rank: Int32) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
    self.rank = rank
  }
}

/// One reading of any channel. Only runs that merge channels or devices see single readings;
/// everything else works on ``ChannelBlock``s.
public struct Reading: Sendable, Equatable {
  public enum Value: Sendable, Equatable {
    case vector(Vector3)
    case fix(Fix)
    case local(LocalPosition)
    case scalar(Scalar)
    case heartbeat(Heartbeat)
    case action(Action)
  }

  public var device: DeviceID
  public var channel: Channel
  /// Position in its channel, from 0.
  public var sequence: Int
  /// The sensor's time stamp.
  public var measured: TraceInstant
  /// When the app got it.
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
