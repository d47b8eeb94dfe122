import Detectors
import Digests
import Foundation
import Pacing
import Replay
import Results
import Scoring
import TraceFormats
import TraceModel

/// Runs a suite: each trace is read once, goes through every entry that names it, and is dropped.
/// What comes out does not depend on the number of threads or the batch size.
struct SuiteRunner {
  let suite: Suite
  let registry: DetectorRegistry
  var threads: Int
  var batchSize = 4096
  var terminal: Terminal?

  /// What a suite's traces gave.
  struct Output: Sendable {
    /// Of the entries, and then what the phones' detectors of the apps detected.
    var runs: [RunRecord]
    var apps: [AppRecord]
  }

  func run() async throws -> Output {
    let runs = try await runEntries()
    let apps = try await parallelMap(suite.apps, threads: threads) { try play($0) }
    let all = runs + apps.flatMap(\.runs)
    try checkIDs([all])
    return Output(runs: all, apps: apps.map(\.record))
  }

  /// Plays an app on the traces of its people.
  private func play(_ entry: Suite.AppEntry) throws -> AppResult {
    let files = try suite.files(of: entry).map { file in
      try SteadyFile.reading(file) {
        (trace: try NativeFile.read(file), hash: try FileDigest.sha256(of: file))
      }
    }
    let path = SignalPath(
      deviceRate: entry.deviceRate, gravity: entry.gravityFilter, delivery: entry.delivery)
    let signals = path.apply(to: files.map(\.trace), for: entry.choice.app.channel)
    let starts = PlayedTraces.startTimes(of: files.map(\.trace.header), together: entry.isTogether)
    {
      terminal?.warn("\(entry.place): entry \(entry.name): \($0)")
    }
    do {
      let plan = try AppPlan(
        entry.choice, PlayedTraces(zip(signals, starts).map { .init(trace: $0.trace, start: $1) }),
        entry.options)
      let watch = Stopwatch()
      var timeline = try plan.timeline(from: .zero, blockSize: batchSize)
      var events: [DetectionRecord] = []
      try timeline.run(into: &events)
      return try AppResult(
        plan, events: events, entry: entry.name, hashes: files.map(\.hash), signals: signals,
        delivery: entry.delivery, tolerance: entry.tolerance, detectorTime: watch.elapsed)
    } catch let error as TraceError {
      throw CommandError(
        error.kind == .inputOutput ? .fileError : .badData,
        "\(entry.place): entry \(entry.name): \(error)")
    }
  }

  private func runEntries() async throws -> [RunRecord] {
    let work = workByFile
    let done = Counter()
    let parts = try await parallelMap(work, threads: threads) { file, entries -> [RunRecord] in
      let records = try run(entries, on: file)
      terminal?.progress(done.next(), of: work.count, "traces")
      return records
    }
    terminal?.endProgress()
    let order = Dictionary(
      uniqueKeysWithValues: suite.entries.enumerated().map { ($0.element.name, $0.offset) })
    // Entry first, then the order of the files, which the parts already have.
    return parts.flatMap { $0 }.enumerated()
      .sorted {
        (order[$0.element.entry] ?? 0, $0.offset) < (order[$1.element.entry] ?? 0, $1.offset)
      }
      .map(\.element)
  }

  /// The files in the order in which entries name them, each with the entries that do.
  private var workByFile: [(file: String, entries: [Suite.Entry])] {
    var order: [String] = []
    var entries: [String: [Suite.Entry]] = [:]
    for entry in suite.entries {
      for file in suite.files(of: entry) {
        if entries[file] == nil { order.append(file) }
        entries[file, default: []].append(entry)
      }
    }
    return order.map { ($0, entries[$0] ?? []) }
  }

  private func run(_ entries: [Suite.Entry], on file: String) throws -> [RunRecord] {
    let (trace, hash) = try SteadyFile.reading(file) {
      (try NativeFile.read(file), try FileDigest.sha256(of: file))
    }
    return try entries.map { entry in
      do {
        return try run(entry, on: trace, hash: hash)
      } catch let error as TraceError {
        throw CommandError(
          error.kind == .inputOutput ? .fileError : .badData,
          "\(entry.place): entry \(entry.name) on \(file): \(error)")
      }
    }
  }

