package import AppEngines
package import TraceModel

extension PictureGuessSimulation {
  package static var actions: [AppAction] {
    [
      AppAction("open", "opens the app"), AppAction("close", "closes the app"),
      AppAction(
        "style", "shows the app compact or expanded", .init("to", .words(["compact", "expanded"]))),
      AppAction("rematch", "asks for a rematch, if the match is over"),
      AppAction("other-pictures", "looks at four other pictures", .whole("draw", 1...1_000_000)),
      AppAction("choose", "chooses one of the four pictures", .whole("picture", 1...4)),
      AppAction("send", "sends the chosen picture"),
      AppAction("cancel", "takes the chosen picture out of the message field"),
      AppAction("third-person", "a third person of the thread answers the newest picture"),
    ]
  }
}

extension SimulatedPictureGuess {
  package mutating func inputs(
    of decision: Decision, at now: TraceInstant
  ) throws(Refusal) -> [PictureGuessPhone.Input] {
    switch decision.action {
    case "open":
      plan(.open, after: 0, decision.person, at: now)
      return []
    case "close": return [.close]
    case "style":
      return [.setStyle(PresentationStyle(rawValue: decision.text("to") ?? "") ?? .expanded)]
    case "rematch":
      plan(.rematch, after: 0, decision.person, at: now)
      return []
    case "other-pictures": return [.offer(seed: UInt64(decision.whole("draw") ?? 1))]
    case "choose": return [.choose((decision.whole("picture") ?? 1) - 1)]
    case "send": return [.send]
    case "cancel": return [.cancel]
    default:
      plan(.third, after: 0, decision.person, at: now)
      return []
    }
  }
}
