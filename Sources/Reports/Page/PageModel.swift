import Detectors
import Evaluation
import PageRuns
import Scoring
import TraceModel

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
    /// The number of the detector in the module; null = the page cannot run it.
    var page: Int?
    /// The same, to draw what it reads, also where it cannot be run.
    var view: Int?
    /// Whether the figures are of what stays after withdrawals.
    var settled: Bool
    var origin: String
    var fields: [Field]
    /// The place of the main threshold among the fields.
    var threshold: Int?
    var presets: [Preset]
    var figures: [PageFigure]
    var runs: [Int]
  }

  struct Run: Encodable {
    var entry: Int
    var trace: Int
    var values: [Double?]
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
  }

  var schema = "shadowbox-page/1"
  var title: String
  var version: String
  var entries: [Entry] = []
  var runs: [Run] = []
  var traces: [PageTrace] = []
}

// MARK: Parts of the model

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
  /// - Parameter stated: the tolerance that the suite states.
  init(_ run: RunRecord, entry: Int, trace: Int, values: [Double], stated: Duration?) {
    (self.entry, self.trace) = (entry, trace)
    self.values = values.map { $0.isNaN ? nil : $0 }
    let tolerance = stated.map(\.nanoseconds) ?? -1
    (early, late) = (tolerance, tolerance)
    (toleranceEarly, toleranceLate) = (nil, nil)
    (hits, misses, falseAlarms, duplicates, hours) = (nil, nil, nil, nil, nil)
    let used = run.score.eventOutcomes?.tolerance
    toleranceEarly = used.map { Double($0.early.nanoseconds) / 1e9 }
    toleranceLate = used.map { Double($0.late.nanoseconds) / 1e9 }
    switch run.score {
    case .events(let judgement):
      add(
        judgement.score.counts, duplicates: judgement.score.duplicates,
        nanoseconds: judgement.score.scoredNanoseconds)
    case .visits(let judgement):
      add(
        judgement.score.counts, duplicates: judgement.detectionOutcomes.count { $0 == .duplicate },
        nanoseconds: judgement.score.scoredNanoseconds)
    case .track, .presence, .count, .unscored: break
    }
  }

  private mutating func add(_ counts: EventCounts, duplicates: Int, nanoseconds: Int64) {
    (hits, misses) = (counts.truePositives, counts.falseNegatives)
    (falseAlarms, self.duplicates) = (counts.falsePositives, duplicates)
    hours = Double(nanoseconds) / 3.6e12
  }
}
