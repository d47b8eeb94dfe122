package import TraceModel

extension Trace {
  /// Returns this trace with `map` applied to every time: measured and arrived, references, ignore
  /// zones, reference track and end. The header's wall clock is unchanged.
  package func mappingTimes(_ map: (Int64) -> Int64) -> Trace {
    func mapped(_ instant: TraceInstant) -> TraceInstant {
      TraceInstant(nanoseconds: map(instant.nanoseconds))
    }
    var trace = self
    for info in header.channels {
      guard let block = self[info.channel] else { continue }
      let times = TimeColumns(
        measured: block.measuredTimes[block.range].map(map),
        arrived: block.arrivedTimes.map { $0[block.range].map(map) })
      trace.replace(info.channel, with: block.gathering(Array(block.range), times: times))
    }
    trace.header.end = mapped(header.end)
    for set in trace.header.references.indices {
      for event in trace.header.references[set].events.indices {
        let old = header.references[set].events[event]
        trace.header.references[set].events[event].onset = mapped(old.onset)
        trace.header.references[set].events[event].offset = mapped(old.offset)
      }
    }
    trace.header.ignoreZones = header.ignoreZones.map {
      IgnoreZone(onset: mapped($0.onset), offset: mapped($0.offset))
    }
    trace.header.track?.times = header.track?.times.map(map) ?? []
    return trace
  }

  /// Replaces the readings of a channel; its attributes stay.
  mutating func replace(_ channel: Channel, with block: ChannelBlock) {
    set(block, for: channel, attributes: header.info(channel)?.attributes ?? [:])
  }

  /// Returns this trace with every time later by `nanoseconds`, clamped to the range of the axis.
  package func shifted(byNanoseconds nanoseconds: Int64) -> Trace {
    nanoseconds == 0 ? self : mappingTimes { $0.addingClamped(nanoseconds) }
  }

  /// The earliest measured time of any channel; nil without readings.
  package var earliestMeasured: Int64? {
    header.channels.compactMap { info in
      self[info.channel].flatMap { $0.measuredTimes[$0.range].min() }
    }.min()
  }

  /// Returns this trace with its earliest measured time as zero, as files require, and the shift in
  /// nanoseconds: the header's epoch must be later by this amount. A trace without readings is
  /// unchanged.
  package func startingAtZero() -> (trace: Trace, zero: Int64) {
    let zero = earliestMeasured ?? 0
    return (shifted(byNanoseconds: Int64(0).subtractingClamped(zero)), zero)
  }

  /// The same as ``startingAtZero()``, but the epoch moves by the shift.
  /// - Parameter place: the trace in messages: its file.
  /// - Throws: kind `.badData` if the epoch would be outside the years 1678 to 2261.
  package func startingAtZero(
    place: String
  ) throws(TraceError) -> (trace: Trace, zero: Int64) {
    var (trace, zero) = startingAtZero()
    try trace.header.moveEpoch(byNanoseconds: zero, place: place)
    return (trace, zero)
  }
}

extension TraceHeader {
  /// Moves the epoch, if the wall clock is known.
  /// - Throws: kind `.badData` if the result is outside the years 1678 to 2261.
  package mutating func moveEpoch(
    byNanoseconds nanoseconds: Int64, place: String
  ) throws(TraceError) {
    guard isEpochKnown, nanoseconds != 0 else { return }
    let (moved, overflow) = (epochNanoseconds ?? .max).addingReportingOverflow(nanoseconds)
    guard !overflow else {
      throw TraceError(
        place: place, expected: "times in the years 1678 to 2261", found: "one outside")
    }
    setEpoch(nanoseconds: moved)
  }
}

extension ValueColumns {
  func mapping(_ change: (inout Value) -> Void) -> ValueColumns {
    var mapped = ValueColumns()
    for position in range {
      var value = values[position]
      change(&value)
      mapped.append(
        value, measured: measured(at: position).nanoseconds,
        arrived: arrived(at: position).nanoseconds)
    }
    return mapped
  }
}
