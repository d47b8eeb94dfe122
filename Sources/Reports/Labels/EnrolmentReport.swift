import Detectors
package import Evaluation
import Results

package struct EnrolmentReport {
  private let enrolment: Enrolment
  private let dataset: EvaluationDataset
  private let perKind: Int?

  package init(_ enrolment: Enrolment, of dataset: EvaluationDataset, perKind: Int?) {
    (self.enrolment, self.dataset, self.perKind) = (enrolment, dataset, perKind)
  }

  /// One block per person, at most 80 columns.
  package var lines: [String] {
    enrolment.people.flatMap { person -> [String] in
      let width = person.kinds.map { terminalWidth($0.name) }.max() ?? 0
      var lines = ["\(person.subject.isEmpty ? "(no subject)" : person.subject):"]
      for kind in person.kinds {
        lines.append(
          "  \(padded(kind.name, to: width))  \(kind.used) used of \(kind.found) found, "
            + "\(kind.references) labelled")
      }
      let check = person.check
      lines.append(
        "  each left out in turn: \(check.right) of \(check.count) named right, \(check.wrong) wrong, "
          + "\(check.unsure) not named")
      lines.append("  models: \(person.models.joined(separator: ", "))")
      return lines
    }
  }

  package var warnings: [String] {
    enrolment.people.flatMap { person in
      person.kinds.filter { $0.used < 3 }.map {
        "warning: \(person.subject): \($0.used) \($0.name) used; 3 or more of each kind are needed, 5 "
          + "are better"
      }
    }
  }

  /// Equal enrolments give equal bytes.
  package func file() throws -> String {
    let document: JSONObject = [
      "detector": dataset.detector.name, "preset": dataset.choice.preset,
      "per_kind": perKind, "report": enrolment.people, "people": enrolment.profiles,
    ]
    return try jsonDocument(document, .profiles, inputs: dataset.inputs())
  }
}
