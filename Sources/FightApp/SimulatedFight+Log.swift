package import AppEngines
import TraceModel

extension SimulatedFight {
  /// What is known of the person's newest fight.
  private func progress(of person: Int) -> Progress? {
    newestFight(of: person).flatMap { progress.indices.contains($0) ? progress[$0] : nil }
  }

  private func isOn(_ person: Int) -> Bool { progress(of: person).map { $0.ended == nil } ?? false }

  mutating func noteSwing(_ record: DetectionRecord, of person: Int) {
    people[person].lastLabel = record.originalLabel
    people[person].lastOnset = record.onset
    if isOn(person) { people[person].swings += 1 }
  }

  mutating func noteIgnored(_ refusal: Refusal, of person: Int, at now: TraceInstant) {
    guard progress(of: person) != nil else { return }
    guard isOn(person) else {
      people[person].lateSwings += 1
      if people[person].lateSwings == 1 {
        log("late", "goes on punching after the end: it does not count", of: person, at: now)
      }
      return
    }
    if refusal.code == "hold-out-of-turn" {
      let text = "holds the button, and no punch starts: the app says “\(refusal.reason)”"
      return log("hold-refused", text, of: person, at: now)
    }
    people[person].refused += 1
    log(
      "refused", "punches, but it does not count: the app says “\(refusal.reason)”", of: person,
      at: now)
  }

  mutating func noteRefused(
    _ refusal: Refusal, _ call: FightCall, of person: Int, at now: TraceInstant
  ) {
    switch call {
    case .punch, .writeStamina:
      people[person].refused += 1
      log(
        "refused", "gets the answer that the punch does not count: “\(refusal.reason)”", of: person,
        at: now)
    case .challenge, .findOpponent, .hitThat, .logIn, .saveProfile:
      log("refused", "gets the answer “\(refusal.reason)”", of: person, at: now)
    case .viewFight where people[person].engine.view == nil:
      // The server lost the fight with its state.
      people[person].searchAt = now.advanced(bySeconds: SimulatedFight.searchInterval)
    default: break
    }
  }

  /// Logs the changes by an accepted request.
  mutating func noteProgress(of call: FightCall, by person: Int, at now: TraceInstant) {
    let wins = lastWins
    defer { noteState() }
    for number in progress.count..<server.fights.count {
      let opponent = name(self.person(.recipient, of: number))
      log("challenge", "challenges \(opponent) and moves first", of: person, at: now)
      progress.append(Progress(began: now, bout: server.fights[number].bout))
    }
    let user = account(onPhoneOf: person)
    for number in progress.indices {
      let (before, after) = (progress[number].bout, server.fights[number].bout)
      for side in FightSide.allCases {
        let (old, new) = (before.stamina(of: side), after.stamina(of: side))
        if new.units > old.units || new.share > old.share { staminaRises += 1 }
      }
      guard let side = user.flatMap(server.fights[number].side) else { continue }
      if after.moves > before.moves, before.lastMover == side { movesOutOfTurn += 1 }
      if after.moves != before.moves {
        tellHit(call, by: person, side, in: number, before, after, at: now)
      }
      if before.winner != after.winner {
        logProgress(after.winner, by: person, in: number, at: now)
      }
    }
    if server.wins.count > wins, case .reportWin = call {
      let count = server.wins.count
      log(
        "win-counted",
        count == 1
          ? "reports the end: the win is counted"
          : "reports the end as well: the win is counted again, \(count) wins for one fight",
        of: person, at: now)
    }
  }

  /// Remembers the state that the next changes are compared with.
  mutating func noteState() {
    for number in progress.indices { progress[number].bout = server.fights[number].bout }
    lastWins = server.wins.count
  }

