import Diagnostics
import TraceModel

/// A person, an activity or a recording with most of the errors.
extension Causes {
  private typealias Group = (cause: Diagnosis.Cause, errors: Int, text: String)

  /// Person and activity are both named if their errors are the same number.
  var group: Found? {
    let people = worst(.person, "of one of", "people", \.subject)
    let activities = worst(.activity, "in one of", "activities", \.activity)
    var found = [people, activities].compactMap(\.self)
    if people == nil, let recording = worst(.recording, "in one of", "recordings", \.id),
      found.allSatisfy({ $0.errors < recording.errors })
    {
      found = [recording]
    }
    guard let most = found.max(by: { $0.errors < $1.errors }) else { return nil }
    let noun = misses == 0 ? "false alarms" : alarms == 0 ? "misses" : "errors"
    let texts = found.filter { $0.errors == most.errors }.map(\.text).joined(separator: " and ")
    return (most.cause, most.errors, "\(share(most.errors, of: errors, noun)) are \(texts)")
  }

  /// The group without which, if it erred as often as the others, more than half of the errors would be
  /// gone. The others are long enough to err three times: without an error then, they are better (5 %).
  private func worst(
    _ cause: Diagnosis.Cause, _ lead: String, _ noun: String,
    _ name: (DiagnosedRecording) -> String
  ) -> Group? {
    let groups = recordings.inGroups(by: name)
    guard groups.count > 1, let own = groups.max(by: { count($0) < count($1) }) else { return nil }
    let (found, title) = (count(own), name(own[0]))
    let expected = expectedShare(of: own)
    let others = Double(errors) * (1 - expected)
    guard !title.isEmpty, isMost(found), expected < 1, others >= 3 else { return nil }
    let without = Double(errors - found) / (1 - expected)
    guard 2 * (Double(errors) - without) > Double(errors) else { return nil }
    return (cause, found, "\(lead) \(groups.count) \(noun) (\(inLine(title)))")
  }

  private func count(_ group: [DiagnosedRecording]) -> Int { group.reduce(0) { $0 + $1.errors } }

  /// The share of the errors that the group would have if all erred as often: false alarms by time, misses
  /// by references. Without a time, by references, or else by recordings.
  private func expectedShare(of group: [DiagnosedRecording]) -> Double {
    func share(_ size: (DiagnosedRecording) -> Double) -> Double? {
      let all = recordings.reduce(0) { $0 + size($1) }
      return all > 0 ? group.reduce(0) { $0 + size($1) } / all : nil
    }
    let byCount = Double(group.count) / Double(recordings.count)
    let byReferences = share { Double($0.references.count) } ?? byCount
    let byTime = share { Double($0.nanoseconds) } ?? byReferences
    return (Double(alarms) * byTime + Double(misses) * byReferences) / Double(errors)
  }
}
