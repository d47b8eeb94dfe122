import AppEngines
import Detectors
import Evaluation
import PageRuns
import Results
import Scoring
import TraceModel
import Tuning

/// The contents of a page without the traces: the model that its script reads. Undefined and infinite
/// numbers are null or absent.
struct PageModel: Encodable {
  struct Run: Encodable {
    var entry: Int
    var trace: Int
    var values: [Double?]
    /// The values of each preset of the detector; null = as the entry states them.
    var presets: [[Double?]?]
    /// The results, where the page cannot run the detector, or compares.
    var stored: Stored?
    /// The results at other thresholds, where the page cannot run the detector.
    var curve: ThresholdCurve?
    /// The results of the base of a comparison; absent = not comparable.
    var before: Stored?
    /// How the detector used the fixes, as a letter (accepted, rejected, skipped) and the length of each
    /// sequence, e.g. `a120r1a30`; absent = not known.
    var uses: String?
    /// The stated tolerance in ns; -1 = the trace's own.
    var early: Int64
    var late: Int64
    /// The tolerance of the run, in seconds.
    var toleranceEarly: Double?
    var toleranceLate: Double?
    var hits: Int?
    var misses: Int?
    var falseAlarms: Int?
    var duplicates: Int?
    var hours: Double?
  }

  /// A run's scored detections and references, with their outcomes as numbers of the module.
  struct Stored: Encodable {
    var onsets: [Double]
    var emitted: [Double]
    var peaks: [Double?]
    /// The places of the detections; absent = no detection has one.
    var places: [Int32?]?
    var outcomes: [Int]
    var references: [Int]
    /// The distance in m and the moving time in s, of a tracker.
    var distance: Double?
    var movingTime: Double?
  }

  struct PageTrace: Encodable {
    var id: String
    var path: String
    var subject: String
    var activity: String
    var device: String
    var origin: String
    var seconds: Double
    /// The name of the element with the packed trace; absent = the page does not have the trace.
    var data: String?
    /// Whether the page has all readings.
    var whole: Bool
    /// The numbers of all and of drawn readings, if the page does not have all.
    var readings: Int?
    var drawn: Int?
    /// The true path in degrees, latitudes and longitudes alternating; absent = not known.
    var truePath: [Double]?
  }

  var schema = "shadowbox-page/1"
  var title: String
  var version: String
  /// Whether the intervals are for new people, or for these people only.
  var isForNewPeople: Bool
  /// See ``Tuning/ChoiceRule/plateauLoss``.
  var plateauLoss: Double
  /// Whether `report --serve` serves the page and stores its labels.
  var isServed = false
  /// The names of the files `base` and `head` of a comparison.
  var comparison: JSONObject?
  var entries: [JSONObject] = []
  var runs: [Run] = []
  var traces: [PageTrace] = []
  var apps: [JSONObject] = []
}

extension AnyDetector.ParameterInfo {
  var pageField: JSONObject {
    func field(_ kind: String, _ range: ClosedRange<Double>?, _ choices: [String]) -> JSONObject {
      let unit = self.kind.unit.rawValue
      let field: JSONObject = [
        "name": name, "summary": summary, "kind": kind, "unit": unit, "choices": choices,
      ]
      return field.adding("low", range?.lowerBound).adding("high", range?.upperBound)
    }
    return switch kind {
    case .number(_, let range): field("number", range, [])
    case .flag: field("flag", nil, [])
    case .choice(let names): field("choice", nil, names)
    case .profiles: field("profiles", nil, [])
    }
  }
}

extension Figure {
  /// The figure as the page shows it, without undefined members.
  var pageDocument: JSONObject {
    let figure: JSONObject = ["name": name, "unit": unit]
    return figure.adding("value", finite(value)).adding("lower", finite(interval?.lower))
      .adding("upper", finite(interval?.upper))
  }
}

extension PageModel.Run {
  /// - Parameter stated: the tolerance in the suite.
  init(
    _ run: RunRecord, entry: Int, trace: Int, values: [Double?], presets: [[Double?]?],
    stated: Duration?, isStored: Bool
  ) {
    (self.entry, self.trace, self.values, self.presets) = (entry, trace, values, presets)
    (early, late) = (stated?.nanoseconds ?? -1, stated?.nanoseconds ?? -1)
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
  /// For a task that is not scored by events: all detections, without outcomes.
  init(_ run: RunRecord) {
    let outcomes = run.score.eventOutcomes
    let scored =
      outcomes == nil ? run.detections : run.detections.ofKind(run.task.rawValue)
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

extension AppRecord {
  /// - Parameters:
  ///   - number: of the module's detector that reads the people's traces; nil = none.
  ///   - traces: the number of each person's trace; nil = the page has none.
  ///   - others: what the outcomes are compared with, those of this app.
  func pageDocument(
    number: Int?, traces: [Int?], comparedWith others: [OutcomeComparison]
  ) -> JSONObject {
    let document: JSONObject = [
      "name": entry, "summary": app?.summary ?? "", "headline": AppTables.headline(of: self),
      "network": facts.network, "script": facts.script ?? "",
      "people": zip(people, traces).map { person, trace -> JSONObject in
        let own: JSONObject = ["name": person.name, "start": person.start.seconds]
        return own.adding("trace", trace)
      },
      "outcomes": outcomes.inGroups(by: \.name).map { outcomes -> JSONObject in
        let unit = outcomes[0].unit
        // By person, then of the whole run.
        let persons: [Int?] = Array(people.indices) + [nil]
        return [
          "name": outcomes[0].name.replacing("_", with: " "),
          "unit": ["yes", "count"].contains(unit) ? "" : unit,
          "cells": persons.map { person in
            let own = outcomes.first { $0.person?.index == person }
            let pair = others.first { $0.head?.name == own?.name && $0.head?.person == own?.person }
            guard let pair, own != nil, pair.differs else { return own?.shown ?? "" }
            return "\(pair.shown.base) -> \(pair.shown.head)"
          },
        ]
      },
      "events": events.map { event -> JSONObject in
        [
          "time": event.time.seconds, "person": event.person.index, "kind": event.kind,
          "text": event.text,
        ]
      },
    ]
    return document.adding("number", number)
  }
}
