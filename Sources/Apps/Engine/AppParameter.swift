public import Detectors
public import TraceModel

/// A parameter of a simulation's detector, with the value used by the run.
public struct AppParameter: Hashable, Sendable {
  public var name: String
  public var value: ParameterValue
  /// The unit; empty = none.
  public var unit: String

  /// Returns all parameters of a detector.
  static func all<D: Detector>(of detector: D.Type, _ parameters: D.Parameters) -> [Self] {
    D.parameterFields.map { field in
      var unit = ""
      if case .number(let parameterUnit, _) = field.kind { unit = parameterUnit.rawValue }
      return Self(name: field.name, value: field.value(in: parameters), unit: unit)
    }
  }
}

extension SimulatedFight {
  /// Returns those of the punch detector in the fight.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [AppParameter] {
    let rules = FightRules.preset(named: preset) ?? .default
    let punch = PunchDetector.preset(named: rules.punchPreset) ?? PunchDetector.presets[0]
    return AppParameter.all(of: PunchDetector.self, punch.parameters(for: header))
  }
}

extension SimulatedHike {
  /// Returns those of the check-in detector.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [AppParameter] {
    AppParameter.all(of: CheckInDetector.self, rules(named: preset).detection)
  }
}

extension SimulatedWorkout {
  /// Returns those of the tracker.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [AppParameter] {
    let rules: WorkoutRules = preset == "tri" ? .tri : .default
    return AppParameter.all(of: TrackDetector.self, rules.tracker)
  }
}
