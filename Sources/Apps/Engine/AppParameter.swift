public import Detectors
public import TraceModel

/// A parameter of a scenario's detector, as the run used it.
public struct AppParameter: Hashable, Sendable {
  public var name: String
  public var value: ParameterValue
  /// Empty = none.
  public var unit: String

  /// All parameters of a detector.
  static func all<D: Detector>(of detector: D.Type, _ parameters: D.Parameters) -> [Self] {
    D.parameterFields.map { field in
      var unit = ""
      if case .number(let parameterUnit, _) = field.kind { unit = parameterUnit.rawValue }
      return Self(name: field.name, value: field.value(in: parameters), unit: unit)
    }
  }
}

extension SimulatedFight {
  /// Those of the punch detector in the fight.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [AppParameter] {
    let rules = FightRules.preset(named: preset) ?? .default
    let punch = PunchDetector.preset(named: rules.punchPreset) ?? PunchDetector.presets[0]
    return AppParameter.all(of: PunchDetector.self, punch.parameters(for: header))
  }
}

extension SimulatedHike {
  /// Those of the check-in detector.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [AppParameter] {
    AppParameter.all(of: CheckInDetector.self, rules(named: preset).detection)
  }
}

extension SimulatedWorkout {
  /// Those of the tracker.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [AppParameter] {
    let rules: WorkoutRules = preset == "tri" ? .tri : .default
    return AppParameter.all(of: TrackDetector.self, rules.tracker)
  }
}
