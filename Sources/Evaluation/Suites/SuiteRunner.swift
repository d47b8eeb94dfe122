import AppEngines
import Detectors
import Diagnostics
import Replay
import Scoring
import TraceModel
import Tuning

/// Runs a suite. Each trace is read once, passed to every entry that names it, and released. The
/// results do not depend on the number of threads or the batch size.
///
/// ```swift
/// var trace = Trace(header: TraceHeader(id: "bag", origin: .recorded))
/// trace.set(.vector(VectorColumns()), for: .userAcceleration)
/// let choice = DetectorChoice(detector: "punch", preset: "default")
/// let entry = Suite.Entry(name: "punch", choice: choice, traces: ["all"], place: "")
/// let sets = [Suite.TraceSet(name: "all", files: ["bag"])]
/// let suite = Suite(name: "boxing", path: "", traceSets: sets, entries: [entry])
/// let runner = SuiteRunner(
///   suite: suite, registry: .builtIn, loader: MemoryTraces([trace]), threads: 1)
/// try await runner.run().runs.map(\.traceID)  // ["bag"]
/// ```
public struct SuiteRunner: Sendable {
  public let suite: Suite
  public let registry: DetectorRegistry
  public let loader: any TraceLoader
  public var threads: Int
  public var batchSize = 4096
  public var observer: any WorkObserver = NoObserver()
  /// The clock that measures the time of detectors; nil = it is not measured.
  public var clock: (@Sendable () -> Duration)?

  public init(
    suite: Suite, registry: DetectorRegistry, loader: any TraceLoader, threads: Int,
    batchSize: Int = 4096, observer: any WorkObserver = NoObserver(),
    clock: (@Sendable () -> Duration)? = nil
  ) {
    (self.suite, self.registry, self.loader, self.threads) = (suite, registry, loader, threads)
    (self.batchSize, self.observer, self.clock) = (batchSize, observer, clock)
  }

  public struct Output: Sendable {
    /// The runs of the entries, then the runs of the detectors on the phones of the apps.
    public var runs: [RunRecord]
    public var apps: [AppRecord]
  }

  public func run() async throws -> Output {
    let runs = try await runEntries()
    let apps = try await parallelMap(suite.apps, threads: threads) { try play($0) }
    let all = runs + apps.flatMap(\.runs)
    try checkIDs(all)
    return Output(runs: all, apps: apps.map(\.record))
  }

  private func play(_ entry: Suite.AppEntry) throws -> AppResult {
    let paths = suite.files(of: entry.traces)
    let files = try paths.map(loader.load)
    let signals = entry.path.apply(to: files.map(\.trace), for: entry.choice.app.channel)
    let starts = PlayedTraces.startTimes(of: files.map(\.trace.header), together: entry.isTogether)
    {
      observer.warn("\(entry.place): entry \(entry.name): \($0)")
    }
    return try Failure.naming("\(entry.place): entry \(entry.name)") {
      let plan = try AppPlan(
        entry.choice, PlayedTraces(zip(signals, starts).map { .init(trace: $0.trace, start: $1) }),
        entry.options)
      let start = clock?()
      var timeline = try plan.timeline(from: .zero, blockSize: batchSize)
      var events: [DetectionRecord] = []
      try timeline.run(into: &events)
      var result = try AppResult(
        plan, events: events, entry: entry.name, hashes: files.map(\.sha256), signals: signals,
        delivery: entry.path.delivery, tolerance: entry.tolerance,
        detectorTime: elapsed(since: start))
      for (index, path) in zip(result.runs.indices, paths) { result.runs[index].tracePath = path }
      return result
    }
  }

  private func elapsed(since start: Duration?) -> Duration {
    guard let clock, let start else { return .zero }
    return clock() - start
  }

