public import Detectors

/// The rules in which the versions of the app differ. The default fixes the original's faults.
public struct HikeRules: Hashable, Sendable, Codable {
  /// The order in which waypoints are visited.
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
  public var order = Order.free
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

  public init() {}

  /// The rules of the original app, including its faults.
  public static var goHike: HikeRules {
    var rules = HikeRules()
    rules.checkIn = .goHike
    rules.order = .byRank
    rules.verifiesChecksum = false
    rules.mapsChangedIDs = false
    rules.marksAllUploaded = true
    rules.uploadBackoff = nil
    return rules
  }

  /// The rules of its debug build: 20 m instead of 60.
  public static var goHikeDebug: HikeRules {
    var rules = goHike
    rules.checkIn = .goHikeDebug
    return rules
  }

  /// The rules of its later versions, in which the walker chooses the next waypoint.
  public static var goHikeChosen: HikeRules {
    var rules = goHike
    rules.order = .chosen
    return rules
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
