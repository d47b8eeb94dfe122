package import AppEngines
package import TraceModel

extension SimulatedHike {
  package static let actions = [
    AppAction("confirm", "confirms the prompt, as late as it may be"),
    AppAction("continue", "records the visit after reading about the waypoint"),
    AppAction("cancel", "does not check in: the next fix prompts again"),
    AppAction("choose", "makes a waypoint the next one", .whole("waypoint", 1...1000)),
    AppAction(
      "network", "goes to that network", .init("to", .words(["offline", "cellular", "wifi"]))),
    AppAction(
      "publish",
      "the server gets new content: the routes under other ids, or without the last waypoint",
      .init("with", .words(["new-ids", "fewer-waypoints"]))),
    AppAction("languages", "prefers a language", .init("first", .words(["en", "nl", "nl-BE"]))),
    AppAction("open-help", "opens “How to play”"),
    AppAction("close-help", "closes “How to play”"),
    AppAction("open-route", "opens the route of a person", .init("of", .person)),
    AppAction("close-route", "closes the route"),
    AppAction("close-profile", "goes back to the list of profiles"),
    AppAction("open-compass", "opens the compass"),
    AppAction("close-compass", "closes the compass"),
    AppAction("close-reward", "closes the reward"),
    AppAction("background", "leaves the app"),
    AppAction("foreground", "comes back to the app: it looks for content and uploads"),
  ]

  package mutating func inputs(
    of decision: Decision, at now: TraceInstant
  ) throws(Refusal) -> [HikeEngine.Input] {
    switch decision.action {
    case "confirm": return [.confirm]
    case "continue": return [.proceed]
    case "cancel": return [.cancel]
    case "choose":
      let location = try location(decision)
      people[decision.person].hasChosen = true
      return [.choose(location)]
    case "network":
      return [.connectivity(HikeEngine.Connectivity(rawValue: decision.text("to") ?? "") ?? .wifi)]
    case "publish":
      publish(isRenamed: decision.text("with") == "new-ids", by: decision.person, at: now)
      return []
    case "languages": return [.languages([decision.text("first") ?? ""])]
    case "open-help": return [.openHelp]
    case "close-help": return [.closeHelp]
    case "open-route":
      let routes = people[decision.person].engine.content.profiles.first
      let index = decision.person("of") ?? 0
      guard let routes, routes.routes.indices.contains(index) else {
        throw Refusal("unknown-route", "There is no such route; choose one of the list.")
      }
      return [.openRoute(HikeRouteKey(profile: routes.id, route: routes.routes[index].id))]
    case "close-route": return [.closeRoute]
    case "close-profile": return [.closeProfile]
    case "open-compass": return [.openCompass]
    case "close-compass": return [.closeCompass]
    case "close-reward": return [.closeReward]
    case "background": return [.deactivate]
    default: return [.activate]
    }
  }

  private func location(_ decision: Decision) throws(Refusal) -> String {
    let waypoints = people[decision.person].engine.walk?.waypoints ?? []
    let index = (decision.whole("waypoint") ?? 1) - 1
    guard waypoints.indices.contains(index) else {
      throw Refusal("unknown-waypoint", "The open route has \(waypoints.count) waypoints.")
    }
    return waypoints[index].location
  }

  /// Gives the server content with another version.
  private mutating func publish(isRenamed: Bool, by person: Int, at now: TraceInstant) {
    var new = server.published
    publications += 1
    new.version = renamed(new.version, isRenamed ? "a" : "b")
    for profile in new.profiles.indices {
      for route in new.profiles[profile].routes.indices {
        var waypoints = new.profiles[profile].routes[route].waypoints
        if isRenamed {
          for index in waypoints.indices {
            waypoints[index].location = renamed(waypoints[index].location, "a")
          }
        } else if waypoints.count > 1 {
          waypoints.removeLast()
        }
        new.profiles[profile].routes[route].waypoints = waypoints
      }
    }
    var none: [HikeServer.Effect] = []
    try? server.handle(.publish(new), at: now, into: &none)
    log("published", "the server has new content, version \(new.version)", of: person, at: now)
  }

  /// A name of this publication. Those of many are no longer than that of the second.
  private func renamed(_ name: String, _ letter: String) -> String {
    let first = name.prefix { $0 != "~" }
    return publications == 1 ? name + letter : "\(first)~\(publications)\(letter)"
  }

  // MARK: What the log adds if people follow a script

  mutating func noteMore(_ effect: HikeEngine.Effect, of person: Int, at now: TraceInstant) {
    let line: (kind: String, text: String)? =
      switch effect {
      case .showHowToPlay: ("help", "is shown how to play")
      case .next(_?):
        people[person].engine.compass.map { compass in
          let bearing = HikeCompass.text(compass.bearing, decimals: 0)
          return ("compass", "the compass shows \(compass.label), bearing \(bearing)°")
        }
      case .ping: ("ping", "the phone asks whether its content is current")
      case .download: ("download", "the phone downloads the new content")
      case .cancelDownload: ("download-cancelled", "the download stops: there is no Wi-Fi any more")
      case .contentReplaced(let version): ("content", "has the new content, version \(version)")
      case .contentRefused(let reason): ("content-refused", "refuses the new content: \(reason)")
      case .routeClosed: ("route-closed", "the open route is not in the new content")
      case .progressLost(let count): ("progress-lost", "loses \(count) check-ins with their ids")
      case .promptClosed: ("prompt-closed", "the prompt closes unanswered")
      default: nil
      }
    if let line { log(line.kind, line.text, of: person, at: now) }
  }
}
