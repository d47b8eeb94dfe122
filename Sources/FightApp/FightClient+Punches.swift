import AppEngines
import Detectors
public import TraceModel

extension FightClient {
  /// Takes a sample of the sensor, as the input `sample` does, but without the input: that is as large as
  /// the largest answer of the server, and there are a hundred samples a second.
  public mutating func feel(
    _ sample: Acceleration, measured: TraceInstant, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    let now = max(now, clock)
    defer { clock = now }
    var found: [Detection<PunchEvent>] = []
    let measured = sampleClock.time(of: measured, arrived: now)
    if cardsLeft > 0 {
      cardDetector.ingest(sample, measured: measured, arrived: now, into: &found)
      for _ in found where cardsLeft > 0 { dismissCard(into: &effects) }
    } else {
      fightDetector.ingest(sample, measured: measured, arrived: now, into: &found)
      for detection in found { use(detection, at: now, into: &effects) }
    }
  }

  mutating func dismissCard(into effects: inout [Effect]) {
    cardsLeft -= 1
    effects.append(.cardDismissed(left: cardsLeft))
  }

  /// Presses or releases the button; nil = the sensor stops.
  mutating func press(_ action: Action?, at now: TraceInstant, into effects: inout [Effect]) {
    if action == .arm {
      do throws(Refusal) { try checkHold() } catch { return effects.append(.ignored(error)) }
    }
    var found: [Detection<PunchEvent>] = []
    if let action {
      fightDetector.handle(action, at: now, into: &found)
    } else {
      fightDetector.finish(at: now, into: &found)
    }
    for detection in found { use(detection, at: now, into: &effects) }
    isArmed = action.map { $0 == .arm } ?? isArmed
  }

  /// Refuses a hold out of turn, by HitThat's rules.
  private mutating func checkHold() throws(Refusal) {
    guard rules.holdOutOfTurn != .listens, view?.isOver == false, !hasTurn else { return }
    hasTurn = rules.holdOutOfTurn == .takesTurn
    throw Refusal(waitsForArming ? "hold-out-of-turn" : "not-your-turn", "Wait your turn")
  }

  private mutating func use(
    _ detection: Detection<PunchEvent>, at now: TraceInstant, into effects: inout [Effect]
  ) {
    effects.append(.detected(DetectionRecord(detection, device: DeviceID(0))))
    do throws(Refusal) {
      try throwPunch(detection, at: now, into: &effects)
    } catch {
      effects.append(.ignored(error))
    }
  }

  private mutating func throwPunch(
    _ detection: Detection<PunchEvent>, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard session != nil, var view else { throw Refusal("no-fight", "no fight is open") }
    guard !view.isOver else { throw Refusal("fight-over", "the fight is over") }
    // A punch on the person has taken the app to another fight in the middle of a swing.
    if rules.enforcesTurns, let openedAt, detection.onset < openedAt {
      throw Refusal("other-fight", "the swing began before this fight was open; swing again")
    }
    // Without a button each swing is a hold.
    if !waitsForArming { try checkHold() }
    let magnitude = detection.event.magnitude
    guard magnitude.isFinite else {
      throw Refusal("impossible-magnitude", "the sensor reported no number; swing again")
    }
    let punch = PunchReport(
      magnitude: magnitude, thrown: time(of: detection, at: now), clock: clockID,
      move: view.bout.moves, sensorRange: sensorRange)
    if rules.enforcesTurns {
      guard view.isMyTurn else { throw Refusal("not-your-turn", "wait your turn") }
      let isThrown = outbox.items.contains {
        if case .punch(view.fight, _) = $0.request { true } else { false }
      }
      guard !isThrown else { throw Refusal("turn-over", "your punch is on its way") }
    }
    lastThrown = punch.thrown
    effects.append(.thrown(punch, view.fight))
    if rules.computesDamage {
      enqueue(.punch(view.fight, punch), at: now, into: &effects)
      return
    }
    // HitThat's rule: the phone subtracts the damage from what its last poll showed.
    let left = view.strikeByPhone(punch, rules: rules)
    hasTurn = false
    self.view = view
    effects.append(.viewChanged(view))
    enqueue(.writeStamina(view.fight, left: left), at: now, into: &effects)
    reportEnd(at: now, into: &effects)
  }

  /// Returns the time of a punch on the monotonic clock. Right after the wall clock was set back,
  /// stamps are too early: a punch that seems to be faster than a hand was thrown now.
  private func time(of detection: Detection<PunchEvent>, at now: TraceInstant) -> TraceInstant {
    guard let lastThrown else { return detection.onset }
    let earliest = lastThrown.advanced(byNanoseconds: PunchLimits.shortestPause)
    return detection.onset < earliest ? max(now, detection.onset) : detection.onset
  }

  /// Reports the end by HitThat's rules: each phone that sees it reports it.
  mutating func reportEnd(at now: TraceInstant, into effects: inout [Effect]) {
    guard !rules.countsWinsOnce, let view, view.isOver, !reportedWins.contains(view.fight) else {
      return
    }
    reportedWins.append(view.fight)
    if reportedWins.count > FightClient.reportedWinLimit { reportedWins.removeFirst() }
    enqueue(.reportWin(view.fight), at: now, into: &effects)
  }
}

extension FightView {
  /// Returns the opponent's stamina after the punch.
  fileprivate mutating func strikeByPhone(_ punch: PunchReport, rules: FightRules) -> Double {
    let left = theirs.share - Stamina.damageShare(ofMagnitude: punch.magnitude)
    // If the rules refuse this, the authority refuses it too.
    try? bout.write(left, by: side, rules: rules)
    return left
  }
}
