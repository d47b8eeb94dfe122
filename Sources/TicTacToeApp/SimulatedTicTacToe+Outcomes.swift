package import AppEngines
package import Detectors
package import TraceModel

extension SimulatedTicTacToe {
  package static var legend: String {
    """
    games: opened. forfeits: ended because a player left or stayed away; closed: both stayed away.
    stalled: neither player can move, and no rule ends the game. move delay: from the tap to the
    opponent's board, in simulated time. two O: both play O, so that nobody may begin. occupied, out of
    turn: moves that boards show against the rules of the game. lost moves: never reach the opponent,
    without a rule that says why, or were acknowledged, and the server does not have them. contradicting
    results: a phone shows another result than the first one. lost chat lines: acknowledged, and no
    longer on the server. time to see gone, false departures: of the heartbeats' detector, against the
    reference of the traces. restart lost moves: that waited on a phone, or that the server had, before a
    restart took them.
    """
  }

  package static func rules(of preset: String) -> (any AppRules)? {
    TicTacToeRules.preset(named: preset)
  }

  /// Returns those of the presence detector.
  package static func parameters(
    by rules: (any AppRules)?, for header: TraceHeader
  ) -> [ResolvedParameter] {
    let rules = rules as? TicTacToeRules ?? .default
    return PresenceDetector.parameterFields.resolved(in: rules.presence(for: header))
  }

  package var outcomes: [AppOutcome] {
    let delays = matches.flatMap(\.moves).compactMap { played in
      played.shown.map { Double(played.made.nanoseconds(to: $0)) / 1e9 }
    }
    var list: [AppOutcome] = [
      .count("games", matches.count, .mustStay),
      .count("wins", matches.count { if case .won = $0.result { true } else { false } }),
      .count("draws", matches.count { $0.result == .draw }),
      .count(
        "forfeits", matches.count { if case .forfeited = $0.result { true } else { false } }, .lower
      ),
      .count("games_closed", matches.count { $0.result == .closed }, .lower),
      .count("games_gone", matches.count { $0.result == nil && $0.isGone }, .lower),
      .count("stalled_games", stalledGames),
      .count("moves", matches.reduce(0) { $0 + $1.moves.count }),
    ]
    list += AppOutcome.delays("move_delay", delays)
    list += [
      .count("chat_lines", chatLines),
      .count("two_o_games", matches.count(where: \.hasTwoO)),
      .count("occupied_moves", matches.reduce(0) { $0 + $1.occupied }),
      .count("moves_out_of_turn", matches.reduce(0) { $0 + $1.outOfTurn }),
      .count("lost_moves", lostMoves),
      .count("lost_chat_lines", lostLines),
      .count("contradicting_results", matches.reduce(0) { $0 + $1.contradictions }),
    ]
    return list + exchange.losses + setup.people.indices.flatMap(outcomes(of:))
  }

  private func outcomes(of person: Int) -> [AppOutcome] {
    let (tally, device) = (people[person].tally, DeviceID(person))
    let gone = tally.goneAfter
    let mean = gone.isEmpty ? nil : gone.reduce(0, +) / Double(gone.count)
    return [
      .count("games_won", of: device, tally.wins), .count("games_lost", of: device, tally.losses),
      AppOutcome("time_to_see_gone", of: device, mean, unit: "s", .lower),
      .count("false_departures", of: device, tally.falseDepartures, .lower),
    ]
  }

  /// The games in which neither player can move, although no rule has ended them.
  var stalledGames: Int {
    matches.count { match in
      match.isStalled || (rules.keepsGames && match.result == nil && !match.isGone)
    }
  }

  package func losses(to new: TicTacToeServer) -> [AppOutcome] {
    func isMove(_ record: GameRecord) -> Bool {
      if case .move = record.content { true } else { false }
    }
    let played = server.games.reduce(0) { sum, game in
      let rest = new.games.first { $0.id == game.id }?.moves.count ?? 0
      return sum + max(0, game.moves.count - rest)
    }
    let rest = Set(new.records.map(\.id))
    let recorded = server.records.count { isMove($0) && !rest.contains($0.id) }
    return [.count("restart_lost_moves", played + recorded)]
  }

  /// The moves that never reached the opponent's board, without a refusal or an end by a rule. A move
  /// that the server still has is not lost.
  var lostMoves: Int {
    matches.reduce(0) { sum, match in
      guard !rules.keepsGames || match.isOpen else { return sum }
      return sum + match.moves.count { $0.shown == nil && !$0.isRefused }
    } + acknowledgedMoves.count { !server.has($0) }
  }

  /// The chat lines that a phone has an acknowledgement of, and the server has not.
  var lostLines: Int {
    acknowledgedLines.reduce(0) { $0 + max(0, $1.value - server.lineCount(of: $1.key)) }
      + acknowledgedRecords.subtracting(server.records.map(\.id)).count
  }
}
