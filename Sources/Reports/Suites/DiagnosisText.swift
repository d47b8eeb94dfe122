import Evaluation
import Results

extension Diagnosis {
  var document: JSONObject {
    ["cause": cause.rawValue, "explained": explained, "errors": errors, "text": text]
  }

  /// - Parameter name: whose errors these are; empty if that is clear.
  func line(_ name: String, _ screen: Screen) -> String {
    screen.wrapped(
      "Why: \(name.isEmpty ? "" : name + ": ")\(text)\(text.hasSuffix("?") ? "" : ".")", indent: 2)
      + "\n"
  }
}
