public import TraceModel

/// The stretches of a recording in which a detection could match a reference.
public enum MatchWindows {
  /// Returns their share of the scored time: an upper bound on the probability that a detection at
  /// a random instant is a hit, because only one of several detections in a window is a hit. nil
  /// without scored time.
  ///
  /// - Parameters:
  ///   - ignoreZones: excluded from the scored time; references that begin in one have no window.
  ///   - duration: the duration of the recording.
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
