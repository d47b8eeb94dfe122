/// The sensors and inputs that a trace can hold.
///
/// The raw value is the order in which readings that arrive at the same instant on one device are
/// delivered: sensors first, actions last. An armed detector therefore still sees a sample at the
/// instant of its release.
///
/// ```swift
/// Channel(name: Channel.location.name) == .location  // true
/// ```
public enum Channel: Int, CaseIterable, Comparable, Hashable, Sendable, Codable {
  /// Acceleration in m s-2, including gravity.
  case acceleration
  /// Acceleration in m s-2, without gravity.
  case userAcceleration
  /// Rotation rate in rad s-1.
  case rotationRate
  /// Heading in degrees clockwise from true north, with accuracy.
  case heading
  /// Air pressure in Pa.
  case pressure
  /// Position fixes.
  case location
  /// Positions in metres in a local frame of the recording.
  case local
  /// Distance in metres, as counted by the device.
  case odometer
  /// Heartbeats of other devices.
  case heartbeat
  /// Touches of the screen.
  case touch
  /// Actions of the person.
  case action

  /// The name of the channel's group in a native trace and on the command line.
  public var name: String { Channel.names[rawValue] }

  private static let names = [
    "acceleration", "user_acceleration", "rotation_rate", "heading", "pressure", "location",
    "local",
    "odometer", "heartbeat", "touch", "action",
  ]

  public init?(name: some StringProtocol) {
    guard let index = Channel.names.firstIndex(where: { $0 == name }) else { return nil }
    self.init(rawValue: index)
  }

  public static func < (left: Channel, right: Channel) -> Bool { left.rawValue < right.rawValue }
}
