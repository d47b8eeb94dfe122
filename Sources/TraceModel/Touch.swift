/// A touch of the screen by one finger, as the app received it.
///
/// ```swift
/// Touch(x: 160, y: 420, phase: .cancelled, pointer: 1).phase.isLast  // true
/// ```
public struct Touch: Hashable, Sendable, Codable {
  /// What the finger did. The stated order of a finger is began, any number of moved, then ended or
  /// cancelled.
  public enum Phase: Int8, CaseIterable, Hashable, Sendable, Codable {
    /// The finger came down.
    case began
    /// The finger moved, or stayed where it was.
    case moved
    /// The finger was lifted.
    case ended
    /// The system took the touch from the app, e.g. for a call.
    case cancelled

    /// The name in files and in logs.
    public var name: String { Phase.names[Int(rawValue)] }

    private static let names = ["began", "moved", "ended", "cancelled"]

    public init?(name: some StringProtocol) {
      guard let index = Phase.names.firstIndex(where: { $0 == name }) else { return nil }
      self = Phase.allCases[index]
    }

    /// Whether the finger leaves the screen.
    public var isLast: Bool { self == .ended || self == .cancelled }
  }

  /// The distance from the screen's left edge in points.
  public var x: Double
  /// The distance from the screen's top edge in points, downwards.
  public var y: Double
  public var phase: Phase
  /// The finger: the same number from `began` to `ended` or `cancelled`.
  public var pointer: Int32

  @inlinable public init(x: Double, y: Double, phase: Phase, pointer: Int32 = 0) {
    self.x = x
    self.y = y
    self.phase = phase
    self.pointer = pointer
  }
}

extension Touch: WholeValue {
  public typealias Columns = TouchColumns

  public static func columns(of block: ChannelBlock) -> TouchColumns? {
    if case .touch(let columns) = block { columns } else { nil }
  }
}

/// The size of a screen in points, the unit of ``Touch``: pixels divided by the screen's scale.
///
/// ```swift
/// ScreenSize(width: 1170 / 3, height: 2532 / 3)?.width  // 390.0
/// ScreenSize(width: 0, height: 568) == nil  // true
/// ```
public struct ScreenSize: Hashable, Sendable, Codable {
  /// The width in points, in ``validRange``.
  public let width: Double
  /// The height in points, in ``validRange``.
  public let height: Double

  /// The sizes that a screen can have, in points: from a watch to a wall.
  public static let validRange = 10.0...100_000.0

  /// Returns nil unless both lie in ``validRange``.
  public init?(width: Double, height: Double) {
    guard Self.validRange.contains(width), Self.validRange.contains(height) else { return nil }
    self.width = width
    self.height = height
  }
}

#if !hasFeature(Embedded)
  extension ScreenSize {
    /// - Throws: `DecodingError` for a size out of ``validRange``.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let size = ScreenSize(
        width: try values.decode(Double.self, forKey: .width),
        height: try values.decode(Double.self, forKey: .height))
      guard let size else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: "expected a width and a height of 10 to 100000 points"))
      }
      self = size
    }
  }
#endif