  private mutating func tellHit(
    _ call: FightCall, by person: Int, _ side: FightSide, in fight: FightID, _ before: Bout,
    _ after: Bout, at now: TraceInstant
  ) {
    guard let thrown = thrown(by: person, call) else { return }
    let limit = rules.computesDamage ? server.fights[fight].blows.last?.limit : nil
    func percentage(_ magnitude: Double) -> Double {
      rules.computesDamage
        ? Double(Stamina.damage(ofMagnitude: magnitude)) / 100
        : 100 * Stamina.damageShare(ofMagnitude: magnitude)
    }
    let measured = percentage(thrown.punch.magnitude)
    let damage = limit.map { percentage($0.magnitude) } ?? measured
    let stamina = after.stamina(of: side.other)
    people[person].hits.append(
      Player.Hit(
        fight: fight, thrown: thrown.punch.thrown, onAxis: thrown.onset, damage: damage,
        measured: measured, left: stamina.units))
    let opponent = name(self.person(side.other, of: fight))
    let counted =
      limit.map { "; the punch of \(gravities(thrown.punch.magnitude)) g \($0.text)" } ?? ""
    log(
      "hit",
      "hits \(opponent) with \(article(thrown.label, of: person)): \(percent(damage)) damage, "
        + "\(opponent) has \(percent(stamina.percent)) left\(counted)",
      of: person, at: now, value: damage, unit: "%")
    let restored = stamina.percent - before.stamina(of: side.other).percent
    if restored > 0 {
      log(
        "restored",
        "computed this from an old look at the fight: \(percent(restored)) of \(opponent)'s "
          + "stamina come back",
        of: person, at: now, value: restored, unit: "%")
    }
  }

  /// Notes the hits on a person that the view shows.
  mutating func noteShown(_ view: FightView, to person: Int, at now: TraceInstant) {
    // A server without its accounts numbers people anew.
    let other = people.count == 2 ? 1 - person : self.person(of: view.opponent)
    for hit in people[other].hits.indices
    where people[other].hits[hit].shown == nil && people[other].hits[hit].fight == view.fight {
      if view.mine.units <= people[other].hits[hit].left { people[other].hits[hit].shown = now }
    }
  }

  private func gravities(_ magnitude: Double) -> String { rounded(magnitude / standardGravity) }

  /// Returns the punch of a request. HitThat's requests contain only the stamina left: the punch is
  /// the first one that is not a hit yet.
  private func thrown(by person: Int, _ call: FightCall) -> Player.Thrown? {
    if case .punch(_, let punch) = call {
      return people[person].thrown.first { $0.punch == punch }
    }
    let last = people[person].hits.last?.thrown
    return people[person].thrown.first { thrown in last.map { thrown.punch.thrown > $0 } ?? true }
  }

  /// Logs the end, or, by the original's rules, that a stale write has undone it.
  private mutating func logProgress(
    _ winner: FightSide?, by person: Int, in fight: FightID, at now: TraceInstant
  ) {
    if let winner { return logEnd(of: fight, wonBy: winner, at: now) }
    progress[fight].ended = nil
    log(
      "reopened", "undoes the win by this: there is no winner, and the fight continues", of: person,
      at: now)
  }

  private mutating func logEnd(of fight: FightID, wonBy side: FightSide, at now: TraceInstant) {
    progress[fight].ended = now
    let seconds = Double(progress[fight].began.nanoseconds(to: now)) / 1e9
    let (winner, loser) = (person(side, of: fight), person(side.other, of: fight))
    let counts = [winner, loser].map { people[$0].hits.count { $0.fight == fight } }
    log(
      "won",
      "knocks \(name(loser)) out and wins the fight after \(rounded(seconds)) s, with "
        + "\(counts[0]) hits to \(counts[1])",
      of: winner, at: now)
  }

  /// Returns the punch in words; without a technique if it is not known how the phone is held.
  private func article(_ label: String, of person: Int) -> String {
    let isKnown = people[person].engine.knowsMounting || rules.namesTechniquesAlways
    return switch isKnown ? label : "" {
    case "uppercut": "an uppercut"
    case "jab", "thrust": "a \(label)"
    default: "a punch"
    }
  }

  func percent(_ value: Double) -> String { "\(rounded(value)) %" }

  private func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  // MARK: Outcomes

  /// The maximum time in ns between a hit and its punch in the reference.
  private static let matchWindow: Int64 = 300_000_000

