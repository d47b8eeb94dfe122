@testable import AppEngines
@testable import HikeApp
import Detectors
import HikeSamples
import Testing
import TraceModel

/// Help, lists, languages and the compass.
@Suite struct HikeScreenTests {
  @Test func howToPlayIsShownAtTheFirstStartAndFromTheButton() throws {
    var engine = HikeEngine(content: HikeSample.content(), device: "phone")
    var effects: [HikeEngine.Effect] = []
    #expect(engine.screen == .howToPlay)
    try engine.handle(.activate, at: .zero, into: &effects)
    #expect(effects == [.showHowToPlay])
    try engine.handle(.closeHelp, at: .zero, into: &effects)
    #expect(engine.screen == .profiles)
    // The second start.
    effects = []
    try engine.handle(.deactivate, at: .zero, into: &effects)
    try engine.handle(.activate, at: .zero, into: &effects)
    #expect(!effects.contains(.showHowToPlay) && engine.screen == .profiles)
    try engine.handle(.openHelp, at: .zero, into: &effects)
    #expect(effects.contains(.showHowToPlay) && engine.screen == .howToPlay)
  }

  @Test func profilesLeadToRoutesAndRoutesToWaypoints() throws {
    var trial = try HikeTrial(route: nil)
    #expect(trial.engine.screen == .profiles)
    try trial.give(.openProfile("families"))
    #expect(trial.engine.screen == .routes(profile: "families"))
    try trial.give(.openRoute(HikeSample.long))
    #expect(trial.engine.screen == .route(HikeSample.long))
    #expect(trial.effects.contains(.next(location: "101")))
    try trial.give(.closeRoute)
    #expect(trial.engine.screen == .routes(profile: "families"))
    try trial.give(.closeProfile)
    #expect(trial.engine.screen == .profiles)
  }

  @Test(arguments: [
    (["nl"], HikeLanguage.nl), (["nl-BE", "nl"], .en), (["en", "nl"], .en), (["NL"], .en),
    ([], .en), (["nl", "en"], .nl),
  ])
  func dutchOnlyWhereItIsExactlyFirst(preferred: [String], expected: HikeLanguage) throws {
    var trial = try HikeTrial()
    try trial.give(.languages(preferred))
    #expect(trial.engine.language == expected)
  }

  @Test func missingTextFallsBackToTheOtherLanguage() {
    #expect(HikeText(en: "a", nl: "b").text(in: .nl) == "b")
    #expect(HikeText(en: "a").text(in: .nl) == "a")
    #expect(HikeText(nl: "b").text(in: .en) == "b")
    #expect(HikeText().text(in: .en) == "")
  }

  // MARK: Compass

  /// Initial bearings of the sphere, by another program:
  /// `python3 -c "from math import *; p,q,d=map(radians,(52.09,52.1,5.2-5.12));
  /// print(degrees(atan2(sin(d)*cos(q),cos(p)*sin(q)-sin(p)*cos(q)*cos(d)))%360)"`
  @Test(arguments: [
    (52.09, 5.12, 52.1, 5.2, 78.4677), (52.09, 5.12, 52.09, 5.12, 0),
    (52.0, 5.0, 51.0, 5.0, 180), (0, 179.9, 0, -179.9, 90), (52.0, 5.0, 52.0, 4.9, 270.0394),
  ])
  func bearingIsTheInitialOne(
    latitude: Double, longitude: Double, toLatitude: Double, toLongitude: Double,
    expected: Double
  ) {
    let waypoint = HikeWaypoint(
      location: "a", rank: 0, name: HikeText(), latitude: toLatitude, longitude: toLongitude)
    let here = Coordinate(latitude: latitude, longitude: longitude)
    let compass = HikeCompass(to: waypoint, from: here, heading: nil)
    #expect(abs((compass?.bearing ?? .nan) - expected) < 1e-4, "\(String(describing: compass))")
  }

