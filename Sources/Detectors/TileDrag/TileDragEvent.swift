public import TraceModel

public struct TileDragEvent: DetectionEvent {
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    /// A tile was released in a slot.
    case drop
    /// A tile was released in no slot; it goes home.
    case miss
    /// The system took the touch of a tile that was dragged.
    case cancel
    /// All slots held a tile for the check delay: the guess counts, and the tiles go home.
    case full
  }

  public let type: Kind
  /// The tile, 1 to 12, row by row from the left; nil for `full`.
  public let tile: Int?
  /// The slot of a `drop`, and the slot nearest to the tile of a `miss`: 1 to 6 from the left; nil
  /// for the other kinds.
  public let slot: Int?
  /// The distance in points: for a `drop` from the tile's centre to the slot's centre at the
  /// release, for a `miss` from the tile's centre to the edge of the nearest slot. NaN for the
  /// other kinds.
  @NaNEquatable public private(set) var distance: Double

  init(_ type: Kind, tile: Int? = nil, slot: Int? = nil, distance: Double = .nan) {
    self.type = type
    self.tile = tile
    self.slot = slot
    self.distance = distance
  }

  public var kind: String { type.rawValue }
  /// The tile: `tile-7`; empty for `full`.
  public var originalLabel: String { tile.map { "tile-\($0)" } ?? "" }
  public var value: Double { distance }
  public var place: Int32? { slot.map { Int32($0) } }
}
