import Diagnostics
import Evaluation
import ExternalDetectors

/// A detector as text, on the command line and in suites: `punch`, `punch/hitThat`, or `exec:` with
/// a command line.
struct DetectorText {
  let name: String
  /// nil = none is named.
  let preset: String?

  init(_ text: String) {
    guard !ExecCommandLine.isOne(text) else {
      (name, preset) = (text, nil)
      return
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    name = parts[0]
    preset = parts.count > 1 ? parts[1] : nil
  }

  /// The choice, with the preset `default` if none is named.
  /// - Parameter stated: the preset that is named apart from the detector; nil = none.
  /// - Throws: wrong use, if the two presets differ.
  func choice(statedPreset stated: String? = nil) throws -> DetectorChoice {
    if let preset, let stated, preset != stated {
      throw Failure(
        .wrongUse, "expected one preset, found \(name)/\(preset) and preset \(stated)")
    }
    return DetectorChoice(detector: name, preset: preset ?? stated ?? "default")
  }
}
