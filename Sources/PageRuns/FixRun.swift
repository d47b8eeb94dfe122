public import Detectors
public import Replay
public import TraceModel

/// What a detector made of a position fix.
public enum FixUse: String, CaseIterable, Sendable {
  case accepted
  /// Its position, accuracy or time is refused.
  case rejected
  /// Valid, but in a pause or within the distance filter.
  case skipped
}

/// A run of a detector of positions, with what it made of each fix.
public struct FixRun: Sendable {
  /// The detections, as a run without this returns them.
  public var detections: [DetectionRecord]
  public var measurements: [Measurement]
  /// One per fix, in the order of the channel; nil = the detector does not report it.
  public var uses: [FixUse]?
  /// The places, each with the radius that the detector uses; NaN = none.
  public var places: [Place]

  public init(
    detections: [DetectionRecord], measurements: [Measurement], uses: [FixUse]?, places: [Place]
  ) {
    (self.detections, self.measurements) = (detections, measurements)
    (self.uses, self.places) = (uses, places)
  }

  public static func run(
    _ parameters: TrackDetector.Parameters, on trace: Trace, options: RunOptions = RunOptions()
  ) throws(TraceError) -> FixRun {
    try FixWatch<TrackJudge>.run(parameters, on: trace, options: options)
  }

  public static func run(
    _ parameters: CheckInDetector.Parameters, on trace: Trace, options: RunOptions = RunOptions()
  ) throws(TraceError) -> FixRun {
    try FixWatch<CheckInJudge>.run(parameters, on: trace, options: options)
  }
}

/// Finds out what a detector makes of each fix, from the state that the detector shows.
private protocol FixJudge: Sendable {
  associatedtype Judged: Detector where Judged.Input == Fix

  init(_ parameters: Judged.Parameters, places: [Place])

  var detector: Judged { get set }

  mutating func ingest(
    _ fix: Fix, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Judged.Event>]
  ) -> FixUse

  /// The radius of a place in metres that the detector uses.
  static func radius(of place: Place, _ parameters: Judged.Parameters) -> Double
}

/// The track counts the fixes that it accepts and those that it refuses.
private struct TrackJudge: FixJudge {
  var detector: TrackDetector

  init(_ parameters: TrackDetector.Parameters, places: [Place]) {
    detector = TrackDetector(parameters, places: places)
  }

  mutating func ingest(
    _ fix: Fix, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<TrackEvent>]
  ) -> FixUse {
    let (accepted, refused) = (detector.acceptedCount, detector.refusedCount)
    detector.ingest(fix, measured: measured, arrived: arrived, into: &detections)
    if detector.acceptedCount > accepted { return .accepted }
    return detector.refusedCount > refused ? .rejected : .skipped
  }

  static func radius(of place: Place, _ parameters: TrackDetector.Parameters) -> Double {
    place.radius
  }
}

/// The check-in does not read the altitude, which therefore carries the number of the fix.
private struct CheckInJudge: FixJudge {
  var detector: CheckInDetector
  /// The same detector without distance filter and places: it accepts every valid fix.
  private var unfiltered: CheckInDetector
  private var count = 0.0

  init(_ parameters: CheckInDetector.Parameters, places: [Place]) {
    detector = CheckInDetector(parameters, places: places)
    var open = parameters
    open.distanceFilter = 0
    unfiltered = CheckInDetector(open, places: [])
  }

  mutating func ingest(
    _ fix: Fix, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<CheckInEvent>]
  ) -> FixUse {
    var fix = fix
    fix.altitude = count
    count += 1
    detector.ingest(fix, measured: measured, arrived: arrived, into: &detections)
    if detector.lastFix?.altitude == fix.altitude { return .accepted }
    var none: [Detection<CheckInEvent>] = []
    unfiltered.ingest(fix, measured: measured, arrived: arrived, into: &none)
    return unfiltered.lastFix?.altitude == fix.altitude ? .skipped : .rejected
  }

  static func radius(of place: Place, _ parameters: CheckInDetector.Parameters) -> Double {
    parameters.usesPlaceRadius && !place.radius.isNaN ? place.radius : parameters.radius
  }
}

