/// Consumes the readings of one or more devices in the order of a run, and acts at deadlines of its
/// own.
public protocol ReadingConsumer {
  /// Processes a reading with both times on the run's axis. Actions have the channel `action`.
  mutating func take(_ reading: Reading)
  /// The next deadline; nil = none. Arrivals at that instant come before it.
  var deadline: TraceInstant? { get }
  /// Advances time to the deadline; the new one is later, or nil.
  mutating func advance(to now: TraceInstant)
  /// Ends the trace of a device: it delivers no more readings.
  mutating func finish(device: DeviceID, at end: TraceInstant)
  /// Ends the run after all traces and all deadlines up to its end.
  mutating func close(at end: TraceInstant)
}
