public import AppEngines
import Diagnostics
import Replay
import Synchronization
import TraceModel

/// Finds runs of an app that break an invariant, and the fewest faults that still break it.
public struct FaultShrinking: Sendable {
  public struct Broken: Sendable {
    /// The conditions of the network, without random draws.
    public var network: NetworkConditions
    public var faults: [ExchangeFault]
    public var decisions: [Decision]
    /// What is broken, as sentences; not empty.
    public var findings: [String]
    /// The names of what is broken: counts of the app, `invariant` first.
    public var names: [String]
  }

  public struct Reduced: Sendable {
    public var broken: Broken
    /// The name of what the faults break, before and after the reduction.
    public var watched: String
    /// What else the run broke before the reduction.
    public var others: [String]
    /// The number of faults before the reduction: stated ones and random ones.
    public var originalCount: Int
    /// The number of runs that the reduction needed.
    public var runs: Int
  }

  public let choice: AppChoice
  private let played: PlayedTraces
  private let options: AppOptions
  /// The counts to look at; empty = all of the app, and the invariants of its engines.
  private let watched: [String]
  /// Whether each random network has random decisions of its seed, instead of those of the options.
  public var hasRandomDecisions = false
  /// The number of phones that random networks cut off, restart, and give wrong clocks.
  private let phones: Int

  /// - Parameter watched: names of outcomes; empty = everything that may break.
  /// - Throws: wrong use, if the app has no such count.
  public init(
    _ choice: AppChoice, _ played: PlayedTraces, _ options: AppOptions, watching watched: [String]
  ) throws {
    let known = ["invariant"] + choice.app.faultCounts
    for name in watched where !known.contains(name) {
      throw Failure.unknown("count of \(choice.app.name)", name, known: known, place: "--watch")
    }
    (self.choice, self.played, self.options, self.watched) = (choice, played, options, watched)
    phones = choice.app.phoneCount(AppPlan.people(played))
  }

  private struct Outcome {
    var findings: [String]
    /// The names of what is broken, which stay the same while people and numbers differ.
    var kinds: [String]
    var drawn: [ExchangeFault]
    var met: [ExchangeFault]
    var messages: [MessageRecord]
  }

  private func run(
    _ network: NetworkConditions, _ faults: [ExchangeFault], _ decisions: [Decision],
    keepsMessages: Bool = false
  ) throws -> Outcome {
    var options = options
    options.decisions = decisions
    options.keepsMessages = keepsMessages
    options.network = network
    options.faults = faults
    let plan = try AppPlan(choice, played, options)
    var timeline = try plan.timeline(from: .zero, blockSize: 4096)
    var events: [DetectionRecord] = []
    try timeline.run(into: &events)
    guard let simulation = plan.ended.value.withLock(\.self) else {
      throw Failure(.badData, "the app's run did not come to its end")
    }
    var outcome = Outcome(
      findings: [], kinds: [], drawn: simulation.drawnFaults, met: simulation.metFaults,
      messages: simulation.messages)
    if !simulation.violations.isEmpty {
      outcome.findings += simulation.violations
      outcome.kinds.append("invariant")
    }
    for name in choice.app.faultCounts {
      for figure in simulation.outcomes where figure.name == name {
        guard let value = figure.value, value > 0 else { continue }
        let whom = figure.person.map { " (\(plan.setup.people[$0.index].name))" } ?? ""
        outcome.findings.append("\(readable(name)): \(number(value))\(whom)")
        if !outcome.kinds.contains(name) { outcome.kinds.append(name) }
      }
    }
    return outcome
  }

  /// Returns those of the names that count, in the order in which they were asked for.
  private func wanted(_ kinds: [String]) -> [String] {
    watched.isEmpty ? kinds : watched.filter(kinds.contains)
  }

  private func readable(_ name: String) -> String { String(name.map { $0 == "_" ? " " : $0 }) }