/// Reports the events of a detector and where the use of fixes changes, within the same run.
private struct FixWatch<Judge: FixJudge>: Detector {
  typealias Input = Fix
  typealias Parameters = Judge.Judged.Parameters

  enum Event: DetectionEvent {
    case own(Judge.Judged.Event)
    /// From the fix with this number on.
    case use(FixUse, from: Int)

    static var useKind: String { "fix use" }

    private var event: Judge.Judged.Event? {
      if case .own(let event) = self { event } else { nil }
    }

    var kind: String { event?.kind ?? Self.useKind }
    var label: String {
      switch self {
      case .own(let event): event.label
      case .use(let use, _): use.rawValue
      }
    }
    var originalLabel: String { event?.originalLabel ?? label }
    var place: Int32? { event?.place }
    var score: Double? { event?.score }
    var value: Double {
      switch self {
      case .own(let event): event.value
      case .use(_, let number): Double(number)
      }
    }
  }

  static var name: String { Judge.Judged.name }
  static var channel: Channel { Judge.Judged.channel }
  static var task: ReferenceTask { Judge.Judged.task }
  static var parameterFields: [ParameterField<Parameters>] { Judge.Judged.parameterFields }
  static var presets: [DetectorPreset<Parameters>] { Judge.Judged.presets }

  private var judge: Judge
  private var count = 0
  private var use: FixUse?
  private var own: [Detection<Judge.Judged.Event>] = []

  init(_ parameters: Parameters, places: [Place]) { judge = Judge(parameters, places: places) }

  mutating func ingest(
    _ fix: Fix, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Event>]
  ) {
    let use = judge.ingest(fix, measured: measured, arrived: arrived, into: &own)
    pass(to: &detections)
    if use != self.use {
      detections.append(
        Detection(
          onset: measured, emitted: arrived, newestMeasured: measured,
          event: .use(use, from: count)))
    }
    self.use = use
    count += 1
  }

  mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>]
  ) {
    judge.detector.handle(action, at: time, into: &own)
    pass(to: &detections)
  }

  mutating func finish(at end: TraceInstant, into detections: inout [Detection<Event>]) {
    judge.detector.finish(at: end, into: &own)
    pass(to: &detections)
  }

  var measurements: [Measurement] { judge.detector.measurements }

  private mutating func pass(to detections: inout [Detection<Event>]) {
    guard !own.isEmpty else { return }
    for detection in own {
      detections.append(
        Detection(
          onset: detection.onset, emitted: detection.emitted,
          newestMeasured: detection.newestMeasured, event: .own(detection.event)))
    }
    own.removeAll(keepingCapacity: true)
  }

  static func run(
    _ parameters: Parameters, on trace: Trace, options: RunOptions
  ) throws(TraceError) -> FixRun {
    let result = try VirtualRun<Self>.run(parameters, on: MemorySource(trace), options: options)
    var uses: [FixUse] = []
    uses.reserveCapacity(result.readings)
    for record in result.detections where record.kind == Event.useKind {
      extend(&uses, to: Int(record.value))
      if let use = FixUse(rawValue: record.label) { uses.append(use) }
    }
    extend(&uses, to: result.readings)
    var places = trace.header.places
    for index in places.indices {
      places[index].radius = Judge.radius(of: places[index], parameters)
    }
    return FixRun(
      detections: result.detections.filter { $0.kind != Event.useKind },
      measurements: result.measurements.values.first ?? [], uses: uses, places: places)
  }

  private static func extend(_ uses: inout [FixUse], to count: Int) {
    guard let last = uses.last, uses.count < count else { return }
    uses.append(contentsOf: repeatElement(last, count: count - uses.count))
  }
}
