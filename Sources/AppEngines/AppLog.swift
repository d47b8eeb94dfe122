package import TraceModel

extension ExchangedApp {
  package mutating func log(
    _ kind: String, _ text: String, of person: Int, at now: TraceInstant, value: Double? = nil,
    unit: String = ""
  ) {
    events.append(
      AppEvent(
        kind, text, person: DeviceID(person), at: now, value: value,
        unit: value == nil ? "" : unit))
  }
}

extension AppOutcome {
  package static func count(
    _ name: String, of person: DeviceID? = nil, _ value: Int, _ goal: Goal = .neither
  ) -> AppOutcome { AppOutcome(name, of: person, Double(value), unit: "count", goal) }

  /// Returns the percentiles 50 and 99 of delays in seconds, by nearest rank; undefined without delays.
  package static func delays(_ name: String, _ seconds: [Double]) -> [AppOutcome] {
    let sorted = seconds.sorted()
    return [50, 99].map { percent in
      AppOutcome("\(name)_p\(percent)", nearestRank(percent, ofSorted: sorted), unit: "s", .lower)
    }
  }
}
