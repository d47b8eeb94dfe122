import Diagnostics
import Evaluation
import Foundation
import Tuning

/// Parameters as text, on the command line and in suites: `threshold=2g,refractory=300ms`.
enum ParameterText {
  /// Adds the parameters of `text` to `settings`.
  /// - Throws: wrong use, if a parameter is not known, has a wrong value, or is given twice.
  static func add(
    _ text: String, of detector: AnyDetector, to settings: inout ParameterSettings, place: String
  ) throws {
    for part in text.split(separator: ",").map(String.init) {
      guard let equals = part.firstIndex(of: "=") else {
        throw Failure(.wrongUse, "\(place) \(part): expected name=value")
      }
      let name = String(part[..<equals]).trimmingCharacters(in: .whitespaces)
      guard settings[name] == nil else {
        throw Failure(.wrongUse, "\(place): \(name) is given twice")
      }
      settings[name] = try detector.value(
        of: name, part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces),
        place: place)
    }
  }

  /// Whether `text` names a parameter file.
  static func isFile(_ text: String) -> Bool {
    text.hasSuffix(".json") && !text.contains("=")
  }
}
