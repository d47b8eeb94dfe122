internal import HDF5
internal import TraceModel

/// The names, units and types of the native format, from which both writer and reader work.
enum NativeSchema {
  static let name = "shadowbox-trace/1"
  static let conventions = "CF-1.8"
  /// Rows of a chunk: 128 or 256 KiB of a column, 11 minutes of it at 50 Hz.
  static let chunkRows = 32_768

  static let onset = NativeColumn("onset", longName: "start of the event")
  static let offset = NativeColumn("offset", longName: "end of the event")
  static let label = NativeColumn("label", longName: "class that is scored")
  static let originalLabel = NativeColumn(
    "original_label", longName: "what the source called the event")
  static let hand = NativeColumn(
    "hand", longName: "hand that the event was made with", flags: .hands)
  static let place = NativeColumn(
    "place", longName: "id of the place of the event", flags: FlagTable([noPlace: "none"]))
  static let value = NativeColumn("value", longName: "magnitude of the event")
  static let event = NativeColumn("event", longName: "number of the event, from 0")
  static let latitude = NativeColumn(
    "latitude", units: "degrees_north", longName: "latitude (WGS84)", standardName: "latitude")
  static let longitude = NativeColumn(
    "longitude", units: "degrees_east", longName: "longitude (WGS84)", standardName: "longitude")
  static let time = NativeColumn(
    "time", longName: "time at which the sensor measured", standardName: "time")
  static let arrived = NativeColumn(
    "arrived", longName: "time at which the app received the reading")
  static let action = NativeColumn(
    "action", longName: "what the person did on the device", flags: .actions)
  static let peer = NativeColumn("peer", longName: "id of the device that sent it")
  static let sequence = NativeColumn(
    "sequence", longName: "counter of the sender, -1 = none", isRequired: false)
  static let phase = NativeColumn("phase", longName: "what the finger did", flags: .phases)
  static let pointer = NativeColumn("pointer", longName: "number of the finger", isRequired: false)
  static let screenWidth = "screen_width"
  static let screenHeight = "screen_height"
  static let placeID = NativeColumn("id", longName: "id of the place")
  static let radius = NativeColumn("radius", units: "m", longName: "radius of the fence")
  static let rank = NativeColumn("rank", longName: "position in the route, from 0")

  /// The group of references that are counts, within that of references: a group for each task.
  static let counts = "count"
  /// The attribute of a count, in the group of its task.
  static let countAttribute = "count"

  /// The code of a reference event without a place.
  static let noPlace: Int32 = -1

  /// The columns of a channel besides its times, in the order of the reading's fields.
  static func columns(of channel: Channel) -> [NativeColumn] {
    switch channel {
    case .acceleration: axes("acceleration, gravity included,", units: "m s-2")
    case .userAcceleration: axes("acceleration without gravity", units: "m s-2")
    case .rotationRate: axes("rotation rate", units: "rad s-1")
    case .location: location
    case .local:
      ["x", "y"].map {
        NativeColumn($0, units: "m", longName: "position along the \($0) axis of a local frame")
      }
    case .heading: scalar("heading", units: "degree", "heading, clockwise from true north")
    case .pressure: scalar("pressure", units: "Pa", "air pressure", standardName: "air_pressure")
    case .odometer: scalar("distance", units: "m", "distance as the device counted it")
    case .heartbeat: [peer, sequence]
    case .touch: touch
    case .action: [action]
    }
  }

  /// A point is not a length: its size differs between screens. So the unit is that of a number.
  private static let touch = [
    NativeColumn("x", units: "1", longName: "points from the left edge of the screen"),
    NativeColumn("y", units: "1", longName: "points from the top edge of the screen, downwards"),
    phase, pointer,
  ]

  private static func axes(_ quantity: String, units: String) -> [NativeColumn] {
    ["x", "y", "z"].map {
      NativeColumn($0, units: units, longName: "\(quantity) along the device's \($0) axis")
    }
  }

  private static func scalar(
    _ name: String, units: String, _ longName: String, standardName: String? = nil
  ) -> [NativeColumn] {
    [
      NativeColumn(name, units: units, longName: longName, standardName: standardName),
      NativeColumn(
        "accuracy", units: units, longName: "accuracy stated by the device", isRequired: false),
    ]
  }