  @Test(arguments: [
    (10.0, 350.0, 20.0), (350, 10, -20), (90, 90, 0), (0, 180, -180), (180, 0, -180),
    (0, 181, 179), (359, 0, -1), (0, 720, 0),
  ])
  func arrowIsUnwrapped(bearing: Double, heading: Double, expected: Double) {
    #expect(HikeCompass.arrow(bearing: bearing, heading: heading) == expected)
  }

  @Test func headingCountsOnlyWithAPositiveAccuracy() throws {
    var trial = try HikeTrial()
    try trial.give(.openCompass)
    try trial.walk(toNorth: -500)
    #expect(trial.engine.compass?.arrow == nil)
    for accuracy in [0, -1, Double.nan] {
      try trial.give(.heading(Scalar(value: 90, accuracy: accuracy)))
      #expect(trial.engine.compass?.arrow == nil)
    }
    try trial.give(.heading(Scalar(value: 90, accuracy: 10)))
    let arrow = try #require(trial.engine.compass?.arrow)
    #expect(abs(arrow + 90) < 1e-6)
    try trial.give(.heading(Scalar(value: 45, accuracy: -1)))
    #expect(trial.engine.compass?.arrow == arrow)
  }

  @Test(arguments: [
    (0.0, "0 m"), (0.4, "0 m"), (34.5, "35 m"), (999.6, "1000 m"), (1000, "1000 m"),
    (1000.5, "1.00 km"), (1234, "1.23 km"), (1235.1, "1.24 km"), (12_345.6, "12.35 km"),
  ])
  func labelIsInMetresOrKilometres(distance: Double, expected: String) throws {
    let waypoint = HikeSample.waypoint(0)
    var compass = try #require(
      HikeCompass(to: waypoint, from: Coordinate(latitude: 52, longitude: 5), heading: nil))
    compass.distance = distance
    #expect(compass.label == expected)
  }

  @Test func compassPointsAtTheNextWaypoint() throws {
    var trial = try HikeTrial(HikeSample.chosen)
    #expect(trial.engine.compass == nil)
    try trial.give(.openCompass)
    #expect(trial.engine.screen == .compass(HikeSample.long) && trial.engine.isCompassOpen)
    try trial.walk(toNorth: -200)
    let compass = try #require(trial.engine.compass)
    #expect(compass.location == "101" && abs(compass.distance - 200) < 0.1)
    #expect(compass.label == "200 m")
    try trial.give(.choose("104"))
    #expect(trial.engine.compass?.location == "104")
    try trial.give(.closeCompass)
    #expect(trial.engine.compass == nil)
    try trial.give(.closeRoute)
    #expect(trial.refusal(of: .openCompass) == "no-route")
  }

  /// The compass goes by the fixes that the app gets and accepts: younger than 15 s, and in a
  /// later version only after 40 m of movement.
  @Test func compassGoesByAcceptedFixes() throws {
    for (rules, isFiltered) in [
      (HikeRules.goHikeSeptember2013, true), (.goHike, false), (HikeSample.plain, false),
    ] {
      var trial = try HikeTrial(rules)
      try trial.give(.openCompass)
      try trial.walk(toNorth: -200)
      #expect(trial.engine.compass?.label == "200 m")
      try trial.give(
        .fix(HikeSample.fix(north: -90), measured: trial.now.advanced(bySeconds: 5)), after: 20)
      #expect(trial.engine.compass?.label == "200 m", "15 s old")
      try trial.walk(toNorth: isFiltered ? -70 : -170)
      #expect(trial.engine.compass?.label == (isFiltered ? "200 m" : "170 m"))
      try trial.walk(toNorth: -300)
      #expect(trial.engine.compass?.label == "300 m")
    }
  }

  @Test func positionOnlyFromFixesThatAreValid() throws {
    var trial = try HikeTrial()
    try trial.give(.openCompass)
    for fix in [
      Fix(latitude: .nan, longitude: 5), Fix(latitude: 91, longitude: 5),
      Fix(latitude: 52, longitude: 5, horizontalAccuracy: -1),
    ] {
      try trial.give(.fix(fix, measured: trial.now))
      #expect(trial.engine.compass == nil)
    }
  }
}
