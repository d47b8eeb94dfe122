/// The positions of twelve letter tiles in two rows and of the slots above them on a screen, as in
/// the picture-guess game iPict.
///
/// All positions are centres in points from the screen's top left corner. A pure function of style,
/// screen and number of letters. O(1).
///
/// ```swift
/// let screen = ScreenSize(width: 320, height: 568)
/// let layout = screen.map { TileLayout(.fitted, screen: $0, letters: 5) }
/// layout?.slots.count  // 5
/// layout?.side  // 43.0
/// ```
public struct TileLayout: Hashable, Sendable, Codable {
  /// How tiles and slots are placed.
  public enum Style: String, CaseIterable, Hashable, Sendable, Codable {
    /// In the proportions of the original, but computed from the real width, and moved and shrunk
    /// until everything is on the screen.
    case fitted
    /// As the original: for a width of 9/16 of the height, centred on the screen. On a narrower
    /// screen tiles at both sides are cut off.
    ///
    /// Source: Jlinnister/iPict @18c5011, MessagesExtension/GameViewController.swift, dealRandomTile.
    case iPict
  }

  /// A position on the screen in points.
  public struct Point: Hashable, Sendable, Codable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    public func distance(to other: Point) -> Double {
      let (dx, dy) = (x - other.x, y - other.y)
      return (dx * dx + dy * dy).squareRoot()
    }
  }

  public static let tileCount = 12
  /// The numbers of letters that an answer can have.
  public static let letterCounts = 3...6

  /// The side of a tile and of a slot in points.
  public let side: Double
  /// The centres of the tiles at home, row by row from the left.
  public let tiles: [Point]
  /// The centres of the slots from the left, one per letter.
  public let slots: [Point]

  private static let columns = 6
  // The gaps of the original in points: between neighbours, between the rows of tiles, and between
  // slots and tiles.
  private static let gap = 5.0
  private static let rowGap = 20.0
  private static let slotGap = 30.0

  /// - Precondition: `letters` lies in ``letterCounts``.
  public init(_ style: Style, screen: ScreenSize, letters: Int) {
    precondition(Self.letterCounts.contains(letters), "no slots for \(letters) letters")
    let grid = style == .fitted ? Self.fitted(screen) : Self.original(screen)
    let pitch = grid.side + grid.gap
    side = grid.side
    tiles = (0..<Self.tileCount).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: Self.columns)
      return Point(
        x: grid.x + Double(column) * pitch, y: grid.y + Double(row) * (grid.side + grid.rowGap))
    }
    let indent = Double(Self.columns - letters) * pitch / 2
    slots = (0..<letters).map {
      Point(x: grid.x + indent + Double($0) * pitch, y: grid.y - grid.side - grid.slotGap)
    }
  }

  /// Whether the square of a tile or slot around `centre` contains the point; the left and the top
  /// edge belong to it, the others do not.
  public func square(around centre: Point, contains point: Point) -> Bool {
    let half = side / 2
    return point.x >= centre.x - half && point.x < centre.x + half
      && point.y >= centre.y - half && point.y < centre.y + half
  }

  /// Returns how far the point lies outside of the square around `centre` in points; 0 inside.
  public func distance(from point: Point, outside centre: Point) -> Double {
    let dx = max((point.x - centre.x).magnitude - side / 2, 0)
    let dy = max((point.y - centre.y).magnitude - side / 2, 0)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The first tile's centre and the sizes.
  private struct Grid {
    var x: Double
    var y: Double
    var side: Double
    var gap: Double
    var rowGap: Double
    var slotGap: Double
  }

  private static func original(_ screen: ScreenSize) -> Grid {
    let width = screen.height * 9 / 16
    let side = ((width * 0.9 - 5 * gap) / 6).rounded(.up)
    return Grid(
      x: (screen.width - width) / 2 + width * 0.05 + side / 2 - 2.5, y: screen.height * 0.75,
      side: side, gap: gap, rowGap: rowGap, slotGap: slotGap)
  }

  /// Tiles take 90 % of the width as in the original, and with the slots at most 60 % of the height,
  /// so that the picture above has room. A whole number of points keeps edges sharp.
  private static func fitted(_ screen: ScreenSize) -> Grid {
    // The gaps shrink on screens smaller than any phone's.
    let gap = min(gap, screen.width / 64)
    let scale = min(1, screen.height / 200)
    let (rowGap, slotGap) = (rowGap * scale, slotGap * scale)
    let largest = min(
      (screen.width * 0.9 - 5 * gap) / 6, (screen.height * 0.6 - rowGap - slotGap) / 3)
    let side = largest < 1 ? largest : largest.rounded(.down)
    let lowest = screen.height * 0.98 - 1.5 * side - rowGap
    return Grid(
      x: (screen.width - 5 * (side + gap)) / 2, y: min(screen.height * 0.75, lowest), side: side,
      gap: gap, rowGap: rowGap, slotGap: slotGap)
  }
}
