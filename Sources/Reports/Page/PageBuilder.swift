import AppEngines
import Detectors
import Diagnostics
package import Evaluation
import Files
import PageRuns
import Replay
import Results
import Scoring
import TraceModel
import Tuning

package struct PageBuilder {
  /// The most bytes of readings to pack, before compression.
  package static let usualLimit = 100_000_000
  /// The most bytes of further traces, with a part of their readings.
  static let decimatedLimit = 50_000_000

  private let result: SuiteResult
  private let suite: Suite
  private let registry: DetectorRegistry
  private let loader: any TraceLoader
  private let limit: Int
  /// The names of files as the user stated them, by their paths.
  private let names: [String: String]
  private let base: PageBase?
  let module: PageModule
  private var model: PageModel
  /// The packed traces by the names of their elements, in base64.
  private(set) var traces: [(name: String, text: String)] = []
  /// The traces of which the page draws only a part of the readings, because they are too large.
  package private(set) var decimated: [String] = []
  /// The traces that are left out, because even a part is too large.
  package private(set) var leftOut: [String] = []
  /// The files of ``PageModel/traces``, in the same order.
  package private(set) var traceFiles: [String] = []
  private var numbers: [TraceKey: Int] = [:]
  /// The headers of ``PageModel/traces``, as detectors get them.
  private var headers: [TraceHeader] = []
  private var size = 0
  private var decimatedSize = 0
  /// The curves of the runs that the page cannot compute.
  private var curvesToAdd: [CurveTask] = []

  /// A run whose hits and false alarms the page stores by threshold.
  private struct CurveTask: Sendable {
    var run: Int
    var file: String
    var threshold: Double
    var curves: EntryCurves
  }

  /// A trace as the detectors of a channel get it.
  private struct TraceKey: Hashable {
    var file: String
    var path: SignalPath
    var channel: Channel
  }

  /// - Parameters:
  ///   - limit: the most bytes to pack; nil = no limit.
  ///   - comparison: of a base with these results, and the names of both files.
  package init(
    _ result: SuiteResult, of suite: Suite, registry: DetectorRegistry, loader: any TraceLoader,
    version: String, limit: Int?, names: [String: String] = [:],
    comparison: (ResultComparison, base: String, head: String)? = nil, module: PageModule? = nil
  ) throws {
    self.module = module ?? .builtIn
    self.names = names
    base = comparison.map { PageBase($0.0, names: ($0.base, $0.head)) }
    (self.result, self.suite, self.registry, self.loader) = (result, suite, registry, loader)
    self.limit = limit ?? .max
    model = PageModel(
      title: suite.name, version: version, isForNewPeople: result.intervals == .newPeople,
      plateauLoss: ChoiceRule.defaultPlateauLoss)
    model.comparison = base?.files
    for summary in result.summaries {
      let entry = suite.entries.first {
        [$0.name, RunRecord.finalName($0.name)].contains(summary.entry)
      }
      // The phones of an app are shown with the app.
      if let entry { try add(summary, of: entry) }
    }
    for app in result.apps { try add(app) }
  }

  func json(isServed: Bool) throws -> String {
    var model = model
    model.isServed = isServed
    return try PageFile.json(model)
  }

  private mutating func add(_ summary: EntrySummary, of entry: Suite.Entry) throws {
    let detector = try registry.detector(
      named: entry.choice.detector, place: entry.place, relativeTo: Suite.folder(of: suite.path))
    let number = model.entries.count
    let module = PageDetector.reading(detector.channel, like: detector)
    let unlike = base.map { base in summary.runs.count { base.isUnlike($0) } } ?? 0
    // A page has no scripted person who answers prompts.
    let isRepeatable = entry.policy == nil && unlike == 0
    let isRunnable = module?.isType(of: detector) == true && isRepeatable
    let isSettled = summary.entry != entry.name
    let curves = isSettled || base != nil ? nil : EntryCurves(of: entry, detector)
    let threshold = (detector.exactThreshold ?? curves?.parameter).flatMap { name in
      detector.parameters.firstIndex { $0.name == name }
    }
    let presets = detector.presets.map {
      Self.values(detector.parameters(ofPreset: $0.name), of: detector)
    }
    var runs: [Int] = []
    let others = summary.counted.filter { counted in
      !summary.runs.contains { $0.traceID == counted.traceID }
    }
    for run in summary.runs + others {
      let trace = try self.trace(of: run, entry.path, detector.channel)
      // Some values depend on the trace, e.g. whether the detector listens only between actions.
      let own = try detector.presets.map { preset in
        Self.values(
          try detector.parameters(
            of: DetectorChoice(detector: detector.name, preset: preset.name), for: headers[trace]),
          of: detector)
      }
      let isComputed = isRunnable && model.traces[trace].whole
      let values = Self.values(run.parameters, of: detector)
      var shown = PageModel.Run(
        run, entry: number, trace: trace, values: values,
        presets: zip(own, presets).map { $0 == $1 ? nil : $0 },
        stated: entry.tolerance, isStored: !isComputed)
      if model.traces[trace].whole { shown.uses = try uses(of: run, entry, detector) }
      base?.add(to: &shown, of: run)
      if !isComputed, let curves, let threshold, let value = values[threshold],
        run.score.eventCounts != nil
      {
        curvesToAdd.append(
          CurveTask(run: model.runs.count, file: run.tracePath, threshold: value, curves: curves))
      }
      runs.append(model.runs.count)
      model.runs.append(shown)
    }
    let figures = base.flatMap { unlike > 0 ? $0.figures(of: summary) : nil } ?? summary.figures
    let document: JSONObject = [
      "name": summary.entry, "detector": detector.name, "preset": entry.choice.preset,
      "task": detector.task.rawValue, "origin": summary.origin.rawValue, "runs": runs,
      // That of the drawn magnitude; empty = none is drawn.
      "unit": Self.unit(of: detector.channel),
      // Whether the module has this very detector, and nothing else decides what it detects.
      "is_runnable": isRunnable,
      // Whether a module that was built with this detector can run it.
      "is_repeatable": isRepeatable,
      // Whether the figures are those after withdrawals.
      "settled": isSettled,
      // The number of runs for which this program detects something else than a compared file has.
      "unlike": unlike, "fields": detector.parameters.map(\.pageField),
      "presets": zip(detector.presets, presets).map { preset, values -> JSONObject in
        ["name": preset.name, "summary": preset.summary, "values": values]
      },
      "figures": figures.map(\.pageDocument),
      "differences": base?.differences(entry: summary.entry, origin: summary.origin) ?? [],
    ]
    model.entries.append(
      // The module's detector of the same channel, and the main threshold among the fields.
      document.adding("number", module?.rawValue).adding("threshold", threshold)
        .adding("diagnosis", base == nil ? summary.diagnosis?.text : nil))
  }

  /// Evaluates the thresholds of the runs that the page cannot compute. A custom detector may refuse a
  /// threshold: the page then lacks the curve of that trace, with a warning.
  package mutating func addCurves(threads: Int, observer: any WorkObserver) async throws {
    guard !curvesToAdd.isEmpty else { return }
    let (tasks, loader, done) = (curvesToAdd, loader, Counter())
    let found = try await parallelMap(tasks, threads: threads) {
      task -> Result<ThresholdCurve, any Error> in
      defer { observer.progress(done.next(), of: tasks.count, "curves") }
      do {
        return .success(
          try await task.curves.curve(of: task.file, around: task.threshold, loader: loader))
      } catch let error as CancellationError {
        throw error
      } catch {
        return .failure(error)
      }
    }
    observer.endProgress()
    var refused: [String] = []
    for (task, curve) in zip(tasks, found) {
      switch curve {
      case .success(let curve): model.runs[task.run].curve = curve
      case .failure(let error): refused.append("\(error)")
      }
    }
    if let first = refused.first {
      observer.warn(
        "warning: the page lacks other thresholds of \(counted(refused.count, "run")): \(first)")
    }
    curvesToAdd = []
  }

  private mutating func add(_ app: AppRecord) throws {
    let entry = suite.apps.first { $0.name == app.entry }
    let simulation = app.app
    let module = PageDetector.allCases.first { $0.channel == simulation?.channel }
    let runs = result.runs.filter { $0.entry == app.entry }
    let traces = try app.people.map { person -> Int? in
      guard let run = runs.first(where: { $0.traceID == person.traceID }), let entry,
        let channel = simulation?.channel
      else { return nil }
      return try trace(of: run, entry.path, channel)
    }
    model.apps.append(
      app.pageDocument(
        number: module?.rawValue, traces: traces, comparedWith: base?.outcomes(of: app.entry) ?? [])
    )
  }

  private static func unit(of channel: Channel) -> String {
    switch channel {
    case .acceleration, .userAcceleration: ParameterUnit.metersPerSecondSquared.rawValue
    case .rotationRate: "rad/s"
    default: ""
    }
  }

  private static func values(
    _ parameters: [ResolvedParameter], of detector: AnyDetector
  ) -> [Double?] { detector.pageValues(parameters).map { $0.isNaN ? nil : $0 } }

  /// Returns the number of a run's trace, which is packed at first use.
  private mutating func trace(
    of run: RunRecord, _ path: SignalPath, _ channel: Channel
  ) throws -> Int {
    let key = TraceKey(file: run.tracePath, path: path, channel: channel)
    if let number = numbers[key] { return number }
    let number = model.traces.count
    numbers[key] = number
    let loaded = try loader.load(run.tracePath)
    var trace = PageModel.PageTrace(
      id: run.traceID, path: names[run.tracePath] ?? run.tracePath, subject: run.subject,
      activity: run.activity, device: loaded.trace.header.device, origin: run.origin.rawValue,
      seconds: Double(run.duration.nanoseconds) / 1e9, data: nil, whole: true)
    let signal = path.apply(to: loaded.trace, for: channel)
    headers.append(signal.trace.header)
    traceFiles.append(run.tracePath)
    if channel == .location { trace.truePath = signal.trace.header.track.map(Self.path) }
    if module.hasOwnDetector || PageDetector.allCases.contains(where: { $0.channel == channel }) {
      var bytes = PackedTrace.bytes(of: signal.trace, channels: channels(with: channel))
      var isThere = size + bytes.count <= limit
      if isThere {
        size += bytes.count
      } else if let drawn = Decimation.decimated(signal.trace, channel) {
        bytes = PackedTrace.bytes(of: drawn, channels: [channel])
        isThere = decimatedSize + bytes.count <= Self.decimatedLimit
        (trace.readings, trace.drawn) = (signal.trace[channel]?.count, drawn[channel]?.count)
      }
      trace.whole = trace.drawn == nil
      if isThere {
        if !trace.whole {
          decimatedSize += bytes.count
          decimated.append(run.traceID)
        }
        trace.data = "trace-\(number)"
        let packed = try GzipOutput.packed(bytes, name: run.tracePath)
        traces.append(("trace-\(number)", PageFile.base64(packed)))
      } else {
        trace.whole = false
        leftOut.append(run.traceID)
      }
    }
    model.traces.append(trace)
    return number
  }

  /// The most points of a true path; a map shows no more.
  private static let pathLimit = 3000

  private static func path(_ track: ReferenceTrack) -> [Double] {
    let step = max(1, (track.times.count + pathLimit - 1) / pathLimit)
    // A tenth of a metre.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
    return track.times.indices.filter { $0 % step == 0 || $0 == track.times.count - 1 }
      .filter { Geodesy.isValid(latitude: track.latitudes[$0], longitude: track.longitudes[$0]) }
      .flatMap { [rounded(track.latitudes[$0]), rounded(track.longitudes[$0])] }
  }

  /// How the detector used the fixes, see ``PageModel/Run/uses``.
  private func uses(
    of run: RunRecord, _ entry: Suite.Entry, _ detector: AnyDetector
  ) throws -> String? {
    guard detector.channel == .location else { return nil }
    let signal = entry.path.apply(to: try loader.load(run.tracePath).trace, for: detector.channel)
    let found = try detector.fixRun(
      entry.choice, on: signal.trace, options: RunOptions(policy: entry.policy))
    guard let uses = found.uses else { return nil }
    var text = ""
    var first = uses.startIndex
    while first < uses.endIndex {
      let last = uses[first...].firstIndex { $0 != uses[first] } ?? uses.endIndex
      text += "\(uses[first].rawValue.prefix(1))\(last - first)"
      first = last
    }
    return text
  }

  /// The channels that the detectors of the suite with this channel read, so that a trace is packed once.
  private func channels(with channel: Channel) -> [Channel] {
    var channels = Set([channel, .action])
    for entry in suite.entries {
      guard
        let other = try? registry.detector(
          named: entry.choice.detector, relativeTo: Suite.folder(of: suite.path)),
        other.channel == channel
      else { continue }
      channels.formUnion(other.companions)
    }
    return channels.sorted()
  }
}

extension PageDetector {
  /// The detector of the module for a channel, preferably with the same name.
  fileprivate static func reading(_ channel: Channel, like detector: AnyDetector) -> PageDetector? {
    let reading = allCases.filter { $0.channel == channel }
    return reading.first { $0.name == detector.name } ?? reading.first
  }

  /// Whether a detector has this type: a custom one may have the same name.
  fileprivate func isType(of detector: AnyDetector) -> Bool {
    let own: ObjectIdentifier =
      switch self {
      case .punch: ObjectIdentifier(PunchDetector.self)
      case .checkIn: ObjectIdentifier(CheckInDetector.self)
      case .track: ObjectIdentifier(TrackDetector.self)
      case .presence: ObjectIdentifier(PresenceDetector.self)
      case .tileDrag: ObjectIdentifier(TileDragDetector.self)
      }
    return detector.type == own
  }
}
