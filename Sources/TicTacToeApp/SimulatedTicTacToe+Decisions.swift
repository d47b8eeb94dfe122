package import AppEngines
package import TraceModel

extension SimulatedTicTacToe {
  package static let actions = [
    AppAction("log-out", "logs out"), AppAction("log-in", "logs in again, or registers"),
    AppAction("set-picture", "sets the picture", .init("picture", .text, isNeeded: false)),
    AppAction("menu", "opens the menu with the score"),
    AppAction("leaders", "opens the leader board"),
    AppAction("friends", "opens the friends, and who wants to be one"),
    AppAction("befriend", "asks somebody to be a friend", .init("name", .text)),
    AppAction("unfriend", "is no longer a friend of somebody", .init("name", .text)),
    AppAction("thread", "opens all messages with somebody", .init("name", .text)),
    AppAction("invite", "asks somebody of the list for a game", .init("name", .text)),
    AppAction("say", "says something to the opponent", .init("line", .text)),
    AppAction("tap", "taps a square", .init("square", .words(Square.allCases.map(\.name)))),
    AppAction("rematch", "asks for another game"), AppAction("leave", "leaves the game"),
    AppAction("background", "leaves the app"), AppAction("foreground", "comes back to the app"),
  ]

  package mutating func inputs(
    of decision: Decision, at now: TraceInstant
  ) throws(Refusal) -> [TicTacToeClient.Input] {
    switch decision.action {
    case "log-out": return [.ask(.logOut)]
    case "log-in":
      let player = people[decision.person]
      return [player.hasAccount ? player.login : player.registration]
    case "set-picture": return [.ask(.setPicture(decision.text("picture")))]
    case "menu": return [.ask(.menu)]
    case "leaders": return [.ask(.leaders)]
    case "friends": return [.ask(.friends)]
    case "befriend": return [.ask(.befriend(try user(decision)))]
    case "unfriend": return [.ask(.unfriend(try user(decision)))]
    case "thread": return [.ask(.thread(try user(decision)))]
    case "invite": return [.invite(try user(decision))]
    case "say": return [.say(decision.text("line") ?? "")]
    case "tap":
      let square = Square.allCases.first { $0.name == decision.text("square") }
      return [.tap(square ?? .m2)]
    case "rematch": return [.rematch]
    case "leave": return [.leave]
    case "background": return [.background]
    default: return [.foreground]
    }
  }

  /// Returns the account of the person whose name, as the log has it, an argument states.
  private func user(_ decision: Decision) throws(Refusal) -> UserID {
    let name = decision.text("name")
    guard let user = persons.keys.sorted().first(where: { self.name(of: $0) == name }) else {
      throw Refusal("nobody-there", "nobody has this name")
    }
    return user
  }

  mutating func noteMore(
    _ answer: TicTacToeAnswer, to call: TicTacToeCall, of person: Int, at now: TraceInstant
  ) {
    func list(_ scores: [Score]) -> String {
      scores.isEmpty
        ? "nobody"
        : scores.prefix(5).map { score in
          let last = score.lastPlayed.map {
            ", last at \(Double($0.nanoseconds / 1_000_000) / 1000) s"
          }
          return "\(score.name): \(score.words)\(last ?? "")"
        }.joined(separator: ", ")
    }
    switch (answer, call) {
    case (.scores(let scores), _):
      log("leaders", "sees the leader board: \(list(scores))", of: person, at: now)
    case (.friends(let friends, let requests), _):
      log(
        "friends", "sees the friends: \(list(friends)); who asks to be one: \(list(requests))",
        of: person, at: now)
    case (.thread(let lines), .thread(let other)):
      let newest = lines.first.map { ", the newest “\($0.text)”" } ?? ""
      log(
        "thread", "sees \(lines.count) messages with \(name(of: other))\(newest)", of: person,
        at: now)
    case (.done, .setPicture(let picture)):
      log("picture", picture == nil ? "has no picture" : "has a picture", of: person, at: now)
    default: break
    }
  }
}
