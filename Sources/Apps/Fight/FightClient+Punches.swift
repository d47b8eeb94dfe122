import Detectors
import TraceModel

/// Inputs from the sensor.
extension FightClient {
  mutating func take(
    _ sample: Acceleration, measured: TraceInstant, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    var found: [Detection<PunchEvent>] = []
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

  mutating func arm(at now: TraceInstant, into effects: inout [Effect]) {
    var found: [Detection<PunchEvent>] = []
    fightDetector.handle(.arm, at: now, into: &found)
    for detection in found { use(detection, at: now, into: &effects) }
    isArmed = true
  }

  mutating func disarm(at now: TraceInstant, into effects: inout [Effect]) {
    var found: [Detection<PunchEvent>] = []
    fightDetector.handle(.disarm, at: now, into: &found)
    for detection in found { use(detection, at: now, into: &effects) }
    isArmed = false
  }

  mutating func stopSensor(at now: TraceInstant, into effects: inout [Effect]) {
    var found: [Detection<PunchEvent>] = []
    fightDetector.finish(at: now, into: &found)
    for detection in found { use(detection, at: now, into: &effects) }
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
    guard session != 0, var view else { throw Refusal("no-fight", "no fight is open") }
    guard !view.isOver else { throw Refusal("fight-over", "the fight is over") }
    let punch = PunchReport(
      magnitude: detection.event.magnitude, thrown: detection.onset, move: view.bout.moves)
    if rules.enforcesTurns {
      guard view.isMyTurn else { throw Refusal("not-your-turn", "it is not your turn") }
      let isThrown = outbox.items.contains {
        if case .punch(view.fight, _) = $0.request { true } else { false }
      }
      guard !isThrown else { throw Refusal("turn-over", "your punch is on its way") }
    }
    effects.append(.thrown(punch, view.fight))
    if rules.computesDamage {
      enqueue(.punch(view.fight, punch), at: now, into: &effects)
      return
    }
    // HitThat's rule: the phone subtracts the damage from its own state and writes both staminas.
    let shares = view.strikeByPhone(punch, rules: rules)
    self.view = view
    effects.append(.viewChanged(view))
    enqueue(
      .writeStamina(view.fight, origin: shares.origin, recipient: shares.recipient), at: now,
      into: &effects)
    reportEnd(at: now, into: &effects)
  }

  /// Reports the end by HitThat's rules: each phone that sees it reports it.
  mutating func reportEnd(at now: TraceInstant, into effects: inout [Effect]) {
    guard !rules.countsWinsOnce, let view, view.isOver, !reportedWins.contains(view.fight) else {
      return
    }
    reportedWins.append(view.fight)
    enqueue(.reportWin(view.fight), at: now, into: &effects)
  }
}

extension FightView {
  fileprivate mutating func strikeByPhone(
    _ punch: PunchReport, rules: FightRules
  ) -> (origin: Double, recipient: Double) {
    let left = theirs.share - Stamina.damageShare(ofMagnitude: punch.magnitude)
    let shares = side == .origin ? (mine.share, left) : (left, mine.share)
    // If the rules refuse this, the authority refuses it too.
    try? bout.write(origin: shares.0, recipient: shares.1, by: side, rules: rules)
    return shares
  }
}
