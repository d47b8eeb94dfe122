extension Trace {
  /// The latest time of any reading in ns, measured or arrived; nil without readings.
  package var latestReading: Int64? {
    header.channels.compactMap { info -> Int64? in
      guard let block = self[info.channel] else { return nil }
      let arrived = block.arrivedTimes.flatMap { $0[block.range].max() }
      return [block.measuredTimes[block.range].max(), arrived].compactMap { $0 }.max()
    }.max()
  }

  /// The plausible end: the stated one, unless it lies beyond the last reading by more than a day
  /// and by more than the time that the readings span; then the last reading.
  ///
  /// A departure is an absence, so a recording may go on for hours after its last reading. But 2^63-1
  /// as an end would be 292 years without a false alarm.
  package var plausibleEnd: TraceInstant {
    // The latest reading is no earlier than the last one of any channel, which usually suffices.
    let last =
      header.channels.compactMap { info in
        self[info.channel].flatMap { $0.measuredTimes[$0.range].last }
      }.max() ?? 0
    if isPlausible(after: max(last, 0)) { return header.end }
    let latest = max(latestReading ?? 0, 0)
    return isPlausible(after: latest) ? header.end : TraceInstant(nanoseconds: latest)
  }

  private func isPlausible(after latest: Int64) -> Bool {
    header.end.nanoseconds.subtractingClamped(latest) <= max(86_400_000_000_000, latest)
  }
}
