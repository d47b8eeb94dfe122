import AppEngines
import Detectors
import TraceModel

extension WorkoutEngine {
  /// Returns why the input is not legal now; nil = it is legal.
  func refusal(of input: Input, at now: TraceInstant) -> Refusal? {
    switch input {
    case .signUp:
      // Who has not verified the number signs up again to get another code.
      let waitsForCode = rules.verifiesNumbers && !isVerified
      return isSignedUp && !waitsForCode
        ? Refusal("already-signed-up", "You already have an account.") : nil
    case .enterCode(let code): return refusal(ofCode: code)
    case .allowLocation:
      return permission == .granted
        ? Refusal("already-granted", "Location is already allowed.") : nil
    case .start(let sport): return refusalToStart(sport)
    case .fix:
      return permission == .granted
        ? nil : Refusal("no-permission", "Location is not allowed, so there is no fix.")
    case .pause, .resume, .stop, .save, .discard: return refusalToMove(input)
    case .suspended(let isSuspended):
      return isSuspended == self.isSuspended
        ? Refusal("no-change", "The app is already in that state.") : nil
    case .logSwim(let form): return form.refusal(now: wall(now))
    case .contacts(let contacts): return refusal(of: contacts)
    case .tap(let id), .open(let id):
      return feed.contains { $0.id == id }
        ? nil : Refusal("unknown-activity", "There is no such activity in the feed.")
    case .closeDetail:
      return detail == nil ? Refusal("nothing-open", "No activity is open.") : nil
    case .showWeek(let week): return week.fault
    case .retry(let id):
      return saveItem(id)?.refusal == nil
        ? Refusal("nothing-to-retry", "No save of this activity was refused.") : nil
    case .answer(let answer, let stamp): return refusal(of: answer, stamp)
    case .permission, .showFeed, .toggle: return nil
    }
  }

  private func refusal(ofCode code: String) -> Refusal? {
    guard isSignedUp else { return Refusal("not-signed-up", "Sign up first.") }
    if isVerified { return Refusal("already-verified", "Your number is verified already.") }
    guard (1...Self.longestCode).contains(code.utf8.count) else {
      return Refusal("invalid-code", "Enter the code that was sent to your number.")
    }
    return nil
  }

  private func refusalToStart(_ sport: Workout.Sport) -> Refusal? {
    guard sport.isTracked else {
      return Refusal("not-tracked", "A swim is entered in the form, not recorded.")
    }
    guard phase == .ready else {
      return Refusal(
        "workout-open", "There is already a workout: save or discard it before the next.")
    }
    switch permission {
    case .granted: return nil
    case .notAsked:
      return Refusal("location-not-asked", "Allow location first: it measures the distance.")
    case .denied:
      return Refusal(
        "location-denied", "Location is denied: allow it in the settings to record a workout.")
    }
  }

  private func refusalToMove(_ input: Input) -> Refusal? {
    let (phases, reason): (Set<Phase>, String) =
      switch input {
      case .pause: ([.recording], "Only a workout that is being recorded can be paused.")
      case .resume: ([.paused], "Only a paused workout can be resumed.")
      case .stop: ([.recording, .paused], "There is no workout to stop.")
      case .save: ([.finished], "Stop the workout before saving it.")
      default: ([.recording, .paused, .finished], "There is no workout to discard.")
      }
    return phases.contains(phase) ? nil : Refusal("not-now", reason)
  }

  private func refusal(of contacts: [Workout.Contact]) -> Refusal? {
    var numbers: Set<PhoneNumber> = []
    for contact in contacts {
      for text in contact.numbers {
        if let number = PhoneNumber(text, in: region) { numbers.insert(number) }
      }
      guard numbers.count <= WorkoutServer.mostNumbers else {
        return Refusal(
          "too-many-contacts",
          "At most \(WorkoutServer.mostNumbers) different numbers can be compared.")
      }
    }
    return nil
  }

  /// Answers without an open request are ignored.
  private func refusal(of answer: Workout.Answer, _ stamp: RequestStamp) -> Refusal? {
    guard let item = outbox.item(stamp) else { return nil }
    let isFitting =
      switch (item.request, answer) {
      case (_, .refused), (_, .outOfStep), (.signUp, .signedUp), (.contacts, .contacts),
        (.signUp, .verified), (.verify, .verified), (.verify, .codeRejected):
        true
      case (.save(let record), .saved(let id)): record.id == id
      case (.feed, .feed(let summaries, _)): summaries.allSatisfy(\.isPlausible)
      case (.open(let id), .activity(let record)): record.id == id && record.fault == nil
      default: false
      }
    return isFitting ? nil : Refusal("unfitting-answer", "The answer does not match the request.")
  }

