import TraceModel

extension CheckInDetector {
  /// The state of the walker at a place.
  struct Presence: Sendable, Codable {
    private(set) var wasVisited = false
    /// Whether the place has prompted since it was entered.
    var hasPrompted = false
    /// The time of the next prompt after a cancel, on the axis of arrivals; nil if no prompt was
    /// cancelled.
    var promptsAgainAt: TraceInstant?
    private var isInside = false
    /// Whether the place is visited; it has to be left before it can prompt again, if ever.
    private var isDone = false
    /// The start of the stretch with a high share, or with a low one.
    private var highSince: TraceInstant?
    private var lowSince: TraceInstant?

    /// The time of entry, if the last fix is also inside.
    var insideSince: TraceInstant? { isInside ? highSince : nil }

    func mayPrompt(at time: TraceInstant) -> Bool {
      !isDone && (promptsAgainAt.map { $0 <= time } ?? true)
    }

    mutating func recordVisit(revisits: Bool) {
      wasVisited = true
      isDone = !revisits || isInside
    }

    mutating func restartClock(shiftedBy shift: Int64) {
      promptsAgainAt = promptsAgainAt?.advanced(byNanoseconds: shift)
      (highSince, lowSince) = (nil, nil)
    }

    /// Updates the state with the share of the reachable probability at `time`.
    /// - Parameter dwell: the seconds for which the share must be high before the place is entered.
    /// - Returns: if the place was left, the time of leaving and whether it had prompted.
    @discardableResult mutating func update(
      share: Double, at time: TraceInstant, dwell: Double, _ parameters: CheckInDetector.Parameters
    ) -> (since: TraceInstant, hadPrompted: Bool)? {
      // The earlier of the two times: a time from the future must not delay the dwell.
      highSince = share >= parameters.confidence ? min(highSince ?? time, time) : nil
      lowSince = share <= parameters.exitConfidence ? min(lowSince ?? time, time) : nil
      if isInside {
        guard let since = lowSince, held(since, time, parameters.exitHold) else { return nil }
        isInside = false
        defer {
          hasPrompted = false
          promptsAgainAt = nil
          isDone = isDone && !parameters.revisits
        }
        return (since, hasPrompted)
      }
      if let since = highSince, held(since, time, dwell) { isInside = true }
      return nil
    }

    private func held(_ since: TraceInstant, _ time: TraceInstant, _ seconds: Double) -> Bool {
      since.nanoseconds(to: time) >= nanoseconds(seconds)
    }
  }
}
