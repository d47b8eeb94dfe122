import Diagnostics
package import Evaluation
import Scoring

/// Gauges in the OpenMetrics text format 1.0.
///
/// Names end in their unit, a base unit: seconds, meters, ratio. Samples have no times. What is
/// undefined has no sample.
struct OpenMetrics {
  private struct Family {
    var name: String
    var unit: String
    var help: String
    var samples: [(labels: [(String, String)], value: Double)] = []
  }

  private var families: [Family] = []

  /// Adds a sample. The samples of a name become one family, in the order of the first.
  ///
  /// - Parameters:
  ///   - name: without prefix and unit.
  ///   - unit: in UDUNITS.
  mutating func add(
    _ name: String, unit: String = "", help: String, _ labels: [(String, String)],
    _ value: Double?
  ) {
    guard let value, value.isFinite else { return }
    let (word, converted) = Self.baseUnit(unit, of: name)
    let base = Self.identifier("shadowbox_" + name)
    let full = word.isEmpty || base.hasSuffix("_" + word) ? base : base + "_" + word
    let index = families.firstIndex { $0.name == full } ?? families.endIndex
    if index == families.endIndex {
      families.append(Family(name: full, unit: word, help: help))
    }
    families[index].samples.append((labels, converted(value)))
  }

  /// The text, which ends with `# EOF`.
  var text: String {
    families.map(Self.text).joined() + "# EOF\n"
  }

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

  /// Returns a text with the escapes of the format. Control characters, which it allows, would break
  /// lines in other programs.
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
          isControl || isBreak
          ? "\\\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
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

  /// The base unit of a figure, and the conversion into it.
  private static func baseUnit(
    _ unit: String, of name: String
  ) -> (name: String, convert: (Double) -> Double) {
    switch unit {
    case "1":
      let isProportion = FigureCatalogue.compared.contains {
        $0.kind == .proportion && (name == $0.name || name.hasPrefix($0.name + "_"))
      }
      return (isProportion ? "ratio" : "", { $0 })
    case "%": return ("ratio", { $0 / 100 })
    case "s": return ("seconds", { $0 })
    case "ns": return ("seconds", { $0 / 1e9 })
    case "m": return ("meters", { $0 })
    case "h": return ("seconds", { $0 * 3600 })
    case "s/mi": return ("seconds_per_meter", { $0 / 1609.344 })
    case "m s-2": return ("meters_per_second_squared", { $0 })
    case "m h-1": return ("meters_per_hour", { $0 })
    case "h-1": return ("per_hour", { $0 })
    case "d-1": return ("per_day", { $0 })
    default: return ("", { $0 })
    }
  }
}

extension MeasuredResults {
  /// The figures of each entry as OpenMetrics. The commit is left out: a label that always changes
  /// would make every metric a new one.
  package var openMetrics: String {
    var metrics = OpenMetrics()
    add(to: &metrics)
    return metrics.text
  }

  fileprivate func add(to metrics: inout OpenMetrics) {
    metrics.add("runs", help: "Runs of an entry on a trace.", [], Double(runs.count))
    for entry in entryFigures {
      let labels = [("entry", entry.name), ("origin", entry.origin)]
      metrics.add(
        "detections", help: "Detections of all runs.", labels, Double(entry.detections.head))
      for figure in entry.figures { Self.add(figure, labels, to: &metrics) }
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
    let interval = estimate.interval
    // A label only where it is needed: it would make every metric a new one.
    let population = estimate.method?.population
    let whom =
      population == .thesePeople
      ? [("population", IntervalMethod.Population.thesePeople.rawValue)] : []
    let ends = [("lower", interval?.lower), ("upper", interval?.upper)]
    // The unit follows the end.
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
  /// The figures of the head as OpenMetrics, and the counts of the gate.
  package var openMetrics: String {
    var metrics = OpenMetrics()
    for verdict in GateVerdict.allCases {
      metrics.add(
        "gate_checks", help: "Checks of the gate with a verdict.",
        [("verdict", verdict.rawValue)], Double(checks.count { $0.verdict == verdict }))
    }
    comparison.addFlips(to: &metrics)
    comparison.head.add(to: &metrics)
    return metrics.text
  }
}

extension ResultComparison {
  /// The figures of the head as OpenMetrics, and the counts of the differences.
  package var openMetrics: String {
    var metrics = OpenMetrics()
    addFlips(to: &metrics)
    head.add(to: &metrics)
    return metrics.text
  }

  fileprivate func addFlips(to metrics: inout OpenMetrics) {
    for entry in entries {
      let labels = [("entry", entry.name), ("origin", entry.origin)]
      let flips = traces.filter { $0.entry == entry.name && $0.origin == entry.origin }
        .flatMap(\.list.flips)
      for kind in Flip.Kind.allCases {
        metrics.add(
          "flips", help: "Detections that differ between base and head.",
          labels + [("kind", kind.rawValue)], Double(flips.count { $0.kind == kind }))
      }
      metrics.add(
        "lost_references", help: "References that the base finds and the head misses.", labels,
        Double(entry.lostReferences.count))
    }
  }
}