  func saveItem(_ id: Workout.ActivityID) -> Outbox<Workout.Request>.Item? {
    outbox.items.first { item in
      if case .save(let record) = item.request { record.id == id } else { false }
    }
  }

  mutating func take(_ input: Input, at now: TraceInstant, into effects: inout [Effect]) {
    switch input {
    case .signUp: signUp(at: now, into: &effects)
    case .enterCode(let code):
      outbox.removeAll { if case .verify = $0 { true } else { false } }
      ask(.verify(number, code: code), at: now, into: &effects)
    case .permission(let permission): setPermission(permission, into: &effects)
    case .allowLocation:
      effects.append(permission == .notAsked ? .askForLocation : .openSettings)
    case .start, .fix, .pause, .resume, .stop, .save, .discard, .suspended:
      record(input, at: now, into: &effects)
    case .logSwim(let form): logSwim(form, at: now, into: &effects)
    case .contacts(let contacts): setContacts(contacts, at: now, into: &effects)
    case .showFeed(let scope):
      feedScope = scope
      outbox.removeAll { if case .feed = $0 { $0 != .feed(scope) } else { false } }
      ask(.feed(scope), at: now, into: &effects)
    case .tap(let id): tap(id, into: &effects)
    case .open(let id): open(id, at: now, into: &effects)
    case .closeDetail: detail = nil
    case .showWeek(let week):
      self.week = week
      refreshWeek()
      effects.append(.weekChanged)
    case .toggle(let sport):
      toggles[sport].toggle()
      if week != nil { effects.append(.weekChanged) }
    case .retry(let id):
      guard let item = saveItem(id) else { return }
      let again = outbox.retry(item.stamp, at: now)
      if tapBudget?.take(at: now) != false { send(again, into: &effects) }
    case .answer(let answer, let stamp): hear(answer, stamp, at: now, into: &effects)
    }
  }

  mutating func signUp(at now: TraceInstant, into effects: inout [Effect]) {
    ask(.signUp(name: userName, number: number), at: now, into: &effects)
  }

  /// Sends a request that a tap causes. If the same one waits already, that one is sent. Beyond the
  /// budget it waits for its next repetition.
  private mutating func ask(
    _ request: Workout.Request, at now: TraceInstant, into effects: inout [Effect]
  ) {
    var asked: [Effect] = []
    if let item = outbox.items.first(where: { $0.request == request }) {
      send(item, into: &asked)
    } else {
      send(request, at: now, into: &asked)
    }
    if tapBudget?.take(at: now) != false { effects += asked }
  }

  /// Counts the week's runs again as the original does.
  private mutating func refreshWeek() {
    guard let start = week?.days.first?.start, let end = week?.days.last?.end else { return }
    weekTally.refresh(Workout.WeekReport.meters(of: .run, feed(.mine), from: start, to: end))
  }

  private mutating func setPermission(
    _ permission: Workout.LocationPermission, into effects: inout [Effect]
  ) {
    let had = self.permission == .granted
    self.permission = permission
    guard phase == .recording || phase == .paused, had != (permission == .granted) else { return }
    effects.append(had ? .stopUpdates : .startUpdates(distanceFilter: rules.tracker.distanceFilter))
  }

  private mutating func tap(_ id: Workout.ActivityID, into effects: inout [Effect]) {
    tapped = tapped == id ? nil : id
    guard tapped != nil, let summary = feed.first(where: { $0.id == id }) else { return }
    effects.append(.showPace(id, summary.pace(rules.tracker.paceRule)?.description))
  }

  /// Opens an activity; one that is still on the phone is shown immediately.
  private mutating func open(
    _ id: Workout.ActivityID, at now: TraceInstant, into effects: inout [Effect]
  ) {
    outbox.removeAll { if case .open = $0 { $0 != .open(id) } else { false } }
    if let item = saveItem(id), case .save(let record) = item.request {
      detail = record
      effects.append(.showDetail(id))
    } else {
      ask(.open(id), at: now, into: &effects)
    }
  }
}
