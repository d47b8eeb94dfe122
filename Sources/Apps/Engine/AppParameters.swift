public import Detectors
public import TraceModel

extension SimulatedFight {
  /// Returns those of the punch detector in the fight.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [ResolvedParameter] {
    let rules = FightRules.preset(named: preset) ?? .default
    let punch = PunchDetector.preset(named: rules.punchPreset) ?? PunchDetector.presets[0]
    return PunchDetector.parameterFields.resolved(in: punch.parameters(for: header))
  }
}

extension SimulatedHike {
  /// Returns those of the check-in detector.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [ResolvedParameter] {
    CheckInDetector.parameterFields.resolved(in: rules(named: preset).detection)
  }
}

extension SimulatedWorkout {
  /// Returns those of the tracker.
  public static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [ResolvedParameter] {
    let rules: WorkoutRules = preset == "tri" ? .tri : .default
    return TrackDetector.parameterFields.resolved(in: rules.tracker)
  }
}