  package var outcomes: [AppOutcome] {
    let first = progress.first
    let winner = first.flatMap { _ in server.fights[0].bout.winner }.map { person($0, of: 0) }
    let duration = first.flatMap { fight in
      fight.ended.map { Double(fight.began.nanoseconds(to: $0)) / 1e9 }
    }
    let hits = people.flatMap(\.hits)
    var list = [
      AppOutcome(
        "winner", winner.map(Double.init), text: winner.map { people[$0].name } ?? "nobody",
        .mustStay),
      AppOutcome("fight_duration", duration, unit: "s"),
    ]
    list += AppOutcome.delays(
      "hit_delay",
      hits.compactMap { hit in hit.shown.map { Double(hit.onAxis.nanoseconds(to: $0)) / 1e9 } })
    list += [
      // Those have no delay, so the percentiles are only of the others.
      .count("hits_not_seen", hits.count { $0.shown == nil }, .lower),
      .count("stamina_rises", staminaRises),
      .count("wins_counted_twice", server.wins.count - Set(server.wins.map(\.fight)).count),
      .count("moves_out_of_turn", movesOutOfTurn),
      .count(
        "hits_lost",
        progress.enumerated().reduce(0) { lost, fight in
          lost + max(0, fight.element.acknowledgedMoves - server.fights[fight.offset].bout.moves)
        }),
      .count("unended_fights", unendedFights),
    ]
    return list + exchange.losses + people.indices.flatMap { outcomes(of: $0) }
  }

  private func outcomes(of person: Int) -> [AppOutcome] {
    let (player, device) = (people[person], DeviceID(person))
    let stamina = newestFight(of: person).flatMap { fight in
      user(of: person).flatMap(server.fights[fight].side)
        .map { server.fights[fight].bout.stamina(of: $0).percent }
    }
    let errors = damageErrors(of: player)
    let bias = errors.map(\.error)
    func mean(_ values: [Double]) -> Double? {
      values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
    let swings = player.swings
    return [
      .count("hits", of: device, player.hits.count), .count("swings", of: device, swings),
      AppOutcome(
        "hits_per_swing", of: device,
        swings == 0 ? nil : Double(player.hits.count) / Double(swings), .higher),
      .count("hits_limited", of: device, player.hits.count { $0.damage < $0.measured }),
      .count("punches_refused", of: device, player.refused, .lower),
      AppOutcome("stamina_left", of: device, stamina, unit: "%"),
      AppOutcome("damage_error_of_full_bar", of: device, mean(bias.map(abs)), unit: "%", .lower),
      AppOutcome("damage_bias_of_full_bar", of: device, mean(bias), unit: "%"),
      AppOutcome(
        "hits_beyond_sensor_range", of: device,
        errors.isEmpty || player.sensorRange == nil
          ? nil : Double(errors.count { $0.isBeyondRange }), unit: "count"),
      .count(
        "wins_counted", of: device,
        server.wins.count { $0.winner == people[person].engine.user }),
      AppOutcome("odds_of_made_up_profiles", of: device, player.chance.map { 100 * $0 }, unit: "%"),
    ]
  }

  /// Returns, for each hit, the measured damage, before any limit, minus the damage of the reference's
  /// punch in percent of a full bar, and whether that punch exceeded the sensor's range on one axis, so
  /// that the error is the sensor's. The true damage of a hit without a punch is 0. Empty if the
  /// reference states no values.
  private func damageErrors(of player: Player) -> [(error: Double, isBeyondRange: Bool)] {
    var open = (player.punches ?? []).filter { !$0.value.isNaN }
    guard !open.isEmpty else { return [] }
    return player.hits.map { hit in
      let nearest = open.indices.min { apart(open[$0], hit) < apart(open[$1], hit) }
      guard let nearest, apart(open[nearest], hit) <= SimulatedFight.matchWindow else {
        return (hit.measured, false)
      }
      let magnitude = open.remove(at: nearest).value
      let truth = Double(Stamina.damage(ofMagnitude: magnitude)) / 100
      return (hit.measured - truth, magnitude > player.sensorRange ?? .infinity)
    }
  }

  private func apart(_ event: ReferenceEvent, _ hit: Player.Hit) -> Int64 {
    let difference = event.onset.nanoseconds(to: hit.onAxis)
    return difference == .min ? .max : abs(difference)
  }
}