  private static let location = [
    latitude, longitude,
    NativeColumn(
      "altitude", units: "m", longName: "altitude above mean sea level", standardName: "altitude",
      isRequired: false),
    NativeColumn(
      "horizontal_accuracy", units: "m",
      longName: "horizontal accuracy, negative = the position is invalid", isRequired: false),
    NativeColumn(
      "speed", units: "m s-1", longName: "speed over ground, negative = invalid",
      standardName: "platform_speed_wrt_ground", isRequired: false),
    NativeColumn(
      "speed_accuracy", units: "m s-1", longName: "accuracy of the speed, negative = invalid",
      isRequired: false),
    NativeColumn(
      "course", units: "degree",
      longName: "course over ground, clockwise from true north, negative = invalid",
      standardName: "platform_course", isRequired: false),
  ]
}

extension Channel {
  /// The unit of the channel's columns (UDUNITS); empty where they have none or several.
  package var units: String {
    let units = Set(NativeSchema.columns(of: self).map(\.units))
    return units.count == 1 ? units.first ?? "" : ""
  }
}

/// The name of a dataset and the values of its attributes.
struct NativeColumn: Sendable {
  var name: String
  /// UDUNITS; empty = none.
  var units: String
  var longName: String
  /// The CF standard name, if there is one.
  var standardName: String?
  /// The names of the codes of a column of codes.
  var flags: FlagTable?
  /// Whether a file without the column is refused; otherwise its values are missing.
  var isRequired: Bool

  init(
    _ name: String, units: String = "", longName: String, standardName: String? = nil,
    flags: FlagTable? = nil, isRequired: Bool = true
  ) {
    (self.name, self.units, self.longName) = (name, units, longName)
    (self.standardName, self.flags, self.isRequired) = (standardName, flags, isRequired)
  }

  /// The column of times, which count from the trace's zero.
  func asTime(epoch: String) -> NativeColumn {
    var column = self
    column.units = "nanoseconds since \(epoch)"
    return column
  }

  var optional: NativeColumn {
    var column = self
    column.isRequired = false
    return column
  }
}

extension FlagTable {
  static let hands = FlagTable(
    Dictionary(uniqueKeysWithValues: Hand.allCases.map { (Int32($0.rawValue), $0.name) }))
  static let phases = FlagTable(
    Dictionary(uniqueKeysWithValues: Touch.Phase.allCases.map { (Int32($0.rawValue), $0.name) }))
  static let actions = FlagTable(
    Dictionary(uniqueKeysWithValues: Action.allCases.map { (Int32($0.rawValue), $0.name) }))
}

/// The fields of a fix in the order of the columns of `location`.
let fixFields: [@Sendable (Fix) -> Double] = [
  { $0.latitude }, { $0.longitude }, { $0.altitude }, { $0.horizontalAccuracy }, { $0.speed },
  { $0.speedAccuracy }, { $0.course },
]

/// The root attributes with a text of the header.
let headerTexts: [(name: String, field: any WritableKeyPath<TraceHeader, String> & Sendable)] = [
  ("id", \.id), ("subject", \.subject), ("device", \.device), ("placement", \.placement),
  ("activity", \.activity), ("source", \.source), ("license", \.license),
  ("recorded_at", \.epoch),
]

/// Whether the text is an instant in the form of the format: `2022-05-01T10:00:03Z`, with up to
/// nine digits of a second's fraction.
func isInstant(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  let pattern = Array("0000-00-00T00:00:00".utf8)
  guard bytes.count > pattern.count, bytes.last == UInt8(ascii: "Z"),
    zip(bytes, pattern).allSatisfy({ $1.isDigit ? $0.isDigit : $0 == $1 })
  else { return false }
  func number(_ start: Int) -> Int { Int(bytes[start] - 48) * 10 + Int(bytes[start + 1] - 48) }
  guard (1...12).contains(number(5)), (1...31).contains(number(8)), number(11) < 24,
    number(14) < 60, number(17) < 60
  else { return false }
  let fraction = bytes[pattern.count..<(bytes.count - 1)]
  return fraction.isEmpty
    || fraction.first == UInt8(ascii: ".") && (2...10).contains(fraction.count)
      && fraction.dropFirst().allSatisfy(\.isDigit)
}

/// Whether CF recommends the name; the netCDF tools refuse a whole file because of some others.
func isAttributeName(_ name: String) -> Bool {
  func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  guard let first = name.utf8.first, isLetter(first) else { return false }
  return name.utf8.allSatisfy { isLetter($0) || $0.isDigit || $0 == UInt8(ascii: "_") }
}
