import AppEngines
import Diagnostics
package import Evaluation
import Scoring

/// Gauges in the OpenMetrics text format 1.0. Names end in a base unit: seconds, meters, ratio. Samples
/// have no times.
struct OpenMetrics {
  private struct Family {
    var name: String
    var unit: String
    var help: String
    var samples: [(labels: [(String, String)], value: Double)] = []
  }

  private var families: [Family] = []

  init(_ add: (inout OpenMetrics) -> Void = { _ in }) { add(&self) }

  /// Adds a defined sample. The samples of a name are one family, in the order of first use.
  /// - Parameter unit: in UDUNITS.
  mutating func add(
    _ name: String, unit: String = "", help: String, _ labels: [(String, String)], _ value: Double?
  ) {
    guard let value, value.isFinite else { return }
    let (word, factor, divisor) = Self.baseUnit(unit, of: name)
    let base = Self.identifier("shadowbox_" + name)
    let full = word.isEmpty || base.hasSuffix("_" + word) ? base : base + "_" + word
    let index = families.firstIndex { $0.name == full } ?? families.endIndex
    if index == families.endIndex { families.append(Family(name: full, unit: word, help: help)) }
    families[index].samples.append((labels, value * factor / divisor))
  }

  var text: String { families.map(Self.text).joined() + "# EOF\n" }

  private static func text(_ family: Family) -> String {
    var text = "# TYPE \(family.name) gauge\n"
    if !family.unit.isEmpty { text += "# UNIT \(family.name) \(family.unit)\n" }
    text += "# HELP \(family.name) \(escaped(family.help))\n"
    for sample in family.samples {
      let labels = sample.labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
      text += family.name + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
    }
    return text
  }

  /// Returns a text with the escapes of the format. Control characters are allowed, but break lines in
  /// other programs.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default:
        let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        let isBreak = scalar.value == 0x2028 || scalar.value == 0x2029
        result +=
          isControl || isBreak ? "\\\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
      }
    }
  }

  private static func identifier(_ name: String) -> String {
    String(
      name.unicodeScalars.map { scalar in
        let isAllowed =
          ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
          || ("0"..."9").contains(scalar) || scalar == "_"
        return isAllowed ? Character(scalar) : "_"
      })
  }

  private typealias BaseUnit = (name: String, factor: Double, divisor: Double)

  private static let baseUnits: [String: BaseUnit] = [
    "%": ("ratio", 1, 100), "s": ("seconds", 1, 1), "ns": ("seconds", 1, 1e9),
    "m": ("meters", 1, 1), "h": ("seconds", 3600, 1), "s/mi": ("seconds_per_meter", 1, 1609.344),
    "m s-2": ("meters_per_second_squared", 1, 1), "m h-1": ("meters_per_hour", 1, 1),
    "h-1": ("per_hour", 1, 1), "d-1": ("per_day", 1, 1),
  ]

  private static func baseUnit(_ unit: String, of name: String) -> BaseUnit {
    let isProportion =
      unit == "1"
      && FigureCatalogue.compared.contains {
        $0.kind == .proportion && (name == $0.name || name.hasPrefix($0.name + "_"))
      }
    return isProportion ? ("ratio", 1, 1) : baseUnits[unit] ?? ("", 1, 1)
  }
}

extension MeasuredResults {
  /// The figures of each entry as OpenMetrics, without the commit: with a label that always changes,
  /// every metric would be new.
  package var openMetrics: String { OpenMetrics(add(to:)).text }

  fileprivate func add(to metrics: inout OpenMetrics) {
    metrics.add("runs", help: "Runs of an entry on a trace.", [], Double(runs.count))
    for entry in entryFigures {
      let labels = [("entry", entry.name), ("origin", entry.origin)]
      metrics.add(
        "detections", help: "Detections of all runs.", labels, Double(entry.detections.head))
      for figure in entry.figures { Self.add(figure, labels, to: &metrics) }
    }
    for app in apps {
      for outcome in app.outcomes {
        let person = app.person(of: outcome)
        metrics.add(
          "outcome_" + outcome.name, unit: outcome.unit,
          help: "\(outcome.name) of an app, of a person or the whole run.",
          [("entry", app.entry), ("origin", app.origin)]
            + (person.isEmpty ? [] : [("person", person)]), outcome.judged)
      }
    }
    for speed in speeds {
      metrics.add(
        "sample_time", unit: "ns", help: "Time of the detector per sample.",
        [("entry", speed.entry), ("origin", speed.origin)], speed.nanosecondsPerSample.value)
    }
  }

  private static func add(
    _ figure: FigureComparison, _ labels: [(String, String)], to metrics: inout OpenMetrics
  ) {
    let name = figure.name
    let what = figure.isMeanOverPeople ? "The mean over people of \(name)." : nil
    metrics.add(
      name, unit: figure.unit, help: what ?? "\(name) of an entry over its traces.", labels,
      figure.head)
    let estimate = figure.headEstimate
    let population = estimate.method?.population
    let interval = population == nil ? nil : estimate.interval
    // Not always: a further label makes a new metric.
    let whom =
      population == .thesePeople
      ? [("population", IntervalMethod.Population.thesePeople.rawValue)] : []
    let ends = [("lower", interval?.lower), ("upper", interval?.upper)]
    // The unit comes after the end.
    let stem = name.hasSuffix("_per_hour") ? String(name.dropLast("_per_hour".count)) : name
    for (end, value) in ends {
      metrics.add(
        "\(stem)_\(end)", unit: figure.unit,
        help: "The \(end) end of the 95 % interval of \(name) for new people, or these people "
          + "where population says so.", labels + whom, value)
    }
  }
}

extension GateReport {
  package var openMetrics: String {
    OpenMetrics { metrics in
      for verdict in GateVerdict.allCases {
        metrics.add(
          "gate_checks", help: "Checks of the gate with a verdict.",
          [("verdict", verdict.rawValue)], Double(checks.count { $0.verdict == verdict }))
      }
      comparison.add(to: &metrics)
    }.text
  }
}

extension ResultComparison {
  package var openMetrics: String { OpenMetrics(add(to:)).text }

  fileprivate func add(to metrics: inout OpenMetrics) {
    for entry in entries {
      let labels = [("entry", entry.name), ("origin", entry.origin)]
      let flips = traces(of: entry).flatMap(\.list.flips)
      for kind in Flip.Kind.allCases {
        metrics.add(
          "flips", help: "Detections that differ between base and head.",
          labels + [("kind", kind.rawValue)], Double(flips.count { $0.kind == kind }))
      }
      metrics.add(
        "lost_references", help: "References that the base finds and the head misses.", labels,
        Double(entry.lostReferences.count))
    }
    head.add(to: &metrics)
  }
}
