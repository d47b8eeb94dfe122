import Detectors
import TraceModel

extension AnyDetector {
  /// Returns the parameters of a preset for a recording without special attributes.
  public func parameters(ofPreset preset: String) -> [ResolvedParameter] {
    (try? parameters(
      of: DetectorChoice(detector: name, preset: preset), for: .init(id: "", origin: .recorded)))
      ?? []
  }

  /// Returns the threshold of a preset for a recording without special attributes.
  public func threshold(_ parameter: String, ofPreset preset: String) -> Double? {
    let found = parameters(ofPreset: preset).first { $0.name == parameter }
    if case .number(let number)? = found?.value { return number } else { return nil }
  }
}
