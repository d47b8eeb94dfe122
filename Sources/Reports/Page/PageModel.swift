import Detectors
import Evaluation
import PageRuns
import Scoring
import TraceModel
import Tuning

/// What a page shows, without the traces: the model that its script reads. Keys are as in
/// JSON; numbers that are undefined or not finite are null.
struct PageModel: Encodable {
  struct Field: Encodable {
    var name: String
    var summary: String
    var kind: String
    var unit: String
    var low: Double?
    var high: Double?
    var choices: [String]
  }

  struct Preset: Encodable {
    var name: String
    var summary: String
    var values: [Double?]
  }

  struct PageFigure: Encodable {
    var name: String
    var value: Double?
    var lower: Double?
    var upper: Double?
    var unit: String
    var count: Int?
    var clusters: Int?
    var method: String?
  }

  struct Entry: Encodable {
    var name: String
    var detector: String
    var preset: String
    var task: String
    /// That of the magnitude which is drawn; empty = there is none.
    var unit: String
    /// The detector of the module that reads the same channel, by its number; null = there is none.
    var number: Int?
    /// Whether the module has this very detector, and nothing else decides what it detects.
    var isRunnable: Bool
    /// Whether nothing but the detector decides what it detects, as a scripted person does: a module that
    /// was built with this detector can run it.
    var isRepeatable: Bool
    /// Whether the figures are of what stays after withdrawals.
    var settled: Bool
    var origin: String
    var fields: [Field]
    /// The place of the main threshold among the fields.
    var threshold: Int?
    /// Of a comparison: how many runs this program repeats with other detections than the file has.
    var unlike: Int
    var presets: [Preset]
    var figures: [PageFigure]
    /// Against the base, where two results are compared.
    var differences: [Difference]
    var runs: [Int]
  }

  /// A figure of two results, head less base.
  struct Difference: Encodable {
    var name: String
    var base: Double?
    var head: Double?
    var lower: Double?
    var upper: Double?
    /// The probability of so large a difference if nothing had changed, adjusted for all figures.
    var p: Double?
  }

  /// The files of two results.
  struct Comparison: Encodable {
    var base: String
    var head: String
  }

  struct Run: Encodable {
    var entry: Int
    var trace: Int
    var values: [Double?]
    /// The values of each preset of the detector; null = those that the entry states for it.
    var presets: [[Double?]?]
    /// What it gave, where the page cannot run the detector, or compares.
    var stored: Stored?
    /// What other thresholds give, where the page cannot run the detector.
    var curve: ThresholdCurve?
    /// What the base gave, where two results are compared; null = it cannot be compared.
    var before: Stored?
    /// What the detector made of each fix, as it was run: a letter (accepted, rejected, skipped) and how
    /// many follow each other, e.g. `a120r1a30`; null = it does not tell.
    var uses: String?
    /// The stated tolerance in ns; -1 = the trace's own.
    var early: Int64
    var late: Int64
    /// The tolerance as it was used, in seconds.
    var toleranceEarly: Double?
    var toleranceLate: Double?
    var hits: Int?
    var misses: Int?
    var falseAlarms: Int?
    var duplicates: Int?
    var hours: Double?
  }

  /// A run's scored detections and references, with the numbers of the module's outcomes.
  struct Stored: Encodable {
    var onsets: [Double]
    var emitted: [Double]
    var peaks: [Double?]
    /// Those that the detections refer to; null = no detection refers to one.
    var places: [Int32?]?
    var outcomes: [Int]
    var references: [Int]
    /// Of a tracker: distance in m and moving time in s.
    var distance: Double?
    var movingTime: Double?
  }

  /// An app with its people: what happened on each phone, and how it ended.
  struct App: Encodable {
    struct Person: Encodable {
      var name: String
      /// The number of the trace; null = the page has none.
      var trace: Int?
      /// The trace's zero on the axis of the run, in s.
      var start: Double
    }

    struct Outcome: Encodable {
      var name: String
      var unit: String
      /// By person, then of the whole run; empty = there is none.
      var cells: [String]
    }

    struct Event: Encodable {
      var time: Double
      var person: Int
      var kind: String
      var text: String
    }

    var name: String
    var summary: String
    /// E.g. `winner sim01`.
    var headline: String
    var network: String
    var script: String
    /// The detector of the module that reads the people's traces; null = there is none.
    var number: Int?
    var people: [Person]
    var outcomes: [Outcome]
    var events: [Event]
  }

