internal import Scoring

/// The metrics of a detector, as the closure of `expect` gets them.
///
/// A metric that the detector's task does not have is a failure that names those it has.
public struct Metrics: Sendable {
  init() {}

  /// A figure by its name in results files, such as `precision_straight`.
  public subscript(name: String) -> Metric { Metric([name]) }

  private subscript(figure: FigureDefinition) -> Metric { Metric([figure.name]) }

  // MARK: Events and visits

  /// The share of the references that were found.
  public var recall: Metric { self[.recall] }
  /// The share of the detections that are right.
  public var precision: Metric { self[.precision] }
  public var f1: Metric { self[.f1] }
  /// The number of references that were not found.
  public var missed: Metric { self[.falseNegatives] }
  /// The number of detections without a reference.
  public var falseAlarms: Metric { self[.falsePositives] }
  /// False alarms, or false visits, per scored hour.
  public var falseAlarmsPerHour: Metric {
    Metric([FigureDefinition.falseAlarmsPerHour, .falseVisitsPerHour].map(\.name))
  }

  // MARK: Times, in s

  /// The median time from an event to its detection.
  public var latencyP50: Metric { self[.latency.p50] }
  /// The time within which 90 % of the detections came.
  public var latencyP90: Metric { self[.latency.p90] }
  /// The median distance of a detection's onset from the true one.
  public var onsetErrorP50: Metric { self[.onsetError.p50] }
  /// The same for 90 % of the detections.
  public var onsetErrorP90: Metric { self[.onsetError.p90] }
  /// The time after which half of the visits were reported; undefined if fewer were.
  public var entryDelayP50: Metric { self[.entryDelay.p50] }
  /// The time after which 90 % of the visits were reported; undefined if fewer were.
  public var entryDelayP90: Metric { self[.entryDelay.p90] }

  // MARK: Tracks

  /// The mean size of the error of the distance in %.
  public var distanceError: Metric { self[.distanceError.meanAbsolute] }
  /// The mean size of the error of the moving time in %.
  public var movingTimeError: Metric { self[.movingTimeError.meanAbsolute] }
  /// The mean size of the error of the pace in %.
  public var paceError: Metric { self[.paceError.meanAbsolute] }
  /// The mean size of the error of the ascent in m.
  public var ascentError: Metric { self[.ascentError.meanAbsolute] }
  /// The median error of split times in s.
  public var splitErrorP50: Metric { self[.splitError.p50] }
  /// The number of splits that were not reported.
  public var missedSplits: Metric { self[.missedSplits] }

  // MARK: Presence

  /// The share of the departures that were reported.
  public var departuresFound: Metric { self[.departuresFound] }
  /// The time in s after which half of the departures were reported; undefined if fewer were.
  public var detectionTimeP50: Metric { self[.detectionTime.p50] }
  /// The same for 90 % of the departures.
  public var detectionTimeP90: Metric { self[.detectionTime.p90] }
  /// The number of times that a present peer was reported as absent.
  public var mistakes: Metric { self[.mistakes] }
  public var mistakesPerHour: Metric { self[.mistakesPerHour] }
}

/// A metric, which a comparison with a number makes an expectation.
public struct Metric: Hashable, Sendable {
  /// What a bound is compared with.
  enum Part: Hashable, Sendable {
    case value
    case lower, upper
    case person
  }

  /// The names of the figure; the first one that the task has counts.
  let names: [String]
  var part = Part.value

  init(_ names: [String]) { self.names = names }

  private func with(_ part: Part) -> Metric {
    var metric = self
    metric.part = part
    return metric
  }

  /// The lower end of the two-sided 95 % interval for new people; it takes three people or more.
  public var lowerForNewPeople: Metric { with(.lower) }
  /// The upper end of the two-sided 95 % interval for new people; it takes three people or more.
  public var upperForNewPeople: Metric { with(.upper) }
  /// The figure of the person for whom it is worst. People for whom it is undefined do not count.
  public var worstPerson: Metric { with(.person) }

  public static func >= (metric: Metric, bound: Double) -> FigureExpectation {
    FigureExpectation(metric: metric, relation: .atLeast, bound: bound)
  }

  public static func <= (metric: Metric, bound: Double) -> FigureExpectation {
    FigureExpectation(metric: metric, relation: .atMost, bound: bound)
  }

  public static func > (metric: Metric, bound: Double) -> FigureExpectation {
    FigureExpectation(metric: metric, relation: .above, bound: bound)
  }

  public static func < (metric: Metric, bound: Double) -> FigureExpectation {
    FigureExpectation(metric: metric, relation: .below, bound: bound)
  }

  public static func == (metric: Metric, bound: Double) -> FigureExpectation {
    FigureExpectation(metric: metric, relation: .equal, bound: bound)
  }
}

public struct FigureExpectation: Hashable, Sendable {
  enum Relation: Sendable {
    case atLeast, atMost, above, below, equal

    var words: String {
      switch self {
      case .atLeast: "at least"
      case .atMost: "at most"
      case .above: "more than"
      case .below: "less than"
      case .equal: "exactly"
      }
    }

    /// False for NaN, and false with a bound that is NaN.
    func holds(_ value: Double, _ bound: Double) -> Bool {
      switch self {
      case .atLeast: value >= bound
      case .atMost: value <= bound
      case .above: value > bound
      case .below: value < bound
      case .equal: value == bound
      }
    }

    /// The one of two values that is farther on the wrong side of the bound.
    func worse(_ first: Double, _ second: Double, than bound: Double) -> Double {
      switch self {
      case .atLeast, .above: min(first, second)
      case .atMost, .below: max(first, second)
      case .equal: (first - bound).magnitude >= (second - bound).magnitude ? first : second
      }
    }
  }

  let metric: Metric
  let relation: Relation
  let bound: Double
}

/// Collects the expectations of a closure, one per line.
@resultBuilder
public enum ExpectationBuilder {
  public typealias Part = [FigureExpectation]

  public static func buildExpression(_ expectation: FigureExpectation) -> Part { [expectation] }
  public static func buildBlock(_ parts: Part...) -> Part { parts.flatMap(\.self) }
  public static func buildOptional(_ part: Part?) -> Part { part ?? [] }
  public static func buildEither(first part: Part) -> Part { part }
  public static func buildEither(second part: Part) -> Part { part }
  public static func buildArray(_ parts: [Part]) -> Part { parts.flatMap(\.self) }
}