  /// Runs the app once.
  /// - Returns: the run with its faults stated one by one; nil = nothing is broken.
  public func check(
    _ network: NetworkConditions, _ faults: [ExchangeFault], _ decisions: [Decision]? = nil
  ) throws -> Broken? {
    let decisions = decisions ?? options.decisions
    let first = try run(network, faults, decisions)
    guard !wanted(first.kinds).isEmpty else { return nil }
    let stated = faults + first.drawn
    let again = try run(network.calm, stated, decisions)
    guard wanted(again.kinds).contains(where: first.kinds.contains) else {
      return Broken(
        network: network, faults: faults, decisions: decisions, findings: first.findings,
        names: first.kinds)
    }
    return Broken(
      network: network.calm, faults: again.met, decisions: decisions, findings: again.findings,
      names: again.kinds)
  }

  /// Runs the app on random networks of the seeds, until one breaks something.
  /// - Returns: the broken run, and its seed; nil = none.
  public func search(
    _ seeds: ClosedRange<UInt64>, progress: (UInt64) -> Void = { _ in }
  ) throws -> (broken: Broken, seed: UInt64)? {
    for seed in seeds {
      progress(seed)
      let setup = randomNetwork(seed)
      if let broken = try check(setup.conditions, setup.faults, decisions(seed)) {
        return (broken, seed)
      }
    }
    return nil
  }

  private func decisions(_ seed: UInt64) -> [Decision] {
    hasRandomDecisions ? played.randomDecisions(seed, of: choice.app) : options.decisions
  }

  /// The random network of a seed, for the traces of these people.
  public func randomNetwork(_ seed: UInt64) -> NetworkSetup {
    .random(
      seed: seed, phones: phones, hasServer: choice.app.hasServer,
      length: played.window.upperBound.seconds - played.window.lowerBound.seconds)
  }

  /// What breaks in many runs, and what they met.
  public struct Tally: Sendable {
    public struct Kind: Sendable {
      /// The name of the count; `invariant` = an engine's own.
      public var name: String
      /// The number of runs in which it breaks.
      public var runs = 0
      /// The seed of the first of them.
      public var seed: UInt64 = 0
    }

    public var runs = 0
    /// The number of runs in which anything breaks.
    public var broken = 0
    /// The invariants, then the app's counts in their order, including those that never break.
    public var kinds: [Kind] = []
    /// The runs that met a fault of the kind; lost, late and doubled messages are drawn ones.
    public var met: [(fault: ExchangeFault.Kind, runs: Int)] = []
  }