  struct PageTrace: Encodable {
    var id: String
    var path: String
    var subject: String
    var activity: String
    var device: String
    var origin: String
    var seconds: Double
    /// The name of the element with the packed trace; null = it is not in the page.
    var data: String?
    /// Whether it has all readings.
    var whole: Bool
    /// Else how many there are, and how many of them are drawn.
    var readings: Int?
    var drawn: Int?
    /// The true path in degrees, latitude and longitude in turn; null = it is not known.
    var truePath: [Double]?
  }

  var schema = "shadowbox-page/1"
  var title: String
  var version: String
  /// Whether the intervals are about new people, or about these only.
  var isForNewPeople: Bool
  /// What a plateau may lose, see ``Tuning/ChoiceRule/plateauLoss``.
  var plateauLoss: Double
  /// Whether `report --serve` gives the page and takes its labels.
  var isServed = false
  /// Null = one result alone.
  var comparison: Comparison?
  var entries: [Entry] = []
  var runs: [Run] = []
  var traces: [PageTrace] = []
  var apps: [App] = []
}

extension PageModel.Field {
  init(_ info: AnyDetector.ParameterInfo) {
    (name, summary, unit) = (info.name, info.summary, info.kind.unit.rawValue)
    (low, high, choices) = (nil, nil, [])
    switch info.kind {
    case .number(_, let range): (kind, low, high) = ("number", range.lowerBound, range.upperBound)
    case .flag: kind = "flag"
    case .choice(let names): (kind, choices) = ("choice", names)
    case .profiles: kind = "profiles"
    }
  }
}

extension PageModel.PageFigure {
  init(_ figure: Figure) {
    func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }
    (name, unit) = (figure.name, figure.unit)
    value = finite(figure.value)
    (lower, upper) = (finite(figure.interval?.lower), finite(figure.interval?.upper))
    (count, clusters) = (figure.estimate.count, figure.estimate.clusters)
    method = figure.estimate.method?.rawValue
  }
}

extension PageModel.Run {
  /// - Parameters:
  ///   - presets: see ``presets``.
  ///   - stated: the tolerance that the suite states.
  ///   - isStored: whether the page has what the run gave.
  init(
    _ run: RunRecord, entry: Int, trace: Int, values: [Double?], presets: [[Double?]?],
    stated: Duration?, isStored: Bool
  ) {
    (self.entry, self.trace, self.values, self.presets) = (entry, trace, values, presets)
    early = stated.map(\.nanoseconds) ?? -1
    late = early
    let used = run.score.eventOutcomes?.tolerance
    toleranceEarly = used.map { Double($0.early.nanoseconds) / 1e9 }
    toleranceLate = used.map { Double($0.late.nanoseconds) / 1e9 }
    let counted = run.score.eventCounts
    (hits, misses) = (counted?.counts.truePositives, counted?.counts.falseNegatives)
    (falseAlarms, duplicates) = (counted?.counts.falsePositives, counted?.duplicates)
    hours = counted.map { Double($0.scoredNanoseconds) / 3.6e12 }
    stored = isStored ? PageModel.Stored(run) : nil
  }
}

extension PageModel.Stored {
  /// Of a task that is not scored by events, all detections, without outcomes.
  init(_ run: RunRecord) {
    let outcomes = run.score.eventOutcomes
    let scored =
      outcomes == nil
      ? run.detections : run.detections.filter { $0.kind == run.task.rawValue }
    onsets = scored.map(\.onset.seconds)
    emitted = scored.map(\.emitted.seconds)
    peaks = scored.map { $0.value.isFinite ? $0.value : nil }
    places = Self.places(of: scored)
    self.outcomes = (outcomes?.detections ?? []).map {
      DetectionOutcome.allCases.firstIndex(of: $0) ?? 0
    }
    references = (outcomes?.references ?? []).map {
      ReferenceOutcome.allCases.firstIndex(of: $0) ?? 0
    }
    func measured(_ task: ReferenceTask) -> Double? {
      run.measurements.first { $0.name == task.rawValue }?.value
    }
    (distance, movingTime) = (measured(.distance), measured(.movingTime))
  }

  static func places(of detections: [DetectionRecord]) -> [Int32?]? {
    detections.contains { $0.place != nil } ? detections.map(\.place) : nil
  }
}
