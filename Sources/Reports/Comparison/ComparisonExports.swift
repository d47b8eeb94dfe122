import AppEngines
import Diagnostics
package import Evaluation
package import HDF5
import Results
import Scoring
import TraceModel

extension ResultComparison {
  package func json(_ inputs: [InputFile]) throws -> String {
    try jsonDocument(document, .compare, inputs: inputs)
  }

  var document: JSONObject {
    [
      "base": base.document, "head": head.document, "identical": isIdentical, "seed": seed,
      "changes": changes, "obstacles": obstacles, "entries": entries.map(\.document),
      "traces": traces.map(\.document), "speeds": speeds, "outcomes": outcomes.map(\.document),
    ]
  }

  package func csv() -> String {
    csvTable(
      [
        "entry", "origin", "figure", "unit", "base", "head", "difference", "lower", "upper",
        "method", "clusters", "p", "p_holm",
      ], entries.flatMap(\.rows) + outcomes.map(\.row))
  }

  package func flipsCSV() -> String {
    csvTable(
      [
        "entry", "origin", "trace", "subject", "change", "outcome", "kind", "time_ns",
        "head_time_ns", "first_difference_ns", "newest_reading", "score", "head_score", "margin",
        "value", "head_value", "label", "head_label",
      ], traces.flatMap { trace in trace.list.flips.map { trace.place + $0.document } })
  }
}

extension MeasuredResults {
  fileprivate var document: JSONObject {
    [
      "path": path, "schema": schema, "version": toolVersion, "toolchain": toolchain,
      "suite": suite, "suite_sha256": suiteSHA256, "commit": commit, "runs": runs.count,
    ]
  }
}

extension ResultComparison.Entry {
  fileprivate var rows: [JSONObject] {
    zip(figures, probabilities).map { figure, p -> JSONObject in
      let difference = figure.difference
      return [
        "entry": name, "origin": origin, "figure": figure.name, "unit": figure.unit,
        "base": figure.base, "head": figure.head, "difference": difference.value,
        "lower": difference.interval?.lower, "upper": difference.interval?.upper,
        "method": difference.method?.rawValue, "clusters": difference.clusters, "p": p.plain,
        "p_holm": p.adjusted,
      ]
    }
  }

  fileprivate var document: JSONObject {
    [
      "entry": name, "origin": origin, "task": task, "runs": runs,
      "detections": ["base": detections.base, "head": detections.head] as JSONObject,
      "lost_references": lostReferences.map(\.document),
      "found_references": foundReferences.map(\.document),
      "figures": Dictionary(
        zip(figures, probabilities).map { figure, probability in
          let document: JSONObject = [
            "unit": figure.unit, "better": figure.better, "base": figure.base, "head": figure.head,
            "difference": figure.difference, "p": probability.plain, "p_holm": probability.adjusted,
          ]
          return (figure.name, document)
        }, uniquingKeysWith: { first, _ in first }),
    ]
  }
}

extension OutcomeComparison {
  fileprivate var row: JSONObject {
    let (old, new) = (base?.judged, head?.judged)
    return [
      "entry": entry, "origin": origin, "figure": one.title(of: person), "unit": one.judgedUnit,
      "base": old, "head": new, "difference": old.flatMap { old in new.map { $0 - old } },
    ]
  }

  fileprivate var document: JSONObject {
    [
      "entry": entry, "origin": origin, "name": one.name, "person": person.isEmpty ? nil : person,
      "unit": one.unit, "goal": one.goal, "base": finite(base?.value), "head": finite(head?.value),
      "base_text": base?.text, "head_text": head?.text, "differs": differs,
    ]
  }
}

extension ResultComparison.LostReference {
  fileprivate var document: JSONObject {
    ["trace": trace, "subject": subject, "time_ns": onset.nanoseconds, "label": label]
  }
}

extension ResultComparison.TraceFlips {
  var place: JSONObject { ["entry": entry, "origin": origin, "trace": trace, "subject": subject] }

  fileprivate var document: JSONObject {
    place + [
      "judged_differently": list.rejudged, "flips": list.flips.map(\.document),
      "measurements": measurements.map { measurement -> JSONObject in
        [
          "name": measurement.name, "base": measurement.base.isNaN ? nil : measurement.base,
          "head": measurement.head.isNaN ? nil : measurement.head,
        ]
      },
    ]
  }
}

