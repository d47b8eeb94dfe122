internal import TraceModel

/// What a fixture must hold, as a native trace: it is checked before writing and after reading.
struct FixtureCheck {
  /// The name of the file or of the trace, for messages.
  var name: String

  /// A time farther from the trace's zero, 146 years, is a number that stands for a missing one.
  private static let farthest = Int64.max / 2

  /// Returns the trace, with the events of each reference in the order of time.
  /// - Throws: if the id is empty, or a time cannot be one of a recording.
  func checked(_ trace: Trace) throws(TraceError) -> Trace {
    let header = trace.header
    guard !header.id.isEmpty else { throw refused("an id", "an empty text", "name the trace") }
    guard header.end.nanoseconds >= 0 else {
      throw refused("an end at or after 0 ns", "\(header.end.nanoseconds) ns", Self.stateEnd)
    }
    for count in header.counts {
      guard count.task.isCountable, (0...ReferenceCount.greatest).contains(count.count),
        header.reference(count.task) == nil,
        header.counts.count(where: { $0.task == count.task }) == 1
      else {
        throw refused(
          "one count from 0 to \(ReferenceCount.greatest) of a task without a reference",
          "\(count.count) of \(count.task.rawValue)", "state the events or their count")
      }
    }
    for info in header.channels {
      guard let block = trace[info.channel] else { continue }
      try check(block, info.channel, end: header.end.nanoseconds)
    }
    var trace = trace
    for index in trace.header.references.indices {
      trace.header.references[index].events = Self.sorted(trace.header.references[index].events)
    }
    return trace
  }

  private func check(_ block: ChannelBlock, _ channel: Channel, end: Int64) throws(TraceError) {
    let columns = [block.measuredTimes[block.range], block.arrivedTimes?[block.range]]
    for times in columns.compactMap(\.self) {
      for time in times where time > end || time.magnitude > Self.farthest.magnitude {
        guard time.magnitude <= Self.farthest.magnitude else {
          throw refused(
            "times of \(channel.name) within 146 years of the trace's zero", "\(time) ns",
            "remove the readings whose time is missing")
        }
        throw refused(
          "an end at or after \(time) ns, the time of a reading of \(channel.name)", "\(end) ns",
          Self.stateEnd)
      }
    }
  }

  private static let stateEnd = "state when the recording ended"

  private func refused(_ expected: String, _ found: String, _ remedy: String) -> TraceError {
    TraceError(place: name, expected: expected, found: found, remedy: remedy)
  }

  /// Sorts by onset, then by offset. The sort is stable.
  private static func sorted(_ events: [ReferenceEvent]) -> [ReferenceEvent] {
    func key(_ position: Int) -> (TraceInstant, TraceInstant, Int) {
      (events[position].onset, events[position].offset, position)
    }
    return events.indices.sorted { key($0) < key($1) }.map { events[$0] }
  }
}