  private func run(_ entry: Suite.Entry, on trace: Trace, hash: String) throws -> RunRecord {
    let detector = try registry.detector(
      named: entry.choice.detector, place: entry.place, relativeTo: Suite.folder(of: suite.path))
    let path = SignalPath(
      deviceRate: entry.deviceRate, gravity: entry.gravityFilter, delivery: entry.delivery)
    let signal = path.apply(to: trace, for: detector.channel)
    let trace = signal.trace
    let watch = Stopwatch()
    let result = try detector.run(
      entry.choice, on: MemorySource(trace),
      options: RunOptions(blockSize: batchSize, policy: entry.policy))
    let elapsed = watch.elapsed
    let parameters = try detector.parameters(of: entry.choice, for: trace.header)
    let measurements = result.measurements[DeviceID(0)] ?? []
    var record = RunRecord(
      entry: entry.name, detector: entry.choice.detector, preset: entry.choice.preset,
      parameters: parameters.map {
        ParameterRecord(name: $0.name, value: $0.value.description, unit: $0.unit)
      },
      policy: entry.policy?.summary, seed: entry.policy?.seed,
      gravityRemoval: signal.gravityRemoval
        ?? trace.header.info(.userAcceleration)?.attributes["gravity_removal"],
      header: trace.header, traceSHA256: hash, task: detector.task, readings: result.readings,
      detections: result.detections,
      measurements: measurements.map {
        MeasurementRecord(name: $0.name, value: $0.value, unit: $0.unit)
      },
      score: TaskScore(
        task: detector.task, result: result, trace: trace, tolerance: entry.tolerance),
      detectorTime: elapsed)
    record.note(signal, delivery: entry.delivery, channel: detector.channel)
    record.program = detector.program
    return record
  }

  /// Results are found by the trace's id, so two files of an entry must not share one.
  private func checkIDs(_ parts: [[RunRecord]]) throws {
    var seen: Set<[String]> = []
    for run in parts.flatMap({ $0 }) where !seen.insert([run.entry, run.traceID]).inserted {
      throw CommandError(
        .badData,
        "\(suite.path): entry \(run.entry): two of its traces have the id \(run.traceID); "
          + "ids must be unique, give one of them another with convert --id")
    }
  }
}

extension RunRecord {
  /// Notes what happened to the trace before the detector got it.
  mutating func note(
    _ signal: SignalPath.Signal, delivery named: NamedDelivery?, channel: Channel
  ) {
    sampling = signal.sampling
    guard let named, !named.delivery.isIdeal else { return }
    delivery = named.summary
    deliverySeed = named.seed
    deliveryFigures = signal.report[channel]?.figures ?? []
  }
}

extension TaskScore {
  /// Scores a run by its detector's task.
  /// - Parameter tolerance: either side of a reference; nil = the reference's own, else the
  ///   metric's.
  init(task: ReferenceTask, result: RunResult, trace: Trace, tolerance: Duration?) {
    let header = trace.header
    switch task {
    case .distance, .movingTime, .ascent, .split:
      let figures = Dictionary(
        (result.measurements[DeviceID(0)] ?? []).map { ($0.name, $0.value) },
        uniquingKeysWith: { first, _ in first })
      self = .track(
        TrackScore(
          header: header,
          measured: TrackMeasurement(
            distance: figures["distance"], movingTime: figures["moving_time"],
            ascent: figures["ascent"]),
          detections: result.detections, fixes: trace[.location].flatMap { FixColumns($0) },
          distance: Geodesy.distance))
    case .visit:
      guard let reference = header.reference(.visit) else {
        self = .unscored
        return
      }
      let margin =
        tolerance.map { EventTolerance(early: $0, late: $0) }
        ?? EventTolerance(ofVisits: reference)
      self = .visits(
        VisitJudgement(
          references: reference.events, detections: result.detections,
          ignoreZones: header.ignoreZones, tolerance: margin, duration: header.duration))
    case .presence:
      self =
        header.reference(.presence).map {
          .presence(PresenceQuality($0, detections: result.detections, header: header))
        } ?? .unscored
    case .punch, .drop:
      guard let reference = header.reference(task) else {
        self = .unscored
        return
      }
      let margin =
        tolerance.map { EventTolerance(early: $0, late: $0) } ?? EventTolerance(of: reference)
      self = .events(
        EventJudgement(
          references: reference.events,
          detections: result.detections.filter { $0.kind == task.rawValue },
          ignoreZones: header.ignoreZones, tolerance: margin, duration: header.duration))
    }
  }
}

/// The canonical log of all runs: what two results are compared by.
enum SuiteLog {
  /// A heading line a run, `#entry<tab>trace`, its detections, and a line `=name<tab>value<tab>unit`
  /// for each measurement.
  static func text(_ run: RunRecord) -> String {
    let measurements = run.measurements.map { "=\($0.name)\t\($0.value)\t\($0.unit)\n" }
    return "#\(run.entry)\t\(run.traceID)\n" + DetectionLog.text(run.detections)
      + measurements.joined()
  }

  /// A heading line `@entry`, then an app's events.
  static func text(_ app: AppRecord) -> String {
    "@\(app.entry)\n" + DetectionLog.text(app.events.map(DetectionRecord.init))
  }

  static func texts(_ output: SuiteRunner.Output) -> [String] {
    output.runs.map(text) + output.apps.map(text)
  }

  static func sha256(_ output: SuiteRunner.Output) -> String {
    let digest = SHA256Digest()
    for text in texts(output) { digest.update(text) }
    return digest.finish()
  }
}
