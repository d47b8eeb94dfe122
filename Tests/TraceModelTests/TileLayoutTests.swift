import Testing
import TraceModel

@Suite struct TileLayoutTests {
  private func screen(_ width: Double, _ height: Double) throws -> ScreenSize {
    try #require(ScreenSize(width: width, height: height))
  }

  /// By hand from the formulas of the original for 568 points of height: W = 319.5, side =
  /// ceil(43.758) = 44, x0 = 15.975 + 22 - 2.5 = 35.475, and 0.25 more from the left because the
  /// original's view is centred on a screen of 320 points.
  @Test func theOriginalOnItsScreen() throws {
    let layout = TileLayout(.iPict, screen: try screen(320, 568), letters: 4)
    #expect(layout.side == 44)
    let x = layout.tiles.map { ($0.x * 1000).rounded() / 1000 }
    #expect(
      x[0..<6] == [35.725, 84.725, 133.725, 182.725, 231.725, 280.725] && x[6..<12] == x[0..<6])
    #expect(
      layout.tiles.map(\.y) == Array(repeating: 426, count: 6) + Array(repeating: 490, count: 6))
    let slots = layout.slots.map { ($0.x * 1000).rounded() / 1000 }
    #expect(slots == [84.725, 133.725, 182.725, 231.725])
    #expect(layout.slots.allSatisfy { $0.y == 352 })
  }

  /// 0.9 * 320 - 25 = 263 over 6 is 43.8: tiles of 43 points, in the middle of the screen.
  @Test func theDefaultOnTheSameScreen() throws {
    let layout = TileLayout(.fitted, screen: try screen(320, 568), letters: 6)
    #expect(layout.side == 43)
    #expect(layout.tiles[0] == TileLayout.Point(x: 40, y: 426))
    #expect(layout.tiles[11] == TileLayout.Point(x: 280, y: 489))
    #expect(layout.slots.map(\.x) == [40, 88, 136, 184, 232, 280])
    #expect(layout.slots[0].y == 353)
  }

  /// Whether all squares lie on the screen, and none overlaps another.
  private func faults(_ layout: TileLayout, _ screen: ScreenSize) -> (outside: Int, overlaps: Int) {
    let centres = layout.tiles + layout.slots
    let half = layout.side / 2
    let outside = centres.count {
      $0.x - half < 0 || $0.y - half < 0 || $0.x + half > screen.width
        || $0.y + half > screen.height
    }
    var overlaps = 0
    for (index, one) in centres.enumerated() {
      for other in centres[(index + 1)...]
      where (one.x - other.x).magnitude < layout.side && (one.y - other.y).magnitude < layout.side {
        overlaps += 1
      }
    }
    return (outside, overlaps)
  }

  /// The law of the default: on any screen everything is visible and nothing covers anything.
  @Test func everythingFitsOnAnyScreen() throws {
    var random = SeededGenerator(seed: 8)
    var sizes = [(10.0, 10.0), (100_000, 100_000), (10, 100_000), (100_000, 10), (320, 568)]
    for _ in 0..<2000 {
      // Evenly over the orders of magnitude.
      sizes.append((Math.exp(random.uniform(2.31...11.5)), Math.exp(random.uniform(2.31...11.5))))
    }
    for (width, height) in sizes {
      for letters in TileLayout.letterCounts {
        let screen = try screen(width, height)
        let layout = TileLayout(.fitted, screen: screen, letters: letters)
        let (outside, overlaps) = faults(layout, screen)
        #expect(outside == 0 && overlaps == 0, "\(width) x \(height), \(letters) letters")
        #expect(layout.tiles.count == 12 && layout.slots.count == letters && layout.side > 0)
        // A slot at most one side away never reaches a tile at home.
        let nearest = layout.slots.flatMap { slot in layout.tiles.map { slot.distance(to: $0) } }
        #expect((nearest.min() ?? 0) > layout.side, "\(width) x \(height)")
      }
    }
  }

  /// The fault that the default fixes: the original takes the width from the height.
  @Test(arguments: [
    ("iPhone SE", 320.0, 568.0, 0), ("iPhone 8", 375, 667, 0), ("iPhone X", 375, 812, 4),
    ("iPhone SE in landscape", 568, 320, 0), ("iPad", 768, 1024, 0),
    ("a narrow window", 320, 1024, 8),
  ])
  func theOriginalCutsTilesOffOnNarrowScreens(
    name: String, width: Double, height: Double, cut: Int
  ) throws {
    let screen = try screen(width, height)
    #expect(faults(TileLayout(.iPict, screen: screen, letters: 3), screen).outside == cut)
    #expect(faults(TileLayout(.fitted, screen: screen, letters: 3), screen).outside == 0)
  }

  /// The left and the top edge belong to a square.
  @Test func squaresAreHalfOpen() throws {
    let layout = TileLayout(.fitted, screen: try screen(414, 896), letters: 5)
    let (centre, half) = (layout.slots[2], layout.side / 2)
    func contains(_ dx: Double, _ dy: Double) -> Bool {
      layout.square(
        around: centre, contains: TileLayout.Point(x: centre.x + dx, y: centre.y + dy))
    }
    #expect(contains(0, 0) && contains(-half, -half) && contains(-half, half - 0.5))
    #expect(!contains(half, 0) && !contains(0, half) && !contains(-half - 0.5, 0))
    #expect(!contains(.nan, 0))
    let point = TileLayout.Point(x: centre.x + half + 3, y: centre.y - half - 4)
    #expect(layout.distance(from: point, outside: centre) == 5)
    #expect(layout.distance(from: centre, outside: centre) == 0)
  }
}
