public import AppEngines
import Detectors
import TraceModel

extension HikeEngine {
  public static func migrated(_ state: StateTree, from version: Int) -> StateTree? {
    switch version {
    case 2: migrated2(state)
    case 3: migrated3(state)
    default: nil
    }
  }

  /// In version 4 the detector has the limit of the future itself, and the default makes no pause of
  /// a minute after a cancellation.
  private static func migrated3(_ state: StateTree) -> StateTree {
    var state = state
    let lead = state["rules"]?["maximumLead"] ?? .number(CheckInDetector.Parameters().maximumLead)
    state["rules"]?["maximumLead"] = nil
    func migrate(_ owner: inout StateTree?, _ name: String) {
      owner?[name]?.complete("maximumLead", with: lead)
      guard [.whole(60), .number(60)].contains(owner?[name]?["cancelPause"]) else { return }
      owner?[name]?["cancelPause"] = .whole(0)
    }
    var rules = state["rules"]
    migrate(&rules, "checkIn")
    state["rules"] = rules
    var detector = state["walk"]?["detector"]
    migrate(&detector, "parameters")
    state["walk"]?["detector"] = detector
    return state
  }

  private static func migrated2(_ state: StateTree) -> StateTree {
    var state = state
    state.complete("isIgnoringFixes", with: .boolean(false))
    state.complete("downloadSince", with: state["clock"] ?? .object(["nanoseconds": .whole(0)]))
    var rules = state["rules"]
    // Rules that verify no checksum are the original's.
    if rules?["verifiesChecksum"] == .boolean(false) {
      let age = rules?["checkIn"]?["maximumAge"]
      rules?["maximumLead"] = age
    } else {
      let budget = StateTree.sendBudget(capacity: 6, refill: 300)
      rules?.complete("clockPatience", with: .number(10))
      rules?.complete("returnBudget", with: budget)
      for name in ["uploadBudget", "pingBudget"] { state.complete(name, with: budget) }
      state.complete("stamps", with: .stampClock(patience: 10_000_000_000))
    }
    state["rules"] = rules
    return state
  }

  /// Takes over the check-ins that the server has not confirmed.
  public mutating func rescue(from state: any Decoder) throws {
    let waiting = try HikeWaiting(from: state).waiting
    guard !waiting.isEmpty else { return }
    // A new engine is offline, so that there is nothing to send yet: nobody carries these effects.
    var effects: [Effect] = []
    for start in stride(from: 0, to: waiting.count, by: HikeEngine.mostRecovered) {
      let part = waiting[start...].prefix(HikeEngine.mostRecovered)
      try handle(.recovered(Array(part)), at: .zero, into: &effects)
    }
  }
}
