package import Scoring
package import TraceModel

/// The speed of one entry on traces of one origin, on this machine and in this run.
package struct SpeedFigure: Sendable, Hashable {
  package var entry: String
  package var origin: TraceOrigin
  /// Nanoseconds of processor time per sample; nil = undefined, see ``reason``.
  package var time: RepeatedTime?
  package var samples = 0
  package var traces = 0
  package var passes = 0
  /// Why there is no time; nil if there is one.
  package var reason: String?
}

/// Measures the speed of a suite's entries after the suite has run.
///
/// The number of repeats is fixed beforehand. The repeats of the entries take turns, so that a
/// disturbance of the machine affects them all. Everything runs on the calling thread.
package struct SpeedMeter: Sendable {
  /// The repeats of each entry: the 95 % interval of their median leaves out one at either end.
  package static let repeats = 9
  /// The most samples of a pass. The default suite takes about 1 s.
  package static let samples = 20_000
  /// The nanoseconds that a repeat is to take; short traces are replayed several times in it.
  static let length = 2_000_000.0
  /// A shorter repeat is not a measurement.
  static let shortest = 1_000_000.0
  static let passes = 100.0
  /// A pass that would take longer has fewer samples.
  static let longestPass = 50_000_000.0
  /// A detector for which ``SpeedWork/fewestSamples`` take longer is not repeated.
  static let longest = 200_000_000.0

  let suite: Suite
  let registry: DetectorRegistry
  let loader: any TraceLoader
  /// The processor time of the calling thread in nanoseconds.
  let clock: @Sendable () -> Int64

  package init(
    suite: Suite, registry: DetectorRegistry, loader: any TraceLoader,
    clock: @escaping @Sendable () -> Int64
  ) { (self.suite, self.registry, self.loader, self.clock) = (suite, registry, loader, clock) }

  /// Returns a figure for each entry and origin, in the order of the runs; none for apps. What cannot
  /// be measured has a reason in place of a time.
  /// - Parameter runs: those of the suite.
  package func figures(of runs: [RunRecord]) -> [SpeedFigure] {
    let entries = Dictionary(
      suite.entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var cache: [String: LoadedTrace] = [:]
    var prepared = runs.inGroups { [$0.entry, $0.origin.rawValue] }.compactMap {
      runs -> Prepared? in
      guard let entry = entries[runs[0].entry] else { return nil }
      return prepare(entry, runs, &cache)
    }
    for _ in 0..<Self.repeats {
      for index in prepared.indices { prepared[index].measure(clock) }
    }
    return prepared.map(\.result)
  }

  private func prepare(
    _ entry: Suite.Entry, _ runs: [RunRecord], _ cache: inout [String: LoadedTrace]
  ) -> Prepared {
    var figure = SpeedFigure(entry: entry.name, origin: runs[0].origin)
    do {
      let detector = try registry.detector(
        named: entry.choice.detector, place: entry.place, relativeTo: Suite.folder(of: suite.path))
      let perSample = Self.expected(runs)
      guard perSample * Double(SpeedWork.fewestSamples) <= Self.longest else {
        figure.reason = "too slow to be repeated: \(Int(perSample / 1000)) us per sample in the run"
        return Prepared(figure: figure)
      }
      let affordable = Int(min(Self.longestPass / max(perSample, 1), 1e9))
      let most = detector.isExternal ? SpeedWork.programSamples : Self.samples
      let work = try SpeedWork(
        entry, of: detector, on: runs.map(\.tracePath),
        limit: min(most, max(affordable, SpeedWork.fewestSamples))
      ) { file in
        if let known = cache[file] { return known }
        let loaded = try loader.load(file)
        cache[file] = loaded
        return loaded
      }
      return try Prepared(figure, work, clock)
    } catch {
      // The run is complete: its results do not depend on a speed.
      figure.reason = "\(error)"
      return Prepared(figure: figure)
    }
  }

  private static func expected(_ runs: [RunRecord]) -> Double {
    let samples = runs.reduce(0) { $0 + $1.readings }
    let time = runs.reduce(0.0) { $0 + Double($1.detectorTime.nanoseconds) }
    return samples > 0 ? time / Double(samples) : 0
  }
}

/// An entry that is measured, with its times so far.
private struct Prepared {
  var figure: SpeedFigure
  var work: SpeedWork?
  var times: [Double] = []

  init(figure: SpeedFigure) { self.figure = figure }

  /// The first timed pass decides how many passes a repeat has.
  init(_ figure: SpeedFigure, _ work: SpeedWork, _ clock: () -> Int64) throws {
    self.figure = figure
    (self.figure.samples, self.figure.traces) = (work.samples, work.traces.count)
    guard work.samples >= SpeedWork.fewestSamples else {
      self.figure.reason = SpeedWork.tooFew(work.samples)
      return
    }
    let time = Double(max(1, try Self.time(of: work, 1, clock)))
    self.figure.passes = Int(
      max(1, min((SpeedMeter.length / time).rounded(.up), SpeedMeter.passes)))
    self.work = work
  }

  /// The processor time of passes: of the program, where the detector is one.
  private static func time(
    of work: SpeedWork, _ passes: Int, _ clock: () -> Int64
  ) throws -> Int64 {
    func now() -> Int64 { work.programTime?.nanoseconds ?? clock() }
    let start = now()
    try work.replay(passes)
    return now() - start
  }

  mutating func measure(_ clock: () -> Int64) {
    guard let work, figure.reason == nil else { return }
    do {
      times.append(Double(try Self.time(of: work, figure.passes, clock)))
    } catch {
      figure.reason = "\(error)"
    }
  }

  var result: SpeedFigure {
    var figure = figure
    guard figure.reason == nil, let median = RepeatedTime(times)?.median else { return figure }
    guard median >= SpeedMeter.shortest else {
      figure.reason = "too short: a repeat takes \(Int(median / 1000)) us, expected 1000 or more"
      return figure
    }
    let perSample = times.map { $0 / Double(figure.passes * figure.samples) }
    figure.time = RepeatedTime(perSample)
    return figure
  }
}
