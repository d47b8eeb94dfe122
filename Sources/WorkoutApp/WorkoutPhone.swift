package import AppEngines
import Detectors
import TraceModel

/// One person of a ``SimulatedWorkout``: the phone, the facts of the trace, and the log.
package struct WorkoutPhone: ExchangePerson {
  package var engine: WorkoutEngine
  let device: DeviceID
  let sport: Workout.Sport
  private(set) var contacts: [Workout.Contact] = []
  /// All contacts that were taken out of the address book, and those of which the server does not know it.
  private var forgotten: [Workout.Contact] = []
  private var untold: [Workout.Contact] = []
  package let name: String
  var hasStarted = false
  var isFinished = false
  var isSaved = false
  private var finished: TraceInstant?
  /// Seconds from the end of the recording to the server's first confirmation of it.
  private var saveDelay: Double?
  /// The code that has come to the number and is not entered yet.
  var code: String?
  /// How often a track was shown to a person who is not a friend.
  var strangerCount = 0
  /// The activities that lists have shown to such people, each with the person.
  var shownToStrangers: Set<[String]> = []
  /// The number of times that the week showed another total of runs than the right one.
  private var wrongWeeks = 0
  private var lastWeek = ""
  /// All workouts that the person has saved.
  private var everSaved: Set<Workout.ActivityID> = []
  /// Those that this phone had at the last restart.
  private var kept: Set<Workout.ActivityID> = []
  /// The workouts that the server had confirmed and lost with its state.
  private var goneWithServer: Set<Workout.ActivityID> = []
  /// The swims among the workouts that the person has saved.
  private var swims: Set<Workout.ActivityID> = []
  private(set) var summary: Workout.Summary?
  private var finishedMeasurements: [Measurement] = []
  private var splitCounts = (kilometers: 0, miles: 0)
  /// The true distance in metres; nil = not stated.
  private let trueDistance: Double?

  init(
    _ person: AppSetup.Person, device: DeviceID, rules: WorkoutRules, installation: UInt64,
    epoch: WallTime
  ) {
    self.device = device
    name = person.name
    let activity = person.header.activity
    let isRide = ["cycling", "biking", "riding", "bike", "ride"].contains(activity)
    sport = isRide ? .bike : .run
    trueDistance = WorkoutPhone.distance(person.header.reference(.distance))
    // Numbers reserved for fiction: 202-555-0100 to -0199.
    let number = WorkoutPhone.number(device)
    engine = WorkoutEngine(
      rules: rules, user: Workout.UserID(rawValue: "person-\(device.index + 1)"),
      name: WorkoutPhone.accountName(person.name, device), number: number, region: .unitedStates,
      installation: installation, epoch: epoch)
  }

  /// - Returns: the contacts to give to the phone.
  mutating func has(_ contacts: [Workout.Contact]) -> [Workout.Contact] {
    let gone = self.contacts.filter { !contacts.contains($0) }
    forgotten += gone
    untold += gone
    self.contacts = contacts
    return contacts
  }

  /// Notes that the server has answered what the phone has told it of its contacts.
  mutating func contactsAreTold() {
    let isWaiting = engine.outbox.items.contains {
      if case .contacts = $0.request { true } else { false }
    }
    if !isWaiting { untold = [] }
  }

  /// Notes that the server has an older state, with older contacts.
  mutating func contactsAreUntold() { untold = forgotten }

  /// Whether the server may take a person for one whose number this phone has.
  func mayList(_ person: WorkoutPhone) -> Bool {
    contacts.contains(person.contact) || untold.contains(person.contact)
  }

  private static func number(_ device: DeviceID) -> PhoneNumber {
    let text = "+1202555010\(min(max(device.index, 0), 9))"
    guard let number = PhoneNumber(rawValue: text) else {
      preconditionFailure("\(text) is a number")
    }
    return number
  }

  /// Returns a valid account name: not empty and not too long.
  private static func accountName(_ name: String, _ device: DeviceID) -> String {
    name.isEmpty || name.utf8.count > WorkoutServer.longestName
      ? "person \(device.index + 1)" : name
  }

  package var isWaiting: Bool { engine.deadline != nil }

  /// What it has of the workout that is being recorded.
  package func losses(to new: WorkoutEngine) -> [AppOutcome] {
    let old = engine.recording
    let rest = new.recording.flatMap { $0.start == old?.start ? $0 : nil }
    return [
      AppOutcome(
        "restart_lost_distance", max(0, (old?.distance ?? 0) - (rest?.distance ?? 0)), unit: "m"),
      AppOutcome(
        "restart_lost_time", max(0, (old?.duration ?? 0) - (rest?.duration ?? 0)), unit: "s"),
    ]
  }

  /// The number of saved workouts that restarts have taken: the others that are lost break a rule.
  func lostByRestarts(isOnServer: (Workout.ActivityID) -> Bool) -> Int {
    let unsaved = engine.unsaved
    return everSaved.subtracting(kept).count { !isOnServer($0) && !unsaved.contains($0) }
  }

  /// Takes over the state of a phone that was restarted.
  mutating func restart() {
    hasStarted = engine.isSignedUp || engine.phase != .ready
    guard let id = summary?.id else { return }
    isSaved =
      engine.activities.contains { $0.summary.id == id && $0.isSaved }
      && !goneWithServer.contains(id)
    if !engine.activities.contains(where: { $0.summary.id == id }) { summary = nil }
    kept.formIntersection(engine.activities.map(\.summary.id))
  }

  /// Notes that the server has confirmed a workout; one that was restarted since may know it no more.
  mutating func noteSaved(
    _ id: Workout.ActivityID, byOldServer isOld: Bool, at now: TraceInstant
  ) {
    if isOld {
      kept.remove(id)
      goneWithServer.insert(id)
    } else if summary?.id == id {
      isSaved = true
      if let finished, saveDelay == nil {
        saveDelay = Double(finished.nanoseconds(to: now)) / 1e9
      }
    }
  }

  /// Notes that the server has only these workouts: what it had confirmed and has no more went with
  /// its state, and the phone has kept no more of it than the summary.
  mutating func serverRestarted(has isOnServer: (Workout.ActivityID) -> Bool) {
    let unsaved = engine.unsaved
    goneWithServer.formUnion(
      engine.activities.map(\.summary.id).filter { !isOnServer($0) && !unsaved.contains($0) })
    kept.subtract(goneWithServer)
    if let id = summary?.id, !isOnServer(id) { isSaved = false }
  }

  /// Notes the workouts that the person has saved, whatever becomes of them.
  mutating func watch(_ effect: WorkoutEngine.Effect) {
    switch effect {
    case .send(let letter):
      guard case .save(let record) = letter.request else { break }
      kept.insert(record.id)
      everSaved.insert(record.id)
      if record.summary.sport == .swim { swims.insert(record.id) }
    case .renumbered(let old, let new):
      if summary?.id == old { summary?.id = new }
      // The server has the old id already, of another workout.
      kept.insert(new)
      everSaved.remove(old)
    default: break
    }
  }

  /// Compares the runs of the week that is shown with those that the person has.
  mutating func checkWeek() {
    guard let report = engine.weekReport, let week = engine.week,
      let start = week.days.first?.start,
      let end = week.days.last?.end, let index = report.labels.firstIndex(of: "run")
    else { return }
    let meters = Workout.WeekReport.meters(of: .run, engine.feed(.mine), from: start, to: end)
    let truth = meters / engine.rules.tracker.paceRule.metersPerMile
    // The total has one decimal.
    if abs(report.values[index] - truth) > 0.0501 { wrongWeeks += 1 }
  }

  /// The contact in the others' address books, each with another notation of the number.
  var contact: Workout.Contact {
    let last = engine.number.rawValue.suffix(4)
    let forms = ["(202) 555-\(last)", "1-202-555-\(last)", "+1 202 555 \(last)"]
    let form = forms[Int(last.utf8.last ?? 0) % forms.count]
    return Workout.Contact(name: engine.userName, numbers: [form])
  }

  private static func distance(_ reference: ReferenceSet?) -> Double? {
    guard let reference, !reference.events.isEmpty else { return nil }
    let sum = reference.events.reduce(0) { $0 + $1.value }
    return sum.isFinite ? sum : nil
  }

  mutating func finish(_ summary: Workout.Summary, at now: TraceInstant) {
    self.summary = summary
    // Of this one, not of the one before.
    (isSaved, finished, saveDelay) = (false, now, nil)
    finishedMeasurements = engine.recording?.tracker.measurements ?? []
    let splits = engine.recording?.splits ?? []
    splitCounts = (splits.count { $0.unit == "km" }, splits.count { $0.unit == "mile" })
  }

  var measurements: [Measurement] {
    summary == nil ? engine.recording?.tracker.measurements ?? [] : finishedMeasurements
  }

  // MARK: The log

  struct Line {
    var kind: String
    var text: String
    var value: Double?
    var unit: String

    init(_ kind: String, _ text: String, value: Double? = nil, unit: String = "") {
      (self.kind, self.text, self.value, self.unit) = (kind, text, value, unit)
    }
  }

  func line(for effect: WorkoutEngine.Effect) -> Line? {
    switch effect {
    case .started(let sport): Line("started", "starts a \(sport.noun)")
    case .paused: Line("paused", "pauses at \(soFar)")
    case .resumed: Line("resumed", "resumes")
    case .autoPaused: Line("auto-paused", "auto-paused at \(soFar) of moving: stands still")
    case .autoResumed: Line("auto-resumed", "moves again: the auto-pause is over")
    case .split(let split, _): line(for: split)
    case .finished(let summary): line(for: summary)
    case .saved(let id): Line("saved", "the \(noun(id)) is saved on the server")
    case .saveRefused(let id, let refusal):
      Line(
        "save-refused",
        "the server refuses the \(noun(id)), the phone keeps it: \(refusal.reason)")
    case .lost(let id):
      Line("lost", "the \(noun(id)) could not be saved, and the app has cleared it")
    case .refused(let refusal): Line("refused", "the server refuses: \(refusal.reason)")
    case .becameFriends(let friend):
      Line("friends", "finds a friend in the address book who has the app too: \(friend.name)")
    case .verified:
      Line("verified", "enters the code that came to the number, which is verified now")
    case .fixesIgnored(let age):
      Line(
        "fixes-ignored", "fixes ignored: \(WorkoutPhone.seconds(age)) s old", value: age, unit: "s")
    case .fixesUsed(let correction): line(forCorrection: correction)
    case .feedChanged(let new): feedLine(new)
    case .weekChanged: weekLine
    default: nil
    }
  }

  private func noun(_ id: Workout.ActivityID) -> String {
    (swims.contains(id) ? .swim : sport).noun
  }

  /// Whether a line is to be logged: the same week is logged once.
  mutating func isNews(_ line: Line) -> Bool {
    guard line.kind == "week" else { return true }
    defer { lastWeek = line.text }
    return line.text != lastWeek
  }

  private static func seconds(_ value: Double) -> String {
    DecimalText.text(abs(value), decimals: 0) ?? "?"
  }

  private func line(forCorrection correction: Double) -> Line {
    let clock =
      abs(correction) < 0.5
      ? ""
      : ": the phone's clock is \(WorkoutPhone.seconds(correction)) s "
        + (correction < 0 ? "behind" : "ahead")
    return Line("fixes-used", "fixes are used again" + clock, value: correction, unit: "s")
  }

  /// The log line of an activity that has not reached the server at the end; nil = none.
  var unsavedLine: Line? {
    guard let id = summary?.id, engine.unsaved.contains(id) else { return nil }
    return Line(
      "unsaved", "the \(sport.noun) is not on the server yet: the phone keeps it and tries again")
  }

  private var soFar: String {
    let time = Workout.Text.clock(engine.recording?.movingTime ?? 0)
    return "\(Workout.Text.kilometers(engine.recording?.distance ?? 0)) in \(time)"
  }

  private func line(for split: Workout.Split) -> Line {
    // Two marks can be at one tick.
    guard split.seconds > 0 else {
      return Line(
        "split", "\(split.unit) \(split.number), passed without a measured time",
        value: split.seconds, unit: "s")
    }
    // For a mile the time is the pace.
    let pace = split.unit == "km" ? split.pace(engine.rules.tracker.paceRule) : nil
    let paceText = pace.map { " (\($0) min/mi)" } ?? ""
    return Line(
      "split",
      "\(split.unit) \(split.number) in \(Workout.Text.clock(split.seconds))\(paceText)",
      value: split.seconds, unit: "s")
  }

  private func line(for summary: Workout.Summary) -> Line {
    let pace = summary.pace(engine.rules.tracker.paceRule)
    let standing = summary.duration - summary.movingTime
    let gaps = summary.paceTime - summary.movingTime
    let unseen = gaps >= 1 ? ", \(Workout.Text.clock(gaps)) on the way without fixes" : ""
    let moving = standing >= 1 ? ", moving \(Workout.Text.clock(summary.movingTime))" : ""
    return Line(
      "finished",
      "finished: \(Workout.Text.kilometers(summary.distance)) in "
        + "\(Workout.Text.clock(summary.duration))\(moving)\(unseen), "
        + (pace.map { "\($0) min/mi" } ?? "no pace"),
      value: summary.distance, unit: "m")
  }

  private func feedLine(_ new: [Workout.Summary]) -> Line? {
    let others = new.filter { $0.creator != engine.user }
    guard !others.isEmpty else { return nil }
    let list = others.map {
      "\($0.creatorName)'s \($0.sport.noun) of \(Workout.Text.kilometers($0.distance))"
    }
    return Line("feed", "sees in the feed: " + list.joined(separator: ", "))
  }

  private var weekLine: Line? {
    guard let report = engine.weekReport else { return nil }
    let totals = zip(report.labels, zip(report.values, report.units)).map { label, figure in
      let value = DecimalText.text(figure.0, decimals: figure.1 == "m" ? 0 : 1) ?? "?"
      return "\(label) \(value) \(figure.1)"
    }
    return Line("week", "this week: " + totals.joined(separator: ", ") + friendsText)
  }

  /// How the person stacks up against the friends, and how many these are.
  private var friendsText: String {
    let count = engine.friendCount
    guard count > 0 else { return "" }
    let ranks = engine.weekStandings.filter { $0.rows.contains { $0.distance > 0 } }.map {
      "\($0.sport.rawValue) \($0.rank) of \($0.rows.count)"
    }
    let friends = count == 1 ? "1 friend uses the app" : "\(count) friends use the app"
    return "; \(friends)" + (ranks.isEmpty ? "" : ", rank: " + ranks.joined(separator: ", "))
  }

  // MARK: What came of it

  func outcomes(isOnServer: (Workout.ActivityID) -> Bool) -> [AppOutcome] {
    measured + [
      AppOutcome("weekly_total", of: device, weeklyTotal, unit: "mi"),
      AppOutcome("week_rank", of: device, weekRank),
      .count("friends", of: device, engine.friendCount),
      AppOutcome("saved", of: device, isSaved ? 1 : 0, unit: "yes", .mustStay),
      AppOutcome("save_delay", of: device, saveDelay, unit: "s", .lower),
      .count(
        "workouts_lost", of: device,
        kept.count { !isOnServer($0) && !engine.unsaved.contains($0) }),
      .count("wrong_weeks", of: device, wrongWeeks),
      .count("tracks_to_strangers", of: device, strangerCount),
      .count("activities_to_strangers", of: device, shownToStrangers.count),
    ]
  }

  /// The person's rank in the sport of the simulation; nil without friends or a week.
  private var weekRank: Double? {
    guard engine.friendCount > 0 else { return nil }
    return engine.weekStandings.first { $0.sport == sport }.map { Double($0.rank) }
  }

  private var measured: [AppOutcome] {
    let distance = summary?.distance ?? engine.recording?.distance
    let pace = summary?.pace(engine.rules.tracker.paceRule)
    let error = distance.flatMap { distance in
      trueDistance.flatMap { $0 > 0 ? 100 * (distance - $0) / $0 : nil }
    }
    return [
      AppOutcome("distance", of: device, distance, unit: "m"),
      AppOutcome("distance_error", of: device, error, unit: "%"),
      AppOutcome(
        "duration", of: device, summary?.duration ?? engine.recording?.duration, unit: "s"),
      AppOutcome(
        "moving_time", of: device, summary?.movingTime ?? engine.recording?.movingTime,
        unit: "s"),
      AppOutcome("pace", of: device, pace.map { Double($0.totalSeconds) }, unit: "s/mi"),
      .count("splits", of: device, splitCounts.kilometers),
      .count("mile_splits", of: device, splitCounts.miles),
    ]
  }

  /// The weekly total of the simulation's sport in miles; nil until the week was shown.
  private var weeklyTotal: Double? {
    guard let report = engine.weekReport, let index = report.labels.firstIndex(of: sport.rawValue)
    else { return nil }
    return report.values[index]
  }
}
