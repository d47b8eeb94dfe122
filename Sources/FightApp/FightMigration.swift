public import AppEngines

/// States of version 2 have sessions that could be predicted, times of phones on the authority's
/// clock, and answers of the old forms. So everybody signs in again, and what a phone has not sent is
/// dropped; people, fights, wins and the numbers of requests stay.
extension FightAuthority {
  public static func migrated(_ state: StateTree, from version: Int) -> StateTree? {
    guard version == 2 else { return nil }
    var state = state
    state["rules"] = FightRules.migrated(state["rules"])
    state["generator"] = nil
    state["usedTokens"] = .list([])
    state["accounts"] = state["accounts"]?.mapped { account in
      account["installations"] = .list(account["installation"].map { [$0] } ?? [])
      account["installation"] = nil
      account["session"] = nil
      account["hardest"] = .number(0)
    }
    let clock = state["clock"]
    state["fights"] = state["fights"]?.mapped { fight in
      guard var bout = fight["bout"], let begun = fight["begun"] else { return }
      // The old rules forfeited nothing: the wait for a move begins now.
      if case .whole(let last)? = fight["lastMoved"], case .whole(let now)? = clock {
        fight["lastMoved"] = .whole(max(last, now))
      }
      bout["begun"] = begun
      bout["isForfeited"] = .boolean(false)
      for side in ["Origin", "Recipient"] {
        bout["lastThrownBy\(side)"] = nil
        bout["paceOf\(side)"] = .object(["clock": .whole(0), "count": .whole(0)])
      }
      fight["bout"] = bout
    }
    var replies = state["replies"]
    let memories = replies?["memories"]?.mapped { $0["entries"] = .list([]) }
    replies?["memories"] = memories
    state["replies"] = replies
    return state
  }
}

extension FightClient {
  public static func migrated(_ state: StateTree, from version: Int) -> StateTree? {
    guard version == 2 else { return nil }
    var state = state
    state["rules"] = FightRules.migrated(state["rules"])
    for name in ["session", "user", "view", "draft"] { state[name] = nil }
    state["cardsLeft"] = .whole(0)
    state["knowsMounting"] = .boolean(false)
    state["isInForeground"] = .boolean(true)
    state["knownMoves"] = .list([])
    var outbox = state["outbox"]
    outbox?["items"] = .list([])
    outbox?["due"] = nil
    state["outbox"] = outbox
    state["clockID"] = outbox?["position"]?["epoch"] ?? .whole(0)
    state["sampleClock"] = .object([
      "lastArrival": .whole(.min), "lastTime": .whole(.min),
      "stamps": .stampClock(patience: 500_000_000),
    ])
    return state
  }
}

extension FightRules {
  /// Converts the rules of version 2; those that do not compute the damage are the original's.
  fileprivate static func migrated(_ old: StateTree?) -> StateTree? {
    guard var rules = old else { return nil }
    let preset = rules["computesDamage"] == .boolean(false) ? FightRules.hitThat : .default
    rules["comparesWholeValues"] = rules["comparesEveryRow"] ?? .boolean(true)
    rules["limitsHits"] = .boolean(preset.limitsHits)
    rules["namesTechniquesAlways"] = .boolean(preset.namesTechniquesAlways)
    rules["offerInterval"] = .number(preset.offerInterval)
    rules["offerBurst"] = .whole(Int64(preset.offerBurst))
    rules["cardCount"] = .whole(Int64(preset.cardCount))
    rules["forfeitAfter"] = preset.forfeitAfter.map { .number($0) }
    // The detector's default was by the magnitude then.
    for name in ["punchPreset", "cardPreset"] where rules[name] == .text("default") {
      rules[name] = .text("magnitude")
    }
    rules["comparesEveryRow"] = nil
    rules["reminderAfter"] = nil
    return rules
  }
}
