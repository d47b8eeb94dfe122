package import AppEngines
package import TraceModel

extension SimulatedWorkout {
  private static let sports = AppAction.Argument.Form.words(Workout.Sport.allCases.map(\.rawValue))

  package static let actions = [
    AppAction("deny-location", "denies the location, or takes the permission back"),
    AppAction("allow-location", "takes the step that the app offers to use the location"),
    AppAction("grant-location", "grants the location, in the dialog or in the settings"),
    AppAction("start", "starts an activity", .init("sport", .words(["run", "bike"]))),
    AppAction("pause", "pauses"), AppAction("resume", "resumes"), AppAction("stop", "stops"),
    AppAction("save", "saves what was stopped"), AppAction("discard", "discards what was stopped"),
    AppAction("suspend", "the system suspends the app"), AppAction("wake", "the system wakes it"),
    AppAction(
      "log-swim", "logs a swim by the form", .whole("laps", 1...10_000),
      .init("lap", .number(1...10_000, isWhole: false)), .whole("minutes", 1...59),
      .whole("days-ago", 0...30, isNeeded: false)),
    AppAction(
      "show-feed", "opens the feed",
      .init("of", .words(Workout.FeedScope.allCases.map(\.rawValue)))),
    AppAction("tap", "taps an activity of the feed: its pace", .whole("activity", 1...1000)),
    AppAction("open", "opens an activity of the feed: map and data", .whole("activity", 1...1000)),
    AppAction("show-week", "opens the week"),
    AppAction("toggle", "shows or hides a sport in the week", .init("sport", sports)),
    AppAction(
      "forget-contact", "takes a person out of the address book", .init("person-number", .person)),
  ]

  package mutating func inputs(
    of decision: Decision, at now: TraceInstant
  ) throws(Refusal) -> [WorkoutEngine.Input] {
    let phone = people[decision.person].engine
    let sport = decision.text("sport").flatMap(Workout.Sport.init) ?? .run
    switch decision.action {
    case "deny-location": return [.permission(.denied)]
    case "allow-location": return [.allowLocation]
    case "grant-location": return [.permission(.granted)]
    case "start": return [.start(sport)]
    case "pause": return [.pause]
    case "resume": return [.resume]
    case "stop": return [.stop]
    case "save": return [.save]
    case "discard": return [.discard]
    case "suspend": return [.suspended(true)]
    case "wake": return [.suspended(false)]
    case "log-swim": return [.logSwim(swim(decision, phone.wall(now)))]
    case "show-feed":
      return [.showFeed(decision.text("of").flatMap(Workout.FeedScope.init) ?? .mine)]
    case "tap": return [.tap(try activity(decision, of: phone))]
    case "open": return [.open(try activity(decision, of: phone))]
    case "show-week":
      let week = calendar.week(containing: phone.wall(now), start: phone.rules.weekStart)
      return week.map { [.showWeek($0)] } ?? []
    case "toggle": return [.toggle(sport)]
    default:
      let contact = people[decision.person("person-number") ?? 0].contact
      let left = phone.contacts.filter { $0 != contact }
      return [.contacts(people[decision.person].has(left))]
    }
  }

  private func swim(_ decision: Decision, _ now: WallTime) -> Workout.SwimForm {
    let days = Int64(decision.whole("days-ago") ?? 0)
    return Workout.SwimForm(
      date: now.advanced(byNanoseconds: -days * 86_400_000_000_000),
      lapLength: decision.number("lap") ?? 25, laps: decision.whole("laps") ?? 1,
      minutes: decision.whole("minutes") ?? 1)
  }

  private func activity(
    _ decision: Decision, of phone: WorkoutEngine
  ) throws(Refusal) -> Workout.ActivityID {
    let index = (decision.whole("activity") ?? 1) - 1
    guard phone.feed.indices.contains(index) else {
      throw Refusal("no-such-activity", "The feed has \(phone.feed.count) activities.")
    }
    return phone.feed[index].id
  }

  // MARK: What the log adds if people follow a script

  mutating func noteMore(_ effect: WorkoutEngine.Effect, of index: Int, at now: TraceInstant) {
    let line: (kind: String, text: String)? =
      switch effect {
      case .openSettings: ("settings", "is led to the system's settings, to allow the location")
      case .startUpdates: ("recording", "the phone records locations")
      case .stopUpdates: ("not-recording", "the phone records no locations any more")
      case .discarded: ("discarded", "the activity is discarded")
      case .showPace(_, let pace):
        ("pace", "sees the pace: \(pace.map { "\($0) min/mi" } ?? "none")")
      case .showDetail: ("detail", detail(of: index))
      default: nil
      }
    if let line { log(line.kind, line.text, of: index, at: now) }
  }

  private func detail(of index: Int) -> String {
    guard let record = people[index].engine.detail else { return "sees the activity" }
    let bounds = record.bounds.map { bounds in
      let sides = [bounds.south, bounds.north, bounds.west, bounds.east].map {
        DecimalText.text($0, decimals: 4) ?? "?"
      }
      return ", on a map from \(sides[0]) to \(sides[1]) N and \(sides[2]) to \(sides[3]) E"
    }
    let summary = record.summary
    return "sees \(summary.creatorName)'s \(summary.sport.noun) of "
      + "\(Workout.Text.kilometers(summary.distance)) with \(record.locations.count) locations"
      + (bounds ?? "") + ", begun \(Workout.Text.timestamp(summary.start)), id \(summary.id)"
  }
}
