import TraceModel

struct TileBoard: Sendable, Codable {
  struct Tile: Sendable, Codable {
    var centre: TileLayout.Point
    /// The slot that the tile counts for; nil = none.
    var slot: Int?
  }

  let layout: TileLayout
  var tiles: [Tile]

  init(_ layout: TileLayout) {
    self.layout = layout
    tiles = layout.tiles.map { Tile(centre: $0) }
  }

  /// The tile that counts for each slot, as an index; nil = the slot is free.
  var occupants: [Int?] {
    layout.slots.indices.map { slot in tiles.firstIndex { $0.slot == slot } }
  }

  var isFull: Bool { occupants.allSatisfy { $0 != nil } }

  /// Returns the uppermost tile under a point that is not in `held`: later tiles lie above.
  func tile(at point: TileLayout.Point, except held: [Int]) -> Int? {
    tiles.indices.last {
      !held.contains($0) && layout.square(around: tiles[$0].centre, contains: point)
    }
  }

  /// Returns the slot in whose square the tile's centre lies.
  func slotContaining(_ tile: Int) -> Int? {
    layout.slots.firstIndex { layout.square(around: $0, contains: tiles[tile].centre) }
  }

  /// Returns the nearest slot without another tile within `radius` points, the left one of two
  /// equally near.
  func nearestFreeSlot(to tile: Int, within radius: Double) -> Int? {
    let occupants = occupants
    var best: (slot: Int, distance: Double)?
    for (slot, centre) in layout.slots.enumerated() {
      guard occupants[slot] == nil || occupants[slot] == tile else { continue }
      let distance = centre.distance(to: tiles[tile].centre)
      if distance <= radius, distance < best?.distance ?? .infinity { best = (slot, distance) }
    }
    return best?.slot
  }

  /// Returns the slot to whose edge the tile's centre is nearest, with the distance in points.
  func nearestEdge(to tile: Int) -> (slot: Int, distance: Double) {
    let distances = layout.slots.map { layout.distance(from: tiles[tile].centre, outside: $0) }
    let slot = distances.indices.min { distances[$0] < distances[$1] } ?? 0
    return (slot, distances[slot])
  }

  /// Puts a tile into a slot; another tile there goes home.
  mutating func place(_ tile: Int, in slot: Int) {
    if let other = occupants[slot], other != tile { sendHome(other) }
    tiles[tile] = Tile(centre: layout.slots[slot], slot: slot)
  }

  mutating func sendHome(_ tile: Int) { tiles[tile] = Tile(centre: layout.tiles[tile]) }

  /// Returns a tile to its slot or, without one, to its home.
  mutating func putBack(_ tile: Int) {
    tiles[tile].centre = tiles[tile].slot.map { layout.slots[$0] } ?? layout.tiles[tile]
  }
}