  private func runEntries() async throws -> [RunRecord] {
    try Suite.requireDistinct(suite.traceSets.lazy.flatMap(\.files))
    let names = Set(suite.entries.map(\.name))
    for entry in suite.entries where names.contains(RunRecord.finalName(entry.name)) {
      throw Failure(
        .badData,
        "\(suite.path): entry \(RunRecord.finalName(entry.name)): expected another name: this one "
          + "is reserved for what remains of entry \(entry.name) after withdrawals")
    }
    let work = workByFile
    // Counted here: for each trace, `suite.files` would ask the system where all of them lie.
    let numbers = Dictionary(
      work.flatMap { $0.entries.map { ($0.name, 1) } }, uniquingKeysWith: { $0 + $1 })
    let compared = Set(numbers.filter { $0.value > 1 }.keys)
    let done = Counter()
    let parts = try await parallelMap(work, threads: threads) { file, entries -> [RunRecord] in
      let records = try run(entries, on: file, comparing: compared)
      observer.progress(done.next(), of: work.count, "traces")
      return records
    }
    observer.endProgress()
    let order = Dictionary(
      suite.entries.enumerated().flatMap {
        [
          ($0.element.name, 2 * $0.offset),
          (RunRecord.finalName($0.element.name), 2 * $0.offset + 1),
        ]
      }, uniquingKeysWith: { first, _ in first })
    // Sort by entry, then by file; the parts already have the order of the files.
    var runs =
      parts.flatMap { $0 }.enumerated()
      .sorted {
        (order[$0.element.entry] ?? 0, $0.offset) < (order[$1.element.entry] ?? 0, $1.offset)
      }
      .map(\.element)
    for own in runs.inGroups(by: { [$0.entry, $0.origin.rawValue] }) {
      try Failure.placing("\(suite.path): entry \(own[0].entry)") {
        try SharedData.check(
          own.compactMap { run in
            run.marks.map { .init(path: run.tracePath, header: run.header, marks: $0) }
          })
      }
    }
    for index in runs.indices { runs[index].marks = nil }
    return runs
  }

  /// The files in the order of their first use, each with its entries.
  private var workByFile: [(file: String, entries: [Suite.Entry])] {
    suite.entries.flatMap { entry in suite.files(of: entry.traces).map { (file: $0, entry) } }
      .inGroups(by: \.file).map { ($0[0].file, $0.map(\.1)) }
  }

  /// - Parameter compared: the entries with several files, whose readings are marked.
  private func run(
    _ entries: [Suite.Entry], on file: String, comparing compared: Set<String>
  ) throws -> [RunRecord] {
    let loaded = try loader.load(file)
    var marks: [Channel: ReadingMarks] = [:]
    return try entries.flatMap { entry in
      try Failure.naming("\(entry.place): entry \(entry.name) on \(file)") {
        let detector = try registry.detector(
          named: entry.choice.detector, place: entry.place,
          relativeTo: Suite.folder(of: suite.path))
        var records = try run(entry, by: detector, on: loaded.trace, hash: loaded.sha256)
        for index in records.indices { records[index].tracePath = file }
        guard compared.contains(entry.name) else { return records }
        let channel = detector.channel
        records[0].marks = marks[channel] ?? SharedData.marks(of: loaded.trace, for: channel)
        marks[channel] = records[0].marks
        return records
      }
    }
  }

  /// Each detection is logged, matched and stored, which takes 0.5 kB. No event comes at every 64th
  /// reading of a long recording.
  static func mostDetections(in trace: Trace) -> Int {
    max(500_000, trace.header.channels.reduce(0) { $0 + $1.count } / 64)
  }

  /// Returns the run; if the detector withdraws, also the run without the withdrawn detections.
  private func run(
    _ entry: Suite.Entry, by detector: AnyDetector, on trace: Trace, hash: String
  ) throws -> [RunRecord] {
    let signal = entry.path.apply(to: trace, for: detector.channel)
    let bound = try detector.bound(entry.choice, for: signal.trace.header)
    let start = clock?()
    let result = try bound.run(
      on: MemorySource(signal.trace),
      options: RunOptions(
        blockSize: batchSize, policy: entry.policy,
        mostDetections: Self.mostDetections(in: signal.trace)))
    let detectorTime = elapsed(since: start)
    let exposure = signal.exposure.armed(by: bound.armingActions(of: signal.trace))
    func record(_ name: String, _ result: RunResult) throws -> RunRecord {
      var record = try RunRecord(
        entry: name, detector: entry.choice.detector, preset: entry.choice.preset,
        parameters: bound.parameters, policy: entry.policy?.summary,
        seed: entry.policy?.seed, result, on: signal.trace, hash: hash, signal,
        delivery: entry.path.delivery, channel: detector.channel,
        exposure: exposure, task: detector.task, tolerance: entry.tolerance,
        detectorTime: detectorTime)
      record.program = detector.program
      try record.addReadings(detector, bound, on: signal.trace)
      return record
    }
    var records = [try record(entry.name, result)]
    if bound.withdraws {
      records[0].addWithdrawals()
      records.append(try record(RunRecord.finalName(entry.name), result.settled))
    }
    return records
  }

  /// Checks that the traces of an entry have different ids, which identify the results.
  private func checkIDs(_ runs: [RunRecord]) throws {
    var seen: Set<[String]> = []
    for run in runs where !seen.insert([run.entry, run.traceID]).inserted {
      throw Failure(
        .badData,
        "\(suite.path): entry \(run.entry): expected traces with unique ids, found two with id "
          + "\(run.traceID); change one with convert --id")
    }
  }
}
