import AppEngines
import TraceModel

extension WorkoutEngine {
  mutating func setContacts(
    _ contacts: [Workout.Contact], at now: TraceInstant, into effects: inout [Effect]
  ) {
    self.contacts = contacts
    let nextRevision = contactsRevision.addingClamped(1)
    // Based on the wall clock, so that a phone that lost its state does not start with old
    // revisions.
    contactsRevision = max(nextRevision, wall(now).nanoseconds)
    let names = names
    let numbers = names.keys.sorted()
    friends = friends.filter { names[$0.number] != nil }
    outbox.removeAll { if case .contacts = $0 { true } else { false } }
    var sent: [Effect] = []
    send(.contacts(revision: contactsRevision, numbers), at: now, into: &sent)
    if tapBudget?.take(at: now) != false { effects += sent }
  }

  /// The contacts' names by their numbers; the first of two contacts with one number. Excludes the
  /// phone's own number.
  private var names: [PhoneNumber: String] {
    var names: [PhoneNumber: String] = [:]
    for contact in contacts {
      for text in contact.numbers {
        guard let number = PhoneNumber(text, in: region), number != self.number,
          names[number] == nil
        else { continue }
        names[number] = contact.name
      }
    }
    return names
  }

  /// Adds the matches as friends, with the names of the address book.
  private mutating func befriend(_ matches: [Workout.Match], into effects: inout [Effect]) {
    let names = names
    let known = Set(friends.map(\.user))
    var users: Set<Workout.UserID> = [user]
    friends = matches.sorted { $0.number < $1.number }.compactMap { match in
      guard let name = names[match.number], users.insert(match.user).inserted else { return nil }
      return Workout.Friend(
        user: match.user, name: name.isEmpty ? match.name : name, number: match.number)
    }
    for friend in friends where !known.contains(friend.user) {
      effects.append(.becameFriends(friend))
    }
  }

  /// Processes an answer to an open request. Other answers are ignored: the request is already
  /// answered or superseded.
  mutating func hear(
    _ answer: Workout.Answer, _ stamp: RequestStamp, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    guard let item = outbox.item(stamp) else { return }
    switch answer {
    case .refused(let refusal): return hear(refusal, of: item, at: now, into: &effects)
    case .outOfStep(let position):
      let again = outbox.resynchronise(stamp, to: position, at: now)
      // A server that accepts no number must not be asked without a wait.
      if retryBudget?.take(at: now) != false { send(again, into: &effects) }
    default:
      outbox.remove(stamp)
      // The server answers again: what waits need not be spared.
      retryBudget = rules.retryBudget
      take(answer, to: item.request, at: now, into: &effects)
    }
  }

  /// Processes what the server has done.
  private mutating func take(
    _ answer: Workout.Answer, to request: Workout.Request, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    switch answer {
    case .signedUp:
      isSignedUp = true
      effects.append(.signedUp)
    case .verified:
      if !isSignedUp { effects.append(.signedUp) }
      isSignedUp = true
      isVerified = true
      effects.append(.verified)
      retryContacts(at: now, into: &effects)
    case .codeRejected(let refusal): effects.append(.refused(refusal))
    case .contacts(let matches):
      // Only those whose number is verified get them.
      isVerified = rules.verifiesNumbers
      befriend(matches, into: &effects)
    case .saved(let id): markSaved(id, into: &effects)
    case .feed(let summaries, let matches):
      let before = Set(feed.map(\.id))
      befriend(matches, into: &effects)
      // The friends' activities of the last common feed are still those of the week's standing.
      let kept = served.filter { $0.creator != user }
      served =
        request == .feed(.mine) ? summaries.filter { $0.creator == user } + kept : summaries
      if let id = tapped, !feed.contains(where: { $0.id == id }) { tapped = nil }
      effects.append(.feedChanged(new: feed.filter { !before.contains($0.id) }))
      if week != nil { effects.append(.weekChanged) }
    case .activity(let record):
      detail = record
      effects.append(.showDetail(record.id))
    case .refused, .outOfStep: break
    }
  }

  private mutating func retryContacts(at now: TraceInstant, into effects: inout [Effect]) {
    let waiting = outbox.items.first { if case .contacts = $0.request { true } else { false } }
    guard let waiting else { return }
    send(outbox.retry(waiting.stamp, at: now), into: &effects)
  }

  private mutating func hear(
    _ refusal: Refusal, of item: Outbox<Workout.Request>.Item, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    // The server has lost the account; what waits is sent again after that.
    if isSignedUp, refusal.code == "not-signed-up" {
      isSignedUp = false
      isVerified = false
      signUp(at: now, into: &effects)
    } else if isVerified, refusal.code == "not-verified" {
      // The number is another's by now, or the server has lost that it is the user's.
      isVerified = false
      signUp(at: now, into: &effects)
    }
    if case .save(let record) = item.request {
      if rules.failedSave == .isCleared {
        outbox.remove(item.stamp)
        return lose(record.id, into: &effects)
      }
      if refusal.isPassing { return }
      if refusal.code == "id-taken", renumber(record, at: now, into: &effects) {
        outbox.remove(item.stamp)
        return
      }
      outbox.hold(item.stamp, refusal)
      effects.append(.saveRefused(record.id, refusal))
    } else if !refusal.isPassing {
      outbox.remove(item.stamp)
      effects.append(.refused(refusal))
    }
  }

  public var violations: [String] {
    var found = (recording?.violations ?? []) + outbox.violations
    if (phase == .ready) != (recording == nil) { found.append("phase and workout disagree") }
    let ids = activities.map(\.summary.id)
    if Set(ids).count != ids.count { found.append("duplicate activity") }
    // Those of another installation were taken over from its state.
    let isUnassigned = ids.contains {
      $0.installation == installation && $0.number > lastActivityNumber
    }
    if isUnassigned {
      found.append("an activity has an unassigned number")
    }
    for id in unsaved where saveItem(id) == nil {
      found.append("activity \(id) is neither saved nor waiting")
    }
    let summaries = activities.map(\.summary)
    if summaries != summaries.sorted(by: Workout.Summary.isEarlierInFeed) {
      found.append("activities are not newest first")
    }
    if !summaries.allSatisfy(\.isPlausible) { found.append("an activity has invalid figures") }
    if Set(friends.map(\.user)).count != friends.count
      || friends.contains(where: { $0.user == user })
    {
      found.append("duplicate friends, or the user is a friend")
    }
    return found
  }
}
