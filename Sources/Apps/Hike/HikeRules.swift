public import Detectors

/// What the app does where versions of it differ. The default mends the original's faults.
public struct HikeRules: Hashable, Sendable, Codable {
  /// In which order waypoints are visited.
  public enum Order: String, CaseIterable, Hashable, Sendable, Codable {
    /// By rank; the next is the first that was not visited.
    case byRank
    /// The walker chooses the next; after it comes the next by rank, and after the last the first.
    case chosen
    /// Whichever is near. The next one is only what the compass shows; it can be chosen.
    case free
  }

  /// How a check-in is prompted. Its order follows from ``order``.
  public var checkIn = CheckInDetector.Parameters()
  public var order = Order.free
  /// Whether content whose profiles do not have the MD5 that it states is refused. The original
  /// took it: a download that was damaged but could be read went live.
  public var verifiesChecksum = true
  /// Whether check-ins and the open route survive content with other ids. The original crashed;
  /// without it they are lost here.
  public var mapsChangedIDs = true
  /// Whether an answered upload marks all check-ins as uploaded, also those that were made after it
  /// was sent. The original did: what it had not sent never reached the server.
  public var marksAllUploaded = false
  /// Seconds after which an unanswered upload is sent again, twice as many after each further one,
  /// up to ``longestRetry``; 0 = only with the next check-in or activation, as the original.
  public var uploadRetry = 30.0
  /// Seconds.
  public var longestRetry = 600.0

  public init() {}

  /// As the app had it, faults included.
  public static var goHike: HikeRules {
    var rules = HikeRules()
    rules.checkIn = .goHike
    rules.order = .byRank
    rules.verifiesChecksum = false
    rules.mapsChangedIDs = false
    rules.marksAllUploaded = true
    rules.uploadRetry = 0
    return rules
  }

  /// Its debug build: 20 m in place of 60.
  public static var goHikeDebug: HikeRules {
    var rules = goHike
    rules.checkIn = .goHikeDebug
    return rules
  }

  /// Its later versions, in which the walker chooses the next waypoint.
  public static var goHikeChosen: HikeRules {
    var rules = goHike
    rules.order = .chosen
    return rules
  }

  /// The detector's parameters with the order of the rules.
  var detection: CheckInDetector.Parameters {
    var parameters = checkIn
    parameters.order = order == .free ? .free : .firstUnvisited
    // A check-in is made by the walker, and once.
    parameters.requiresConfirmation = true
    parameters.revisits = false
    return parameters
  }
}
