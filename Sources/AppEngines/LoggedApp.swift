package import TraceModel

/// A simulation with messages that keeps its log until it is taken.
package protocol LoggedApp: ExchangedApp {
  /// The events since they were last taken.
  var events: [AppEvent] { get set }
  /// Whether the log has lines of a person. Default: true.
  func isLogged(_ person: Int) -> Bool
}

extension LoggedApp {
  package func isLogged(_ person: Int) -> Bool { true }

  /// Adds a line to the log, unless the person has none.
  /// - Parameter unit: of the value.
  package mutating func log(
    _ kind: String, _ text: String, of person: Int, at now: TraceInstant, value: Double? = nil,
    unit: String = ""
  ) {
    guard isLogged(person) else { return }
    events.append(
      AppEvent(
        kind, text, person: DeviceID(person), at: now, value: value,
        unit: value == nil ? "" : unit))
  }

  // These two run for every reading.

  @inlinable public mutating func takeEvents() -> [AppEvent] {
    guard !events.isEmpty else { return [] }
    defer { events = [] }
    return events
  }

  @inlinable public var deadline: TraceInstant? { exchange.deadline }

  public mutating func advance(to now: TraceInstant) { runExchange(to: now) }
  public var violations: [String] { engineViolations }
  public var networkCounts: NetworkCounts { exchange.network.counts }
  public var metFaults: [ExchangeFault] { exchange.metFaults }
  public var drawnFaults: [ExchangeFault] { exchange.network.drawnFaults }
}

extension AppOutcome {
  package static func count(
    _ name: String, of person: DeviceID? = nil, _ value: Int
  ) -> AppOutcome {
    AppOutcome(name, of: person, Double(value), unit: "count")
  }

  /// Returns the percentiles 50 and 99 of delays in seconds, by nearest rank; undefined without delays.
  package static func delays(_ name: String, _ seconds: [Double]) -> [AppOutcome] {
    let sorted = seconds.sorted()
    return [50, 99].map { percent in
      let rank = (percent * sorted.count + 99) / 100
      return AppOutcome("\(name)_p\(percent)", sorted.isEmpty ? nil : sorted[rank - 1], unit: "s")
    }
  }
}