extension Flip {
  /// Keys with `head_` are the values of the head of a moved detection.
  fileprivate var document: JSONObject {
    let (own, other) = (detection, kind == .moved ? head : nil)
    return [
      "change": kind.rawValue, "outcome": outcome, "kind": own.record.kind,
      "time_ns": Int(own.record.onset.nanoseconds),
      "head_time_ns": other.map { Int($0.record.onset.nanoseconds) },
      "first_difference_ns": Int(firstTime.nanoseconds), "newest_reading": newestReading,
      "score": finite(own.score), "head_score": finite(other?.score), "margin": finite(margin),
      "value": finite(own.record.value), "head_value": finite(other?.record.value),
      "label": own.record.label, "head_label": other?.record.label,
    ]
  }
}

extension ResultComparison {
  /// Writes the comparison by the conventions of ``ResultsFile``, see `docs/results-schema.md`.
  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package func write(to path: String, gate: GateReport? = nil) throws(HDF5Error) {
    let groups = entries.inGroups(by: \.name).map { own in
      (own[0].name, HDF5Contents(groups: own.map { ($0.origin, $0.contents) }))
    }
    var contents = HDF5Contents(
      attributes: [
        "base": jsonLine(base.document), "head": jsonLine(head.document),
        "changes": jsonLine(changes), "obstacles": jsonLine(obstacles), "identical": isIdentical,
        "seed": seed,
      ], groups: [("figures", HDF5Contents(groups: groups)), ("flips", flipTable)])
    if !outcomes.isEmpty { contents.groups.append(("outcomes", outcomeTable)) }
    if let gate { contents.groups.append(("checks", gate.contents)) }
    try contents.write(to: path, schema: "shadowbox-comparison/1", dataCommit: head.commit)
  }

  private var outcomeTable: HDF5Contents {
    let ones = outcomes.map(\.one)
    return .table(
      "outcome",
      [
        .codes("entry", outcomes.map(\.entry)), .codes("origin", outcomes.map(\.origin)),
        .codes("name", ones.map(\.name)), .codes("person", outcomes.map(\.person)),
        .codes("unit", ones.map { $0.unit.isEmpty ? "1" : $0.unit }),
        .codes("goal", ones.map(\.goal)),
        .floats("base", outcomes.map { $0.base?.judged }),
        .floats("head", outcomes.map { $0.head?.judged }),
      ])
  }

  private var flipTable: HDF5Contents {
    let all = traces.flatMap { trace in trace.list.flips.map { (trace, $0) } }
    let flips = all.map(\.1)
    return .table(
      "flip",
      [
        .codes("entry", all.map(\.0.entry)), .codes("origin", all.map(\.0.origin)),
        .codes("trace", all.map(\.0.trace)), .codes("subject", all.map(\.0.subject)),
        .codes("change", flips.map(\.kind)), .codes("outcome", flips.map(\.outcome)),
        .codes("kind", flips.map(\.detection.record.kind)),
        .times("onset", flips.map(\.onset.nanoseconds)),
        .times(
          "head_onset",
          flips.map { ($0.kind == .moved ? $0.head : nil)?.record.onset.nanoseconds ?? .min }),
        .times("first_difference", flips.map(\.firstTime.nanoseconds)),
        .integers(
          "newest_reading", flips.map { Int32(clamping: $0.newestReading ?? -1) },
          note: "position in the detector's channel; -1 = none", missing: -1),
        .floats("score", flips.map(\.detection.score)), .floats("margin", flips.map(\.margin)),
        .floats("value", flips.map(\.detection.record.value)),
      ])
  }
}

extension ResultComparison.Entry {
  fileprivate var contents: HDF5Contents {
    let methods = figures.map { $0.difference.method?.rawValue ?? "none" }
    return .table(
      "figure",
      [
        .codes("name", figures.map(\.name)), .codes("unit", figures.map(\.unit)),
        .floats("base", figures.map(\.base)), .floats("head", figures.map(\.head)),
      ] + .bounded("difference", figures.map(\.difference)) + [
        .codes("method", methods),
        .integers("clusters", figures.map { Int32(clamping: $0.pair.parts.count) }, note: "people"),
        .floats("p", probabilities.map(\.plain)), .floats("p_holm", probabilities.map(\.adjusted)),
      ],
      attributes: [
        "task": task, "runs": runs, "lost_references": lostReferences.count,
        "found_references": foundReferences.count,
      ])
  }
}
