package import AppEngines
import Detectors
import TraceModel

/// The log and the outcomes of the matches.
extension SimulatedPictureGuess {
  private func other(_ person: Int) -> String { people[people.count - 1 - person].name }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : noun.hasSuffix("s") ? "es" : "s")"
  }

  mutating func noteSent(
    _ match: MatchID, _ games: Int, _ word: String, of person: Int, at now: TraceInstant
  ) {
    sent.append(SentWord(match: match, games: games, author: person, time: now))
    let start = games == 0 ? "starts a match: " : ""
    log(
      "sends",
      "\(start)chooses a picture of \(word) and sends it to \(other(person)) to guess "
        + "(word \(games + 1) of \(MatchState.wordCount))", of: person, at: now)
  }

  mutating func noteShown(
    _ match: MatchID, _ games: Int, _ word: String, of person: Int, at now: TraceInstant
  ) {
    if let index = sent.firstIndex(where: {
      $0.match == match && $0.games == games && $0.author != person
    }) {
      delays.append(Double(sent[index].time.nanoseconds(to: now)) / 1e9)
      sent.remove(at: index)
    }
    beginGuess(person, at: now)
    let length = word.utf8.count
    let how =
      people[person].usesDrags
      ? "drags the letters as recorded"
      : people[person].engine.hasFixedSlots && !people[person].drags.isEmpty
        && !people[person].engine.takesDrags
        ? "places the letters without the recording, which shows another number of slots"
        : "places the letters without a recording"
    log(
      "sees",
      "sees the picture with \(length) slots and 12 letters, in round "
        + "\(MatchState.round(afterGames: games)) of \(MatchState.roundCount), and \(how)",
      of: person, at: now)
    if hasDecisions {
      let letters = String(decoding: people[person].engine.letters, as: UTF8.self)
      log("letters", "has the \(letters.count) letters \(letters)", of: person, at: now)
    }
    if games == 1, !disturbed.contains(match) {
      plan(.third, after: 2, people.count - 1 - person, at: now)
    }
  }

  mutating func noteGuess(
    _ word: String, _ isRight: Bool, _ guesses: Int, of person: Int, at now: TraceInstant
  ) {
    if isRight {
      people[person].guessed += 1
      people[person].guesses += guesses
      log(
        "right", "puts \(word) into the slots: right after \(count(guesses, "guess"))", of: person,
        at: now, value: Double(guesses), unit: "count")
    } else {
      people[person].wrongBoards += 1
      log(
        "wrong",
        "puts \(word) into the slots: wrong, which counts as a guess; the letters go back",
        of: person, at: now)
    }
  }

  mutating func noteEnd(_ state: MatchState, of person: Int, at now: TraceInstant) {
    let isCorrection = shown[person].updateValue(state, forKey: state.match) != nil
    if let index = results.firstIndex(where: { $0.match == state.match }) {
      if let winner = winner(of: results[index]) { people[winner].won -= 1 }
      results[index] = state
    } else {
      results.append(state)
    }
    if let winner = winner(of: state) { people[winner].won += 1 }
    let totals =
      person == state.one
      ? (state.guessesOfOne, state.guessesOfTwo) : (state.guessesOfTwo, state.guessesOfOne)
    let text =
      switch state.result {
      case .draw:
        rules.announcesDraws
          ? "ends in a draw" : "ends, and the result shows no winner and no draw"
      case .one: person == state.one ? "is won" : "is lost"
      case .two, nil: person == state.one ? "is lost" : "is won"
      }
    log(
      "result",
      "sees \(isCorrection ? "that another result counts" : "the result"): the match \(text), with "
        + "\(totals.0) guesses to \(totals.1)", of: person, at: now)
  }

  /// The number of the person who has won; nil = a draw.
  private func winner(of state: MatchState) -> Int? {
    guard let result = state.result, result != .draw, people.indices.contains(state.one)
    else { return nil }
    return result == .one ? state.one : people.count - 1 - state.one
  }

  /// Reports that a third person's answer has reached a phone.
  mutating func noteThird(isTaken: Bool, of person: Int, at now: TraceInstant) {
    thirdAnswers += 1
    log(
      "third-person",
      isTaken
        ? "gets an answer from a third person of the thread, and the app takes it"
        : "gets an answer from a third person of the thread, which the app refuses",
      of: person, at: now)
  }

  func undecided(_ person: Int) -> String {
    let match = people[person].engine.match
    let days = Int((rules.abandonAfter / 86_400).rounded())
    return "does not finish the last match, \(match?.games ?? 0) of \(MatchState.wordCount) words "
      + "guessed: without a move, the app abandons it after \(days) days"
  }

  // MARK: Outcomes

  package var outcomes: [AppOutcome] {
    let wins = people.map(\.won)
    let best = wins.max() ?? 0
    let winner = results.isEmpty || wins.allSatisfy { $0 == best } ? nil : wins.firstIndex(of: best)
    let standoff = results.isEmpty ? "nobody" : "draw"
    let words = people.reduce(0) { $0 + $1.guessed }
    var list: [AppOutcome] = [
      AppOutcome(
        "winner", winner.map(Double.init), text: winner.map { people[$0].name } ?? standoff),
      .count("matches_started", begun.count),
      .count("matches_finished", results.count, .mustNotFall),
      .count("matches_abandoned", abandoned, .lower),
      .count("draws", results.count { $0.result == .draw }), .count("rounds", words / 2),
    ]
    list += AppOutcome.delays("message_delay", delays)
    list += PictureGuessFaults.fields.map { name, path in
      .count(name, people.reduce(0) { $0 + $1.engine.faults[keyPath: path] })
    }
    list += [
      .count("readable_answers", readable.count),
      .count("contradicting_results", contradictions), .count("unended_matches", unended),
    ]
    return list + exchange.losses + people.indices.flatMap(outcomes(of:))
  }

  /// The matches whose totals differ between the two phones. Without a server, a match whose end both
  /// phones have lost may end again, with another result.
  private var contradictions: Int {
    shown[0].count { match, state in
      shown[1][match].map {
        ($0.guessesOfOne, $0.guessesOfTwo) != (state.guessesOfOne, state.guessesOfTwo)
      } ?? false
    }
  }

  private func outcomes(of person: Int) -> [AppOutcome] {
    let (player, device) = (people[person], DeviceID(person))
    let drops = player.drops
    return [
      .count("matches_won", of: device, player.won),
      .count("words_guessed", of: device, player.guessed),
      .count("guesses", of: device, player.guesses),
      .count("wrong_boards", of: device, player.wrongBoards),
      .count("recorded_drops", of: device, drops.intended),
      AppOutcome(
        "drop_hit_rate", of: device,
        drops.intended == 0 ? nil : Double(drops.hits) / Double(drops.intended), .higher),
      .count("near_misses", of: device, drops.nearMisses, .lower),
      .count("wrong_slots", of: device, drops.wrongSlots, .lower),
    ]
  }
}
