package import AppEngines
package import TraceModel

extension SimulatedFight {
  package static let actions = [
    AppAction("find-opponent", "asks for the next opponent of the queue"),
    AppAction("back-down", "turns the offered opponent down, and asks for the next"),
    AppAction("hit-that", "has the offered opponent revealed"),
    AppAction("challenge", "challenges a revealed or former opponent", .init("opponent", .person)),
    AppAction("track", "asks for the way to an opponent", .init("opponent", .person)),
    AppAction(
      "show-position", "shows somebody the exact position, or no longer",
      .init("to", .person), .init("shown", AppAction.yesOrNo, isNeeded: false)),
    AppAction(
      "place", "reports a position", .init("latitude", .number(-90...90, isWhole: false)),
      .init("longitude", .number(-180...180, isWhole: false))),
    AppAction("list-fights", "opens the lists of fights: active, won, lost"),
    AppAction("open-fight", "opens a fight of a list", .whole("fight", 1...10_000)),
    AppAction("view-profile", "opens the profile of an opponent", .init("of", .person)),
    AppAction(
      "edit-profile", "edits the profile, from its current values",
      .init("alias", .text, isNeeded: false), .init("bio", .text, isNeeded: false),
      .whole("height", Profile.heights, isNeeded: false),
      .whole("weight", Profile.weights, isNeeded: false)),
    AppAction("log-out", "signs out"),
    AppAction("log-in", "signs in on this phone, also as another person", .init("as", .person)),
    AppAction("tap-card", "dismisses a registration card by hand"),
    AppAction("hold", "presses the button"),
    AppAction("release", "releases the button"),
    AppAction("background", "leaves the app"),
    AppAction("foreground", "comes back to the app"),
  ]

  package mutating func inputs(
    of decision: Decision, at now: TraceInstant
  ) throws(Refusal) -> [FightClient.Input] {
    let phone = people[decision.person].engine
    switch decision.action {
    case "find-opponent": return [.ask(.findOpponent)]
    case "back-down": return [.ask(.backDown)]
    case "hit-that": return [.ask(.hitThat)]
    case "challenge": return [.ask(.challenge(try other(decision, "opponent")))]
    case "track": return [.ask(.track(try other(decision, "opponent")))]
    case "show-position":
      return [
        .ask(.showPosition(try other(decision, "to"), isShown: decision.isTrue("shown")))
      ]
    case "place":
      let (latitude, longitude) = (decision.number("latitude"), decision.number("longitude"))
      return [
        .ask(.reportPlace(Coordinate(latitude: latitude ?? 0, longitude: longitude ?? 0)))
      ]
    case "list-fights": return [.ask(.listFights)]
    case "open-fight": return [.open((decision.whole("fight") ?? 1) - 1)]
    case "view-profile": return [.ask(.viewProfile(try other(decision, "of")))]
    case "edit-profile": return try edit(decision, of: phone)
    case "log-out": return [.ask(.logOut)]
    case "log-in":
      people[decision.person].signInAt = nil
      let person = decision.person("as") ?? decision.person
      let login = SocialLogin(
        subject: SimulatedFight.subject(of: person), profile: people[person].stats)
      return [.ask(.logIn(login))]
    case "tap-card": return [.tapCard]
    case "hold", "release":
      hold(decision.action == "hold", decision.person, at: now)
      return []
    case "background": return [.foreground(false)]
    default: return [.foreground(true)]
    }
  }

  /// Returns the account of the person that an argument names.
  private func other(_ decision: Decision, _ name: String) throws(Refusal) -> UserID {
    guard let user = decision.person(name).flatMap(user) else {
      throw Refusal("nobody-there", "this person has not signed in yet")
    }
    return user
  }

  private func edit(
    _ decision: Decision, of phone: FightClient
  ) throws(Refusal) -> [FightClient.Input] {
    var (phone, none) = (phone, [FightClient.Effect]())
    try phone.handle(.beginEdit, at: phone.clock, into: &none)
    guard var draft = phone.draft else { return [] }
    draft.alias = decision.text("alias") ?? draft.alias
    draft.bio = decision.text("bio") ?? draft.bio
    draft.height = decision.whole("height") ?? draft.height
    draft.weight = decision.whole("weight") ?? draft.weight
    return [.beginEdit, .saveDraft(draft)]
  }

  // MARK: What the log adds if people follow a script

  mutating func noteAnswer(_ answer: FightAnswer, _ person: Int, at now: TraceInstant) {
    guard hasDecisions else { return }
    switch answer {
    case .opponent(let opponent?):
      let photo = opponent.photo == nil ? "no photo" : "a part of the photo"
      log("card", "sees the alias \(opponent.alias) and \(photo)", of: person, at: now)
    case .opponent(nil): log("nobody-left", "is offered nobody: none is left", of: person, at: now)
    case .revealed(let opponent, _):
      log("revealed", "sees who it is: \(text(opponent))", of: person, at: now)
    case .profile(let profile):
      log("profile", "reads the profile of \(text(profile))", of: person, at: now)
    case .fights(let lists):
      func list(_ views: [FightView]) -> String {
        views.isEmpty
          ? "none"
          : views.map { "\($0.fight + 1) with \($0.opponentAlias)" }.joined(separator: ", ")
      }
      log(
        "lists",
        "sees the fights, newest first: active \(list(lists.active)); won \(list(lists.won)); "
          + "lost \(list(lists.lost))", of: person, at: now)
    case .tracking(let view):
      let place = view.isExact ? "the exact place" : "about the place"
      log(
        "way",
        "is shown \(place) of \(name(self.person(of: view.user))): "
          + "\(Int(view.distance.rounded())) m away, bearing \(Int(view.bearing.rounded()))°",
        of: person, at: now, value: view.distance, unit: "m")
    default: break
    }
  }

  private func text(_ profile: BasicProfile) -> String {
    let stats = profile.profile
    let height = stats.height.map { ", \($0) inches" } ?? ""
    let bio = stats.bio.isEmpty ? "" : ", “\(stats.bio)”"
    return "\(stats.alias)\(height)\(bio), \(profile.wins) won, \(profile.losses) lost"
  }

  mutating func noteNotice(_ notice: FightNotice, _ person: Int, at now: TraceInstant) {
    guard hasDecisions else { return }
    let opens =
      people[person].engine.isInForeground && [.hit, .lost].contains(notice.kind)
      ? "; the app opens the fight" : ""
    log("notice", "is notified: “\(notice.text)”\(opens)", of: person, at: now)
  }

  mutating func noteCard(left: Int, of person: Int, at now: TraceInstant) {
    guard decides(after: "sign-in", person) else { return }
    log("card", "dismisses a registration card: \(left) left", of: person, at: now)
  }
}