  /// Runs the app on the random networks of all seeds, and counts what breaks.
  /// - Parameter most: how many run before their results are counted: memory does not grow with the seeds.
  public func tally(
    _ seeds: ClosedRange<UInt64>, threads: Int, atATime most: Int = 4096
  ) async throws -> Tally {
    let names = watched.isEmpty ? ["invariant"] + choice.app.faultCounts : watched
    var tally = Tally(runs: 0, kinds: names.map { Tally.Kind(name: $0) })
    tally.met = ExchangeFault.Kind.allCases.map { ($0, 0) }
    var rest = seeds[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(most))
      rest = rest.dropFirst(part.count)
      let found = try await parallelMap(part, threads: threads) { seed in
        let setup = randomNetwork(seed)
        let outcome = try run(setup.conditions, setup.faults, decisions(seed))
        return (kinds: wanted(outcome.kinds), met: Set((outcome.met + outcome.drawn).map(\.kind)))
      }
      tally.runs += found.count
      for index in tally.met.indices {
        tally.met[index].runs += found.count { $0.met.contains(tally.met[index].fault) }
      }
      for (seed, run) in zip(part, found) where !run.kinds.isEmpty {
        tally.broken += 1
        for index in names.indices where run.kinds.contains(names[index]) {
          if tally.kinds[index].runs == 0 { tally.kinds[index].seed = seed }
          tally.kinds[index].runs += 1
        }
      }
    }
    return tally
  }

  /// Leaves decisions and faults out, merges lost messages into cuts, and rounds the times of what is left, while
  /// the run still breaks one thing: the first of the broken ones that holds without faults; if there
  /// is none, the first.
  public func reduce(_ broken: Broken) throws -> Reduced {
    let all = try run(broken.network, broken.faults, broken.decisions).kinds
    let plain = try run(NetworkConditions(), [], broken.decisions).kinds
    let candidates = wanted(all.isEmpty ? broken.names : all)
    let watched = candidates.first { !plain.contains($0) } ?? candidates[0]
    var runs = 2
    var decisions = broken.decisions
    func breaks(_ network: NetworkConditions, _ faults: [ExchangeFault]) throws -> Bool {
      runs += 1
      return try run(network, faults, decisions).kinds.contains(watched)
    }
    var network = broken.network
    // First without the delay that all messages have: the faults alone say more.
    if network != NetworkConditions(), try breaks(NetworkConditions(), broken.faults) {
      network = NetworkConditions()
    }
    decisions = try DeltaDebugging.reduced(decisions) { fewer in
      runs += 1
      return try run(network, broken.faults, fewer).kinds.contains(watched)
    }
    var faults = try DeltaDebugging.reduced(broken.faults) { try breaks(network, $0) }
    for digits in [1.0, 10, 100, 1000] {
      var simpler = network
      simpler.delay = (network.delay * digits).rounded() / digits
      guard simpler != network, try breaks(simpler, faults) else { continue }
      network = simpler
      break
    }
    if faults.count(where: { $0.kind == .lose }) > 1 {
      let messages = try run(network, faults, decisions, keepsMessages: true).messages
      faults = try faults.merged(messages, delay: network.delay) { try breaks(network, $0) }
    }
    for index in faults.indices {
      func holds(_ fault: ExchangeFault) throws -> Bool {
        var candidate = faults
        candidate[index] = fault
        guard try breaks(network, candidate) else { return false }
        faults = candidate
        return true
      }
      let fault = faults[index]
      try fault.narrow(while: holds)
      let narrow = faults[index]
      _ = try narrow.simpler.first(where: holds)
    }
    // With other times, a fault may be needed no more.
    faults = try DeltaDebugging.reduced(faults) { try breaks(network, $0) }
    let last = try run(network, faults, decisions)
    return Reduced(
      broken: Broken(
        network: network, faults: faults, decisions: decisions, findings: last.findings,
        names: last.kinds),
      watched: watched, others: all.filter { $0 != watched }, originalCount: broken.faults.count,
      runs: runs)
  }
}

extension ExchangeFault {
  /// The same fault with times of fewer digits, the shortest first.
  fileprivate var simpler: [ExchangeFault] {
    let units: [Int64] = [10_000_000_000, 1_000_000_000, 100_000_000, 10_000_000, 1_000_000]
    return units.compactMap { unit in
      let simple = rounded(to: unit)
      return simple == self ? nil : simple
    }
  }

  private func rounded(to unit: Int64) -> ExchangeFault {
    /// The nearest multiple; of a length, above 0.
    func near(_ time: Int64) -> Int64 {
      let (whole, rest) = time.quotientAndRemainder(dividingBy: unit)
      let step: Int64 = rest.magnitude * 2 >= unit.magnitude ? rest.signum() : 0
      let (product, overflow) = (whole + step).multipliedReportingOverflow(by: unit)
      return overflow ? time : product
    }
    func length(_ time: Int64) -> Int64 { near(time) == 0 ? time : near(time) }
    func instant(_ time: TraceInstant) -> TraceInstant {
      TraceInstant(nanoseconds: near(time.nanoseconds))
    }
    switch self {
    case .lose, .drift: return self
    case .delay(let message, let time): return .delay(message, by: length(time))
    case .duplicate(let message, let time): return .duplicate(message, after: length(time))
    case .cut(let endpoint, let start, let end):
      let (from, to) = (instant(start), instant(end))
      return from < to ? .cut(endpoint, from: from, to: to) : self
    case .restart(let endpoint, let time, .age(let age)):
      return .restart(endpoint, at: instant(time), .age(near(age)))
    case .restart(let endpoint, let time, .new):
      return .restart(endpoint, at: instant(time), .new)
    case .clock(let phone, let time, let step):
      return .clock(phone: phone, at: instant(time), by: length(step))
    }
  }
}

extension PlayedTraces {
  /// Returns the random decisions of a seed, for the people of these traces.
  public func randomDecisions(_ seed: UInt64, of app: any AppSimulation.Type) -> [Decision] {
    .random(
      seed: seed, of: app.actions, people: devices.count,
      length: window.upperBound.seconds - window.lowerBound.seconds)
  }
}
