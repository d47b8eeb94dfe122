public import AppEngines
public import Detectors

/// The rules in which the versions of the app differ. The default fixes the original's faults.
public struct HikeRules: AppRules {
  public enum Order: String, CaseIterable, Hashable, Sendable, Codable {
    /// By rank; the next is the first unvisited one.
    case byRank
    /// The walker chooses the next; the next by rank follows, and the first after the last.
    case chosen
    /// Any near waypoint. The next one is only the target of the compass; it can be chosen.
    case free
  }

  /// The parameters of the check-in. Their order follows from ``order``.
  public var checkIn = CheckInDetector.Parameters()
  /// The documentation of the original says that waypoints are visited in a fixed order.
  public var order = Order.byRank
  /// The time in seconds for which all fixes must be late until the phone's clock is taken to be
  /// behind (see ``StampClock``); nil = stamps are used as they are, as in the original.
  public var clockPatience: Double? = 10
  /// Whether to reject content with a wrong MD5 of its profiles. The original accepted it: a
  /// damaged but readable download became active.
  public var verifiesChecksum = true
  /// Whether check-ins and the open route survive content with other ids. The original crashed;
  /// here they are lost if this is off.
  public var mapsChangedIDs = true
  /// Whether an answered upload marks all check-ins as uploaded, including those made after it was
  /// sent. The original did, so unsent check-ins never reached the server.
  public var marksAllUploaded = false
  /// The waits after which an unanswered upload is sent again; nil = only with the next check-in or
  /// activation, as in the original.
  public var uploadBackoff: Backoff? = Backoff(first: 30, longest: 600)
  /// Whether an app that is started again asks the server for the check-ins that it may have lost with its
  /// state. The original did not: after a new installation the walk began again.
  public var restoresCheckIns = true
  /// The limit of uploads and searches for content that coming to the front, or back online,
  /// causes; nil = none, as in the original.
  public var returnBudget: SendBudget? = SendBudget(capacity: 6, refill: 300)

  /// The rules without the original's faults.
  public static let `default` = HikeRules()

  /// The default with waypoints in any order.
  public static let freeOrder = `default`.with { $0.order = .free }

  /// The default with the order of the original's later versions: the walker chooses the next
  /// waypoint, and after the last one the order wraps around.
  public static let chosenNext = `default`.with { $0.order = .chosen }

  /// The rules of the original app, including its faults.
  ///
  /// Source: codeforeurope/gohike-ios @09de566 (2013-08-25), ScavengerApp/CompassViewController.m, lines
  /// 33-35 (60 m), 178 (|age| < 15 s) and 255 (no filter); `RULES.md` has the other places.
  public static let goHike = `default`.with { rules in
    rules.checkIn = .goHike
    (rules.clockPatience, rules.uploadBackoff, rules.returnBudget) = (nil, nil, nil)
    (rules.verifiesChecksum, rules.mapsChangedIDs, rules.marksAllUploaded) = (false, false, true)
    rules.restoresCheckIns = false
  }

  /// The rules with the location filter of 40 m of a later version, which was released as 2.0.
  ///
  /// Source: ScavengerApp/AppState.m, line 240 @4aa34d5 (2013-09-10), the same in the release @f7954bc
  /// (2013-09-21). Of that version only the filter is modelled.
  public static let goHikeSeptember2013 = goHike.with { $0.checkIn = .goHikeSeptember2013 }

  private func with(_ change: (inout HikeRules) -> Void) -> HikeRules {
    var rules = self
    change(&rules)
    return rules
  }

  public static func preset(named name: String) -> HikeRules? {
    [
      "default": .default, "freeOrder": .freeOrder, "chosenNext": .chosenNext, "goHike": .goHike,
      "goHike2013-09": .goHikeSeptember2013,
    ][name]
  }

  /// The detector's parameters with the order of the rules.
  var detection: CheckInDetector.Parameters {
    var parameters = checkIn
    parameters.order = order == .free ? .free : .firstUnvisited
    // The walker makes a check-in, and only once.
    parameters.requiresConfirmation = true
    parameters.revisits = false
    return parameters
  }
}
