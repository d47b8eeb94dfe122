import Diagnostics
package import Evaluation
import Results
package import TraceModel

/// The result of `bisect`: the first bad commit, or the commits among which it is, and its effects.
package struct BisectReport {
  package struct Commit: Encodable, Sendable {
    package var hash: String
    /// ISO 8601.
    package var authorDate: String
    package var subject: String
    package var parents: [String]

    package init(hash: String, authorDate: String, subject: String, parents: [String]) {
      (self.hash, self.authorDate) = (hash, authorDate)
      (self.subject, self.parents) = (subject, parents)
    }
  }

  package struct Step: Encodable, Sendable {
    package var commit: Commit
    /// `good`, `bad` or `skipped`.
    package var verdict: String
    package var reason: String

    package init(commit: Commit, verdict: String, reason: String) {
      (self.commit, self.verdict, self.reason) = (commit, verdict, reason)
    }
  }

  /// The reading at which the two sides first report differently.
  package struct Sample: Sendable {
    package struct Value: Sendable {
      var name: String
      var value: Double
      var unit: String

      package init(_ name: String, _ value: Double, _ unit: String) {
        (self.name, self.value, self.unit) = (name, value, unit)
      }
    }

    package var entry: String
    package var trace: String
    /// Empty = not found.
    package var file: String
    /// The time of the first report.
    package var time: TraceInstant
    /// The number of the reading in its channel, from 0.
    package var number: Int?
    /// nil = no reading has this time: the detection came at a deadline.
    package var channel: Channel?
    package var values: [Value] = []
    package var flip: Flip

    package init(
      entry: String, trace: String, file: String, time: TraceInstant, number: Int?, flip: Flip
    ) {
      (self.entry, self.trace, self.file) = (entry, trace, file)
      (self.time, self.number, self.flip) = (time, number, flip)
    }
  }

  let question: BisectQuestion
  let good: Commit
  let bad: Commit
  package let suspects: [Commit]
  let before: Commit
  let after: Commit
  package let steps: [Step]
  /// From the last good commit to the first bad one.
  let comparison: ResultComparison
  /// Why the bad commit is bad, compared with `good`.
  let decision: String
  let sample: Sample?

  package init(
    question: BisectQuestion, good: Commit, bad: Commit, suspects: [Commit], before: Commit,
    after: Commit, steps: [Step], comparison: ResultComparison, decision: String, sample: Sample?
  ) {
    (self.question, self.good, self.bad) = (question, good, bad)
    (self.suspects, self.before, self.after) = (suspects, before, after)
    (self.steps, self.comparison, self.decision) = (steps, comparison, decision)
    self.sample = sample
  }

  /// The commits that could not be measured or compared.
  package var skipped: [Step] { steps.filter { $0.verdict == "skipped" } }
}

extension BisectReport {
  package func json(_ inputs: [InputFile]) throws -> String {
    let document: JSONObject = [
      "question": questionText, "good": good, "bad": bad, "is_found": suspects.count == 1,
      "suspects": suspects, "before": before, "after": after, "decision": decision,
      "steps": steps, "changes": comparison.changes,
      "flips": comparison.traces.flatMap { trace in
        trace.list.flips.map { $0.document + trace.place }
      },
      "measurements": comparison.traces.flatMap { trace in
        trace.measurements.map { measurement -> JSONObject in
          [
            "name": measurement.name, "before": finite(measurement.base),
            "after": finite(measurement.head),
          ] + trace.place
        }
      },
      "first_differing_sample": sample?.document,
    ]
    return try jsonDocument(document, .bisect, inputs: inputs)
  }

  var questionText: String {
    switch question {
    case .flips: "flips"
    case .bounds(let rules):
      (rules.bounds + rules.entries.sorted { $0.key < $1.key }.flatMap(\.value))
        .map { "\($0.subject.name) \($0.limit.text)" }.joined(separator: ", ")
    }
  }
}

extension Flip {
  fileprivate var document: JSONObject {
    [
      "change": kind.rawValue, "outcome": outcome, "margin": finite(margin),
      "newest_reading": newestReading, "first_difference_ns": firstTime.nanoseconds,
      "before": base?.document, "after": head?.document,
    ]
  }
}

extension MeasuredDetection {
  fileprivate var document: JSONObject {
    [
      "kind": record.kind, "label": record.label, "time_ns": record.onset.nanoseconds,
      "emitted_ns": record.emitted.nanoseconds, "value": finite(record.value),
      "score": finite(score), "outcome": outcome,
    ]
  }
}

extension BisectReport.Sample {
  fileprivate var document: JSONObject {
    [
      "entry": entry, "trace": trace, "file": file, "time_ns": time.nanoseconds,
      "reading": number, "channel": channel?.name,
      "values": values.map { value -> JSONObject in
        ["name": value.name, "value": finite(value.value), "unit": value.unit]
      }, "flip": flip.document,
    ]
  }
}
