import TraceModel

/// The clocks in `meta/time.csv`: experiment time, which stops during a pause, and wall clock.
struct PhyphoxClock {
  struct Pause: Equatable {
    /// Nanoseconds of experiment time.
    var position: Int64
    /// Nanoseconds.
    var length: Int64
  }

  private struct Event {
    var isStart: Bool
    var experiment: Int64
    var system: Int64
  }

  /// People press a button for each: more are not of a recording, and each is a finding, and work for each reading.
  private static let mostPauses = 1000

  private(set) var pauses: [Pause] = []
  /// Nanoseconds from 1970 to the zero of experiment time.
  private var epoch: Int64?
  /// The file, for messages; nil = there is none.
  private let place: String?

  static func isMeta(_ entry: RecordingFiles.Entry) -> Bool {
    ["meta/time.csv", "meta/device.csv"].contains(entry.name.lowercased())
  }

  init(_ files: RecordingFiles, _ recording: inout AppRecording) throws(TraceError) {
    let entry = files.entry("meta/time.csv")
    place = entry?.place
    guard let entry else { return }
    let events = try PhyphoxClock.events(files, entry, &recording)
    if let first = events.first, first.isStart {
      epoch = first.system.subtractingClamped(first.experiment)
    }
    for (pause, start) in zip(events, events.dropFirst()) where !pause.isStart && start.isStart {
      let elapsed = start.system.subtractingClamped(pause.system)
      let shownTime = start.experiment.subtractingClamped(pause.experiment)
      let hidden = elapsed.subtractingClamped(shownTime)
      if hidden > 0 { pauses.append(Pause(position: pause.experiment, length: hidden)) }
    }
  }

  private static func events(
    _ files: RecordingFiles, _ entry: RecordingFiles.Entry, _ recording: inout AppRecording
  ) throws(TraceError) -> [Event] {
    var scanner = try DelimitedScanner(files.open(entry), separator: nil)
    guard try scanner.next() else { return [] }
    let names = scanner.texts
    var columns: [Int] = []
    for name in ["event", "experiment time", "system time"] {
      guard let found = names.lastIndex(of: name) else {
        throw scanner.fault(
          "the columns event, experiment time and system time", found: "no \(name)",
          remedy: "export the recording again")
      }
      columns.append(found)
    }
    var events: [Event] = []
    while try scanner.next() {
      do throws(TraceError) {
        if let damage = RecordReader.damage(of: scanner, columnCount: names.count) { throw damage }
        if let event = try event(scanner, columns) { events.append(event) }
      } catch {
        try recording.lose(error)
      }
      guard events.count <= 2 * mostPauses else {
        throw scanner.fault(
          "at most \(mostPauses) pauses", found: "more", remedy: "split the recording")
      }
    }
    return events
  }

  /// Nil = an event of another kind.
  private static func event(
    _ scanner: borrowing DelimitedScanner, _ columns: [Int]
  ) throws(TraceError) -> Event? {
    let kind = scanner.text(columns[0])
    guard kind == "START" || kind == "PAUSE" else { return nil }
    return Event(
      isStart: kind == "START", experiment: try scanner.time(columns[1], power: 9),
      system: try scanner.time(columns[2], power: 9))
  }

  /// Returns an experiment time plus the pauses before it.
  static func wall(_ experiment: Int64, _ pauses: [Pause]) -> Int64 {
    var time = experiment
    for pause in pauses where experiment > pause.position {
      time = time.addingClamped(pause.length)
    }
    return time
  }

  func notes(_ treatment: PauseTreatment) -> [String] {
    guard place != nil else {
      return ["There is no meta/time.csv: the wall clock and any pauses are unknown."]
    }
    var notes: [String] = []
    if epoch == nil { notes.append("meta/time.csv has no START event: the wall clock is unknown.") }
    if !pauses.isEmpty, treatment == .insert {
      notes.append(
        "Pauses inserted: \(pauses.count). Labels in experiment time are valid only before the "
          + "first pause.")
    }
    return notes
  }

  /// Sets the epoch, and reports the pauses.
  func apply(to imported: inout ImportedTrace, _ treatment: PauseTreatment) {
    imported.labelsFollowFileClock = true
    if let epoch {
      imported.header.epoch = CivilTime.text(nanoseconds: epoch.addingClamped(imported.origin))
      imported.header.isEpochKnown = true
    }
    for (index, pause) in pauses.enumerated() {
      let before = treatment == .insert ? Array(pauses[..<index]) : []
      let position = PhyphoxClock.wall(pause.position, before)
      let start = TraceInstant(position, since: imported.origin)
      let end = treatment == .insert ? start.advanced(byNanoseconds: pause.length) : start
      let (length, at) = (decimalSeconds(pause.length), decimalSeconds(pause.position))
      imported.report.findings.append(
        Finding(
          "hidden-pause", .warning, place: place ?? "", start: start, end: end,
          message: "The recording was paused for \(length) s at \(at) s of experiment time, "
            + (treatment == .insert
              ? "and later readings are moved by that."
              : "which its times do not show; --pauses insert moves later readings.")))
    }
  }
}

/// The phone in `meta/device.csv`.
struct PhyphoxDevice {
  private var properties: [String: String] = [:]

  /// Nil = there is no such file.
  init?(_ files: RecordingFiles, _ recording: inout AppRecording) throws(TraceError) {
    guard let entry = files.entry("meta/device.csv") else { return nil }
    var scanner = try DelimitedScanner(files.open(entry), separator: nil)
    while try scanner.next() {
      if let damage = RecordReader.damage(of: scanner, columnCount: 2) {
        try recording.lose(damage)
        continue
      }
      properties[scanner.text(0)] = scanner.text(1)
    }
    recording.report.unmappedColumns.append("\(entry.name): all but model and versions")
  }

  func describe(_ header: inout TraceHeader) {
    let brand = properties["deviceBrand"] ?? ""
    let model = properties["deviceModel"] ?? ""
    let system = brand.lowercased() == "apple" ? "iOS" : "Android"
    let release = properties["deviceRelease"].map { $0.isEmpty ? "" : "\(system) \($0)" } ?? ""
    let name = [brand, model].filter { !$0.isEmpty }.joined(separator: " ")
    header.device = [name, release].filter { !$0.isEmpty }.joined(separator: ", ")
    if let version = properties["version"], !version.isEmpty {
      header.source += ", phyphox \(version)"
    }
  }
}
