// The functions of the module that a report runs. JavaScript writes bytes into `input` and calls them;
// a number below 0 means that `message` says what is wrong. The module has one thread, and the page
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
    /// Hits, false alarms, misses, duplicates, scored hours.
    var counts: [Double] = []
    /// Of a track: the measured distance (m), the true one, the moving time (s), the true one.
    var track: [Double] = []
    /// Of hits, the time from the reference to the report, in s.
    var delays: [Double] = []
    /// Of hits, the classes of both sides: texts that end with 0, and a row of counts for each.
    var classes: [UInt8] = []
    var confusion: [Int32] = []
  }

  func fault(_ error: TraceError) -> Int32 {
    message = Array(error.description.utf8)
    return -1
  }

  func fault(_ expected: String, found: String) -> Int32 {
    fault(TraceError(place: "page", expected: expected, found: found))
  }

  func address<Element>(_ column: inout [Element]) -> UnsafeMutablePointer<Element>? {
    column.withUnsafeMutableBufferPointer { $0.baseAddress }
  }

  /// Where `count` bytes can be written.
  @_expose(wasm, "input") @_cdecl("sb_input")
  public func exportInput(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    input = [UInt8](repeating: 0, count: Int(count))
    return address(&input)
  }

  @_expose(wasm, "message") @_cdecl("sb_message")
  public func exportMessage() -> UnsafeMutablePointer<UInt8>? { address(&message) }

  @_expose(wasm, "messageLength") @_cdecl("sb_message_length")
  public func exportMessageLength() -> Int32 { Int32(message.count) }

  /// Where the values of up to 64 parameters can be written.
  @_expose(wasm, "values") @_cdecl("sb_values")
  public func exportValues() -> UnsafeMutablePointer<Double>? { address(&values) }

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

  @_expose(wasm, "close") @_cdecl("sb_close")
  public func exportClose(_ number: Int32) {
    traces[number] = nil
    for channel in Channel.allCases { exposures[number * 16 + Int32(channel.rawValue)] = nil }
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
      result = Columns()
      result.onsets = scored.map { $0.onset.seconds }
      result.emitted = scored.map { $0.emitted.seconds }
      result.values = scored.map { $0.value }
      result.places = scored.map { $0.place ?? .min }
      if case .track(let track) = score {
        func measured(_ task: ReferenceTask) -> Double {
          run.measurements.first { $0.name == task.rawValue }?.value ?? .nan
        }
        result.track = [
          measured(.distance), track.trueDistance ?? .nan, measured(.movingTime),
          track.trueMovingTime ?? .nan,
        ]
      }
      guard let outcomes = score.eventOutcomes, let counted = score.eventCounts else {
        // E.g. the splits of a track.
        result.onsets = kept.map { $0.onset.seconds }
        result.emitted = kept.map { $0.emitted.seconds }
        result.values = kept.map { $0.value }
        result.places = kept.map { $0.place ?? .min }
        return Int32(kept.count)
      }
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

  @_expose(wasm, "onsets") @_cdecl("sb_onsets")
  public func exportOnsets() -> UnsafeMutablePointer<Double>? { address(&result.onsets) }

  @_expose(wasm, "emitted") @_cdecl("sb_emitted")
  public func exportEmitted() -> UnsafeMutablePointer<Double>? { address(&result.emitted) }

  @_expose(wasm, "peaks") @_cdecl("sb_peaks")
  public func exportPeaks() -> UnsafeMutablePointer<Double>? { address(&result.values) }

  @_expose(wasm, "detectionPlaces") @_cdecl("sb_detection_places")
  public func exportDetectionPlaces() -> UnsafeMutablePointer<Int32>? { address(&result.places) }

  @_expose(wasm, "outcomes") @_cdecl("sb_outcomes")
  public func exportOutcomes() -> UnsafeMutablePointer<UInt8>? { address(&result.outcomes) }

  @_expose(wasm, "references") @_cdecl("sb_references")
  public func exportReferences() -> UnsafeMutablePointer<UInt8>? { address(&result.references) }

  @_expose(wasm, "referenceCount") @_cdecl("sb_reference_count")
  public func exportReferenceCount() -> Int32 { Int32(result.references.count) }

  @_expose(wasm, "partners") @_cdecl("sb_partners")
  public func exportPartners() -> UnsafeMutablePointer<Int32>? { address(&result.partners) }

  /// Hits, false alarms, misses, duplicates, scored hours; 0 = the task is not scored by events.
  @_expose(wasm, "counts") @_cdecl("sb_counts")
  public func exportCounts() -> UnsafeMutablePointer<Double>? { address(&result.counts) }

  @_expose(wasm, "countsLength") @_cdecl("sb_counts_length")
  public func exportCountsLength() -> Int32 { Int32(result.counts.count) }

  @_expose(wasm, "track") @_cdecl("sb_track")
  public func exportTrack() -> UnsafeMutablePointer<Double>? { address(&result.track) }

  @_expose(wasm, "trackLength") @_cdecl("sb_track_length")
  public func exportTrackLength() -> Int32 { Int32(result.track.count) }

  @_expose(wasm, "delays") @_cdecl("sb_delays")
  public func exportDelays() -> UnsafeMutablePointer<Double>? { address(&result.delays) }

  @_expose(wasm, "delaysLength") @_cdecl("sb_delays_length")
  public func exportDelaysLength() -> Int32 { Int32(result.delays.count) }

  @_expose(wasm, "classes") @_cdecl("sb_classes")
  public func exportClasses() -> UnsafeMutablePointer<UInt8>? { address(&result.classes) }

  @_expose(wasm, "classesLength") @_cdecl("sb_classes_length")
  public func exportClassesLength() -> Int32 { Int32(result.classes.count) }

  /// Hits by class: a row for each reference's, a column for each detection's.
  @_expose(wasm, "confusion") @_cdecl("sb_confusion")
  public func exportConfusion() -> UnsafeMutablePointer<Int32>? { address(&result.confusion) }

  @_expose(wasm, "confusionLength") @_cdecl("sb_confusion_length")
  public func exportConfusionLength() -> Int32 { Int32(result.confusion.count) }

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

  @_expose(wasm, "times") @_cdecl("sb_times")
  public func exportTimes() -> UnsafeMutablePointer<Double>? { address(&drawn.times) }

  @_expose(wasm, "magnitudes") @_cdecl("sb_magnitudes")
  public func exportMagnitudes() -> UnsafeMutablePointer<Float>? { address(&drawn.magnitudes) }

  @_expose(wasm, "latitudes") @_cdecl("sb_latitudes")
  public func exportLatitudes() -> UnsafeMutablePointer<Double>? {
    drawn.latitudes.isEmpty ? nil : address(&drawn.latitudes)
  }

  @_expose(wasm, "longitudes") @_cdecl("sb_longitudes")
  public func exportLongitudes() -> UnsafeMutablePointer<Double>? {
    drawn.longitudes.isEmpty ? nil : address(&drawn.longitudes)
  }

  @_expose(wasm, "accuracies") @_cdecl("sb_accuracies")
  public func exportAccuracies() -> UnsafeMutablePointer<Double>? {
    drawn.accuracies.isEmpty ? nil : address(&drawn.accuracies)
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

  @_expose(wasm, "labelOnsets") @_cdecl("sb_label_onsets")
  public func exportLabelOnsets() -> UnsafeMutablePointer<Double>? { address(&drawn.labelOnsets) }

  @_expose(wasm, "labelOffsets") @_cdecl("sb_label_offsets")
  public func exportLabelOffsets() -> UnsafeMutablePointer<Double>? { address(&drawn.labelOffsets) }

  @_expose(wasm, "labelTexts") @_cdecl("sb_label_texts")
  public func exportLabelTexts() -> UnsafeMutablePointer<UInt8>? { address(&drawn.labelTexts) }

  @_expose(wasm, "labelTextsLength") @_cdecl("sb_label_texts_length")
  public func exportLabelTextsLength() -> Int32 { Int32(drawn.labelTexts.count) }

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
  /// - Returns: the number of fixes; 0 = it does not tell.
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

  /// The places in `FixUse.allCases`.
  @_expose(wasm, "uses") @_cdecl("sb_uses")
  public func exportUses() -> UnsafeMutablePointer<UInt8>? { address(&drawn.uses) }

  @_expose(wasm, "places") @_cdecl("sb_places")
  public func exportPlaces() -> UnsafeMutablePointer<Double>? { address(&drawn.places) }

  /// Reads the ignore zones.
  /// - Returns: their number.
  @_expose(wasm, "zones") @_cdecl("sb_zones")
  public func exportZones(_ number: Int32) -> Int32 {
    let zones = traces[number]?.header.ignoreZones ?? []
    drawn.zoneOnsets = zones.map { Double($0.onset.nanoseconds) }
    drawn.zoneOffsets = zones.map { Double($0.offset.nanoseconds) }
    return Int32(zones.count)
  }

  @_expose(wasm, "zoneOnsets") @_cdecl("sb_zone_onsets")
  public func exportZoneOnsets() -> UnsafeMutablePointer<Double>? { address(&drawn.zoneOnsets) }

  @_expose(wasm, "zoneOffsets") @_cdecl("sb_zone_offsets")
  public func exportZoneOffsets() -> UnsafeMutablePointer<Double>? { address(&drawn.zoneOffsets) }
#endif
