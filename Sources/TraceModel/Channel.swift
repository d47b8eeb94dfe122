/// The sensors and inputs that a trace can hold.
///
/// The raw value is the order in which readings that arrive at the same instant on one device are
/// delivered: sensors first, actions last. An armed detector therefore still sees a sample at the
/// instant of its release.
public enum Channel: Int, CaseIterable, Comparable, Hashable, Sendable, Codable {
  /// m s-2, gravity included.
  case acceleration
  /// m s-2, gravity removed.
  case userAcceleration
  /// rad s-1.
  case rotationRate
  /// Degrees clockwise from true north, with accuracy.
  case heading
  /// Pa.
  case pressure
  /// Position fixes.
  case location
  /// Positions in metres in a local frame of the recording.
  case local
  /// Metres, as the device counted them.
  case odometer
  /// Heartbeats of other devices.
  case heartbeat
  /// Actions of the person.
  case action

  /// The name of the channel's group in a native trace and on the command line.
  public var name: String {
    switch self {
    case .acceleration: "acceleration"
    case .userAcceleration: "user_acceleration"
    case .rotationRate: "rotation_rate"
    case .heading: "heading"
    case .pressure: "pressure"
    case .location: "location"
    case .local: "local"
    case .odometer: "odometer"
    case .heartbeat: "heartbeat"
    case .action: "action"
    }
  }

  public init?(name: some StringProtocol) {
    guard let channel = Channel.allCases.first(where: { $0.name == name }) else { return nil }
    self = channel
  }

  public static func < (left: Channel, right: Channel) -> Bool {
    left.rawValue < right.rawValue
  }
}
