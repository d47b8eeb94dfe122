public import TraceModel

extension TileDragDetector {
  /// The rule that decides in which slot a tile was dropped.
  public enum DropRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// The slot whose square contains the tile's centre. A tile that lies there goes home.
    case contains
    /// The nearest free slot within the radius.
    case nearest
  }

  public struct Parameters: Sendable, Hashable, Codable {
    public var rule = DropRule.nearest
    /// The largest distance from the tile's centre to that of a slot with the rule `nearest`, in
    /// sides of a tile. At most 1: then no slot reaches a tile at home, and a tap moves none. Chosen on
    /// simulated people; see docs/tile-drag.md.
    public var radius = 0.8
    /// Whether a tile whose touch is cancelled goes back to where it was. The original leaves it
    /// where the finger was, although it still counts for its slot.
    public var returnsCancelled = true
    /// Whether a second finger drags a second tile; otherwise it is ignored until it is lifted.
    public var allowsSecondFinger = false
    /// The time in seconds for which the board must be full before the guess counts.
    public var checkDelay = 0.5
    /// Whether picking up a tile of the full board stops the check. The original checks anyway, so
    /// that rearranging within the delay counts twice.
    public var stopsCheck = true
    /// The time in seconds from the check until the tiles go home. The original shows a banner.
    public var returnDelay = 0.0
    public var layout = TileLayout.Style.fitted
    /// The number of slots, 3 to 6.
    public var letters = 6.0
    /// The width of the screen in points: by default that of an iPhone SE of 2016.
    public var screenWidth = 320.0
    /// The height of the screen in points.
    public var screenHeight = 568.0

    public init() {}

    /// The rules of the original app, on its layout.
    ///
    /// Source: Jlinnister/iPict @18c5011, MessagesExtension/TileView.swift (drag) and
    /// GameViewController.swift (drop; check after 0.5 s, return after a banner of 0.7 s).
    public static var iPict: Parameters {
      var parameters = Parameters()
      parameters.rule = .contains
      parameters.returnsCancelled = false
      parameters.allowsSecondFinger = true
      parameters.stopsCheck = false
      parameters.returnDelay = 0.7
      parameters.layout = .iPict
      return parameters
    }

    /// Returns the parameters with what a trace states about its screen: the size in the header, and
    /// the attributes `letters` and `layout` of the channel. What the person saw is a fact of the
    /// recording, whatever rule is replayed on it.
    public func onScreen(of header: TraceHeader) -> Parameters {
      var parameters = self
      if let screen = header.screen {
        (parameters.screenWidth, parameters.screenHeight) = (screen.width, screen.height)
      }
      let attributes = header.info(.touch)?.attributes ?? [:]
      if let text = attributes["letters"], let count = Int(text),
        TileLayout.letterCounts.contains(count)
      {
        parameters.letters = Double(count)
      }
      if let style = attributes["layout"].flatMap({ TileLayout.Style(rawValue: $0) }) {
        parameters.layout = style
      }
      return parameters
    }

    /// The layout on the screen; values out of range become the nearest possible ones.
    public var tileLayout: TileLayout {
      func side(_ value: Double, _ standard: Double) -> Double {
        let range = ScreenSize.validRange
        return value.isNaN ? standard : min(max(value, range.lowerBound), range.upperBound)
      }
      let standard = Parameters()
      let screen = ScreenSize(
        width: side(screenWidth, standard.screenWidth),
        height: side(screenHeight, standard.screenHeight))
      let counts = TileLayout.letterCounts
      let letters = letters.isNaN ? standard.letters : letters
      let count = Int(
        min(max(letters.rounded(), Double(counts.lowerBound)), Double(counts.upperBound)))
      guard let screen else { preconditionFailure("both sides are in range") }
      return TileLayout(layout, screen: screen, letters: count)
    }
  }

  public static var presets: [DetectorPreset<Parameters>] {
    [
      DetectorPreset("default", summary: "the nearest free slot within a radius") {
        Parameters().onScreen(of: $0)
      },
      DetectorPreset("iPict", summary: "iPict: the slot that contains the tile's centre") {
        Parameters.iPict.onScreen(of: $0)
      },
    ]
  }

  public static var parameterFields: [ParameterField<Parameters>] {
    [
      .choice("rule", at: { $1(&$0.rule) }, "rule that decides in which slot a tile was dropped"),
      .number(
        "radius", at: { $1(&$0.radius) }, range: 0.05...1,
        "largest distance to a slot with the rule nearest, in sides of a tile"),
      .flag(
        "returns-cancelled", at: { $1(&$0.returnsCancelled) },
        "a tile whose touch is cancelled goes back to where it was"),
      .flag(
        "allows-second-finger", at: { $1(&$0.allowsSecondFinger) },
        "a second finger drags a second tile"),
      .number(
        "check-delay", at: { $1(&$0.checkDelay) }, unit: .seconds, range: 0.001...10,
        "time for which the board must be full before the guess counts"),
      .flag(
        "stops-check", at: { $1(&$0.stopsCheck) },
        "picking up a tile of the full board stops the check"),
      .number(
        "return-delay", at: { $1(&$0.returnDelay) }, unit: .seconds, range: 0...10,
        "time from the check until the tiles go home"),
      .choice("layout", at: { $1(&$0.layout) }, "layout of the screen, unless the trace states it"),
      .number(
        "letters", at: { $1(&$0.letters) }, range: 3...6,
        "number of slots, unless the trace states it"),
      .number(
        "screen-width", at: { $1(&$0.screenWidth) }, range: ScreenSize.validRange,
        "width of the screen in points, unless the trace states it"),
      .number(
        "screen-height", at: { $1(&$0.screenHeight) }, range: ScreenSize.validRange,
        "height of the screen in points, unless the trace states it"),
    ]
  }
}
