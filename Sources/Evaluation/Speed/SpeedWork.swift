import Detectors
import Diagnostics
import Replay
package import TraceModel

/// A part of a suite's entry that is replayed again and again to measure its detector's speed.
///
/// The traces are taken in turn from the entry's sets, in their order, until there are enough samples;
/// the last one is cut. Loading, gravity removal and delivery are done once, before: the time is that
/// of the detector in its replay, as for a run.
package struct SpeedWork: Sendable {
  package let entry: String
  /// The readings that the detector receives in one pass.
  package let samples: Int
  /// The ids of the traces, and the digests of their files.
  package let traces: [(id: String, sha256: String)]
  /// What the detector reads: traces at its input.
  package let signals: [Trace]
  package let detector: AnyDetector
  package let choice: DetectorChoice
  private let bound: [BoundDetector]
  private let options: RunOptions
  private let detections: Int

  /// Replays the traces once: code and data are then in memory.
  /// - Parameter limit: the most samples of a pass.
  /// - Throws: if a trace cannot be read or the detector cannot run on it.
  package init(
    _ entry: Suite.Entry, of detector: AnyDetector, on files: [String], limit: Int,
    load: (String) throws -> LoadedTrace
  ) throws {
    var (taken, traces, signals) = (0, [(id: String, sha256: String)](), [Trace]())
    for file in files where taken < limit {
      let loaded = try load(file)
      try Failure.naming("\(entry.place): entry \(entry.name) on \(file)") {
        let signal = entry.path.apply(to: loaded.trace, for: detector.channel).trace
        let part = signal.beginning(ofAtMost: limit - taken, of: detector.channel)
        taken += part[detector.channel]?.range.count ?? 0
        traces.append((signal.header.id, loaded.sha256))
        signals.append(part)
      }
    }
    self.entry = entry.name
    (self.detector, choice) = (detector, entry.choice)
    (self.traces, self.signals) = (traces, signals)
    options = RunOptions(policy: entry.policy)
    bound = try signals.map { try detector.bound(entry.choice, for: $0.header) }
    (samples, detections) = try Self.pass(signals, bound, options)
  }

  private static func pass(
    _ signals: [Trace], _ detectors: [BoundDetector], _ options: RunOptions
  ) throws -> (samples: Int, detections: Int) {
    var (samples, detections) = (0, 0)
    for (trace, detector) in zip(signals, detectors) {
      let result = try Failure.naming(trace.header.id) {
        try detector.run(on: MemorySource(trace), options: options)
      }
      samples += result.readings
      detections += result.detections.count
    }
    return (samples, detections)
  }

  /// Replays the traces a number of times.
  /// - Throws: if a pass differs from the first one.
  package func replay(_ passes: Int) throws {
    for _ in 0..<passes {
      let found = try Self.pass(signals, bound, options)
      guard found == (samples, detections) else {
        throw Failure(
          .badData,
          "entry \(entry): expected \(detections) detections in each pass, found \(found.detections); "
            + "the detector is not deterministic: use only parameters and readings in it")
      }
    }
  }

  package struct Collection: Sendable {
    package var works: [SpeedWork] = []
    /// The entries that are not measured, each with the reason.
    package var leftOut: [LeftOut] = []
  }

  package struct LeftOut: Hashable, Sendable, Codable {
    package var entry: String
    package var reason: String

    package init(entry: String, reason: String) { (self.entry, self.reason) = (entry, reason) }
  }

  /// Whether it is an `exec:` program, whose time is that of its process.
  package var isProgram: Bool { detector.isExternal }
  /// The processor time of the program so far; nil = not known, or the detector is part of this program.
  package var programTime: Duration? { detector.programTime?() }

  /// The most samples of a pass through an `exec:` program.
  package static let programSamples = 2000
  /// Fewer samples mostly measure how a replay starts.
  package static let fewestSamples = 500

  /// - Parameters:
  ///   - limit: the most samples of a pass.
  ///   - hasPrograms: whether `exec:` programs are measured too.
  /// - Throws: if a trace cannot be read, or a detector cannot run on it.
  package static func all(
    of suite: Suite, registry: DetectorRegistry, loader: any TraceLoader, limit: Int,
    hasPrograms: Bool = true
  ) throws -> Collection {
    var cache: [String: LoadedTrace] = [:]
    var all = Collection()
    for entry in suite.entries {
      let detector = try registry.detector(
        named: entry.choice.detector, place: entry.place,
        relativeTo: Suite.folder(of: suite.path))
      if detector.isExternal, !hasPrograms {
        all.leftOut.append(LeftOut(entry: entry.name, reason: externalReason))
        continue
      }
      let files = suite.filesInTurn(of: entry.traces)
      let start = detector.programTime?()
      let most = detector.isExternal ? min(limit, programSamples) : limit
      let work = try SpeedWork(entry, of: detector, on: files, limit: most) { file in
        if let known = cache[file] { return known }
        let loaded = try loader.load(file)
        cache[file] = loaded
        return loaded
      }
      guard work.samples >= fewestSamples else {
        all.leftOut.append(LeftOut(entry: entry.name, reason: Self.tooFew(work.samples)))
        continue
      }
      guard !work.isProgram || work.programTime ?? .zero > start ?? .zero else {
        all.leftOut.append(LeftOut(entry: entry.name, reason: noTimeReason))
        continue
      }
      all.works.append(work)
    }
    all.leftOut += suite.apps.map { LeftOut(entry: $0.name, reason: appReason) }
    return all
  }

  static let externalReason = "another program, whose instructions are not counted"
  static let noTimeReason =
    "its process takes no time: a script has to start the program with exec, in its own place"
  package static let slowReason = "a program that takes more than 0.5 s for a pass is not repeated"
  static let appReason = "an app: measure its detector in an entry of its own"

  static func tooFew(_ samples: Int) -> String {
    "expected \(fewestSamples) samples or more in its traces, found \(samples)"
  }
}

extension Suite {
  /// The files of the named sets: the first of each set, then the second of each, and so on.
  func filesInTurn(of sets: [String]) -> [String] {
    let columns = sets.map { files(of: [$0]) }
    let longest = columns.map(\.count).max() ?? 0
    let all = (0..<longest).flatMap { row in columns.compactMap { $0.dropFirst(row).first } }
    return all.inGroups { $0 }.map { $0[0] }
  }
}

extension Trace {
  /// Returns the trace up to a number of readings of a channel: all of it, where it has no more.
  func beginning(ofAtMost count: Int, of channel: Channel) -> Trace {
    guard let block = self[channel], block.range.count > count else { return self }
    let times = block.arrivedTimes ?? block.measuredTimes
    return window(
      from: TraceInstant(nanoseconds: .min),
      to: TraceInstant(nanoseconds: times[block.range.lowerBound + count]))
  }
}
