// The functions of the module that a report runs. JavaScript writes bytes into `input` and calls them;
// a number below 0 is an error, with a `message`. The module has one thread, and the page
// keeps no address longer than until the next call.

#if arch(wasm32)
  import Detectors
  import PageRuns
  import Scoring
  import TraceModel

  nonisolated(unsafe) var input: [UInt8] = []
  nonisolated(unsafe) private var values = [Double](repeating: .nan, count: 64)
  nonisolated(unsafe) private var message: [UInt8] = []
  nonisolated(unsafe) private var traces: [Int32: Trace] = [:]
  nonisolated(unsafe) private var exposures: [Int32: Exposure] = [:]
  nonisolated(unsafe) private var result = Columns()

  /// What the last run found, as columns.
  private struct Columns {
    var onsets: [Double] = []
    var emitted: [Double] = []
    var values: [Double] = []
    /// The places that the detections refer to; the least number = none.
    var places: [Int32] = []
    /// The places in `DetectionOutcome.allCases`.
    var outcomes: [UInt8] = []
    /// Those of the references in `ReferenceOutcome.allCases`.
    var references: [UInt8] = []
    /// For each detection the reference that it is matched to; -1 = none.
    var partners: [Int32] = []
    /// Hits, false alarms, misses, duplicates, scored hours; empty = the task has no events.
    var counts: [Double] = []
    /// Of a track: the measured distance (m), the true one, the moving time (s), the true one.
    var track: [Double] = []
    /// Of hits, the time from the reference to the report, in s.
    var delays: [Double] = []
    /// Of hits, the classes of both sides: texts that end with 0.
    var classes: [UInt8] = []
    /// Hits by class: a row for each reference's, a column for each detection's.
    var confusion: [Int32] = []
  }

  func fault(_ error: TraceError) -> Int32 {
    message = Array(error.description.utf8)
    return -1
  }

  func fault(_ expected: String, found: String) -> Int32 {
    fault(TraceError(place: "page", expected: expected, found: found))
  }

  nonisolated(unsafe) private var columnLength: Int32 = 0

  func address<Element>(_ column: inout [Element]) -> UnsafeMutableRawPointer? {
    columnLength = Int32(column.count)
    return column.withUnsafeMutableBytes { $0.baseAddress }
  }

  /// The columns that a page reads, in the order of `COLUMNS` in core.js.
  private enum Column: Int32 {
    case message, onsets, emitted, peaks, detectionPlaces, outcomes, references, partners, counts
    case track, delays, classes, confusion, times, magnitudes, latitudes, longitudes, accuracies
    case labelOnsets, labelOffsets, labelTexts, zoneOnsets, zoneOffsets, places, uses
    case choice, flipPlaces
  }

  /// Returns the address of a column; ``exportColumnLength()`` then returns its number of elements.
  @_expose(wasm, "column") @_cdecl("sb_column")
  public func exportColumn(_ number: Int32) -> UnsafeMutableRawPointer? {
    switch Column(rawValue: number) {
    case .message: address(&message)
    case .onsets: address(&result.onsets)
    case .emitted: address(&result.emitted)
    case .peaks: address(&result.values)
    case .detectionPlaces: address(&result.places)
    case .outcomes: address(&result.outcomes)
    case .references: address(&result.references)
    case .partners: address(&result.partners)
    case .counts: address(&result.counts)
    case .track: address(&result.track)
    case .delays: address(&result.delays)
    case .classes: address(&result.classes)
    case .confusion: address(&result.confusion)
    case .times: address(&drawn.times)
    case .magnitudes: address(&drawn.magnitudes)
    case .latitudes: address(&drawn.latitudes)
    case .longitudes: address(&drawn.longitudes)
    case .accuracies: address(&drawn.accuracies)
    case .labelOnsets: address(&drawn.labelOnsets)
    case .labelOffsets: address(&drawn.labelOffsets)
    case .labelTexts: address(&drawn.labelTexts)
    case .zoneOnsets: address(&drawn.zoneOnsets)
    case .zoneOffsets: address(&drawn.zoneOffsets)
    case .places: address(&drawn.places)
    case .uses: address(&drawn.uses)
    case .choice: address(&choice)
    case .flipPlaces: address(&flipPlaces)
    case nil: nil
    }
  }

  @_expose(wasm, "columnLength") @_cdecl("sb_column_length")
  public func exportColumnLength() -> Int32 { columnLength }

  /// Where `count` bytes can be written.
  @_expose(wasm, "input") @_cdecl("sb_input")
  public func exportInput(_ count: Int32) -> UnsafeMutableRawPointer? {
    input = [UInt8](repeating: 0, count: Int(count))
    return address(&input)
  }

  /// Where the values of up to 64 parameters can be written.
  @_expose(wasm, "values") @_cdecl("sb_values")
  public func exportValues() -> UnsafeMutableRawPointer? { address(&values) }

  /// Reads the packed trace in `input` and keeps it by a number.
  @_expose(wasm, "open") @_cdecl("sb_open")
  public func exportOpen(_ number: Int32) -> Int32 {
    do {
      traces[number] = try PackedTrace.trace(from: input)
      input = []
      return 0
    } catch {
      return fault(error)
    }
  }

  /// Replaces the references of a task by those in `input`.
  @_expose(wasm, "label") @_cdecl("sb_label")
  public func exportLabel(_ number: Int32, _ task: Int32) -> Int32 {
    do {
      guard var trace = traces[number], ReferenceTask.allCases.indices.contains(Int(task)) else {
        return fault("an open trace and a task", found: "trace \(number), task \(task)")
      }
      let events = try PackedTrace.events(from: input)
      let task = ReferenceTask.allCases[Int(task)]
      if let place = trace.header.references.firstIndex(where: { $0.task == task }) {
        trace.header.references[place].events = events
      } else {
        trace.header.references.append(ReferenceSet(task: task, events: events))
      }
      traces[number] = trace
      return 0
    } catch {
      return fault(error)
    }
  }

  /// Runs a detector with `values`.
  /// - Parameters:
  ///   - settled: 1 = of what stays after withdrawals.
  ///   - early, late: the stated tolerance in ns; early below 0 = none is stated.
  /// - Returns: the number of scored detections.
  @_expose(wasm, "run") @_cdecl("sb_run")
  public func exportRun(
    _ number: Int32, _ detector: Int32, _ parameters: Int32, _ settled: Int32, _ early: Double,
    _ late: Double
  ) -> Int32 {
    guard let trace = traces[number], let detector = PageDetector(rawValue: Int(detector)),
      (0...64).contains(parameters)
    else {
      return fault("an open trace and a detector", found: "trace \(number), detector \(detector)")
    }
    do {
      // Detectors of other channels may read the same trace.
      let key = number * 16 + Int32(detector.channel.rawValue)
      let exposure = exposures[key] ?? detector.exposure(to: trace)
      exposures[key] = exposure
      let run = try detector.run(
        Array(values.prefix(Int(parameters))), on: trace, exposure: exposure)
      let kept = settled == 1 ? run.settled : run.detections
      let scored = kept.filter { $0.kind == run.task.rawValue }
      let tolerance =
        early >= 0 && early < 9e18 && late >= 0 && late < 9e18
        ? EventTolerance(early: .nanoseconds(Int64(early)), late: .nanoseconds(Int64(late))) : nil
      let score = try run.score(kept, header: trace.header, tolerance: tolerance)
      let outcomes = score.eventOutcomes
      // Other tasks have detections of several kinds, such as the splits of a track.
      let shown = outcomes == nil ? kept : scored
      result = Columns()
      result.onsets = shown.map { $0.onset.seconds }
      result.emitted = shown.map { $0.emitted.seconds }
      result.values = shown.map { $0.value }
      result.places = shown.map { $0.place ?? .min }
      if case .track(let track) = score {
        func measured(_ task: ReferenceTask) -> Double {
          run.measurements.first { $0.name == task.rawValue }?.value ?? .nan
        }
        result.track = [
          measured(.distance), track.trueDistance ?? .nan, measured(.movingTime),
          track.trueMovingTime ?? .nan,
        ]
      }
      guard let outcomes, let counted = score.eventCounts else { return Int32(shown.count) }
      result.outcomes = outcomes.detections.map { position(of: $0) }
      result.references = outcomes.references.map { position(of: $0) }
      result.partners = [Int32](repeating: -1, count: scored.count)
      let events = trace.header.reference(run.task)?.events ?? []
      for pair in outcomes.pairs {
        result.partners[pair.detection] = Int32(pair.reference)
        let onset = events[pair.reference].onset
        result.delays.append(
          Double(onset.nanoseconds(to: scored[pair.detection].emitted)) / 1e9)
      }
      if case .events(let judgement) = score {
        let confusion = judgement.score.confusion
        for label in confusion.labels { result.classes += Array(label.utf8) + [0] }
        result.confusion = confusion.counts.flatMap { row in row.map { Int32(clamping: $0) } }
      }
      result.counts = [
        Double(counted.counts.truePositives), Double(counted.counts.falsePositives),
        Double(counted.counts.falseNegatives), Double(counted.duplicates),
        Double(counted.scoredNanoseconds) / 3.6e12,
      ]
      return Int32(scored.count)
    } catch {
      return fault(error)
    }
  }

  private func position<Outcome: CaseIterable & Equatable>(of outcome: Outcome) -> UInt8 {
    var place: UInt8 = 0
    for candidate in Outcome.allCases {
      if candidate == outcome { return place }
      place += 1
    }
    return place
  }

  // MARK: What is drawn

  nonisolated(unsafe) private var drawn = Drawn()

  /// Columns of a trace for its picture; times in seconds, labels in ns.
  private struct Drawn {
    var times: [Double] = []
    var magnitudes: [Float] = []
    var latitudes: [Double] = []
    var longitudes: [Double] = []
    var accuracies: [Double] = []
    var labelOnsets: [Double] = []
    var labelOffsets: [Double] = []
    var labelTexts: [UInt8] = []
    var zoneOnsets: [Double] = []
    var zoneOffsets: [Double] = []
    /// Latitude, longitude and radius of each place.
    var places: [Double] = []
    /// The places in `FixUse.allCases`.
    var uses: [UInt8] = []
  }

  /// Reads the signal of a detector: times, and magnitudes or positions.
  /// - Returns: the number of readings.
  @_expose(wasm, "signal") @_cdecl("sb_signal")
  public func exportSignal(_ number: Int32, _ detector: Int32) -> Int32 {
    guard let trace = traces[number], let detector = PageDetector(rawValue: Int(detector)),
      let block = trace[detector.channel]
    else { return 0 }
    drawn.times = block.measuredTimes[block.range].map { Double($0) / 1e9 }
    (drawn.latitudes, drawn.longitudes, drawn.accuracies) = ([], [], [])
    switch block {
    case .vector(let columns):
      drawn.magnitudes = columns.range.map { columns[$0].magnitude }
    case .fix(let columns):
      let fixes = columns.values[columns.range]
      drawn.magnitudes = fixes.map { Float($0.speed.isNaN ? 0 : $0.speed) }
      drawn.latitudes = fixes.map { $0.latitude }
      drawn.longitudes = fixes.map { $0.longitude }
      drawn.accuracies = fixes.map { $0.horizontalAccuracy }
    default: drawn.magnitudes = [Float](repeating: 0, count: block.count)
    }
    return Int32(block.count)
  }

  /// Reads the references of a task.
  /// - Returns: their number.
  @_expose(wasm, "labels") @_cdecl("sb_labels")
  public func exportLabels(_ number: Int32, _ task: Int32) -> Int32 {
    guard let trace = traces[number], ReferenceTask.allCases.indices.contains(Int(task)) else {
      return 0
    }
    let events = trace.header.reference(ReferenceTask.allCases[Int(task)])?.events ?? []
    drawn.labelOnsets = events.map { Double($0.onset.nanoseconds) }
    drawn.labelOffsets = events.map { Double($0.offset.nanoseconds) }
    drawn.labelTexts = []
    for event in events { drawn.labelTexts += Array(event.label.utf8) + [0] }
    return Int32(events.count)
  }

  /// Reads the places that a detector knows: latitude, longitude and radius (m) of each.
  /// - Returns: their number.
  @_expose(wasm, "readPlaces") @_cdecl("sb_read_places")
  public func exportReadPlaces(_ number: Int32) -> Int32 {
    let places = traces[number]?.header.places ?? []
    drawn.places = places.flatMap { [$0.latitude, $0.longitude, $0.radius] }
    return Int32(places.count)
  }

  /// Runs a detector with `values`, and reads what it makes of each fix and the places with the radii
  /// that it takes.
  /// - Returns: the number of fixes; 0 = the detector does not report it.
  @_expose(wasm, "readUses") @_cdecl("sb_read_uses")
  public func exportReadUses(_ number: Int32, _ detector: Int32, _ parameters: Int32) -> Int32 {
    guard let trace = traces[number], let detector = PageDetector(rawValue: Int(detector)),
      (0...64).contains(parameters)
    else {
      return fault("an open trace and a detector", found: "trace \(number), detector \(detector)")
    }
    do {
      guard
        let run = try detector.fixRun(Array(values.prefix(Int(parameters))), on: trace),
        let uses = run.uses
      else { return 0 }
      drawn.uses = uses.map { position(of: $0) }
      drawn.places = run.places.flatMap { [$0.latitude, $0.longitude, $0.radius] }
      return Int32(uses.count)
    } catch {
      return fault(error)
    }
  }

  /// Reads the ignore zones.
  /// - Returns: their number.
  @_expose(wasm, "zones") @_cdecl("sb_zones")
  public func exportZones(_ number: Int32) -> Int32 {
    let zones = traces[number]?.header.ignoreZones ?? []
    drawn.zoneOnsets = zones.map { Double($0.onset.nanoseconds) }
    drawn.zoneOffsets = zones.map { Double($0.offset.nanoseconds) }
    return Int32(zones.count)
  }

#endif
