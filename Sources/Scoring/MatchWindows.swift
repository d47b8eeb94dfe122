public import TraceModel

/// The stretches of a recording in which a detection could match a reference.
public enum MatchWindows {
  /// Their share of the scored time: the chance that a detection at a random instant is a hit, or
  /// rather the most that it can be, for of several detections in a window one alone is a hit. nil
  /// where nothing is scored.
  ///
  /// - Parameters:
  ///   - ignoreZones: leave the scored time; references that begin in one have no window.
  ///   - duration: of the recording.
  /// - Complexity: O(n log n).
  public static func share(
    references: [ReferenceEvent], ignoreZones: [IgnoreZone], tolerance: EventTolerance,
    duration: Duration
  ) -> Double? {
    let ignored = ZoneUnion(ignoreZones)
    let whole = ignored.scoredNanoseconds(of: duration.nanoseconds)
    guard whole > 0 else { return nil }
    let windows = references.filter { !ignored.contains($0.onset) }.map { reference in
      IgnoreZone(
        onset: TraceInstant(
          nanoseconds: reference.onset.nanoseconds
            .subtractingClamped(tolerance.early.nanoseconds)),
        offset: TraceInstant(
          nanoseconds: max(reference.onset, reference.offset).nanoseconds
            .addingClamped(tolerance.late.nanoseconds)))
    }
    let rest = ZoneUnion(ignoreZones + windows).scoredNanoseconds(of: duration.nanoseconds)
    return Double(whole - rest) / Double(whole)
  }
}
