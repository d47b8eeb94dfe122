import Diagnostics
import Evaluation
import Files
import Scoring
import Yams

/// Reads profiles of a day, with the care of suites.
extension SuiteParser {
  /// - Throws: ``Failure`` as `day.yml:12: what is wrong`.
  static func readDay(_ path: String) throws -> DayProfile {
    let bytes = try smallFile(path, "profile of a day", mebibytes: largestSuite)
    return try SuiteParser(path: path, registry: .builtIn).reading(bytes) { try $0.parseDay($1) }
  }

  private func parseDay(_ text: String) throws -> DayProfile {
    let fields = try fields(text, ["schema", "name", "activities"], schema: DayProfile.schema)
    let node = try fields.required("activities")
    guard let mapping = node.mapping, !mapping.isEmpty else {
      throw failure(node, "expected activities with their hours of a day, such as walking: 1.5")
    }
    let parts = try pairs(mapping, "activities").map { key, name, value, text in
      guard !name.isEmpty, !name.contains("\0") else {
        throw failure(key, "expected the name of an activity, found none")
      }
      guard let hours = Double(text), (0...DayProfile.day).contains(hours) else {
        throw failure(value, "expected 0 to 24 hours of \(name), found \(text)")
      }
      return DayProfile.Part(activity: name, hours: hours)
    }
    let profile = DayProfile(name: try fields.text("name") ?? stem, parts: parts)
    // Sums of decimal fractions round.
    guard profile.hours <= DayProfile.day + 1e-9 else {
      throw failure(
        node, "expected at most 24 hours in all, found \(fixed(profile.hours, 2)); reduce some")
    }
    return profile
  }
}
