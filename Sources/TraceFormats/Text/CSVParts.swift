import TraceModel

/// The traces that a CSV is split into, under construction.
struct CSVParts {
  private let plan: CSVPlan
  private let options: CSVOptions
  private var parts: [CSVPart] = []
  private var positions: [[UInt8]: Int] = [:]
  private var current = 0
  /// The damaged records before the first part.
  private var firstLosses = ImportReport.Losses()
  private let spool = ReadingSpool()
  /// The number of records since all parts moved their readings to the spool.
  private var recent = 0

  /// Each part keeps some thousand readings before it moves them to the spool; many parts would
  /// keep the whole file.
  private static let mostRecent = 1 << 18
  private static let fewParts = 32

  init(plan: CSVPlan, options: CSVOptions) {
    (self.plan, self.options) = (plan, options)
    if plan.split == nil {
      parts = [CSVPart(plan: plan, value: nil, sort: options.sort, spool: spool)]
    }
  }

  /// - Throws: if the record does not state its part.
  mutating func add(
    _ times: RecordTimes, _ values: [Double], _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) {
    if let split = plan.split { try select(split, scanner) }
    try parts[current].add(times, values, scanner, plan)
    recent += 1
    guard recent >= CSVParts.mostRecent else { return }
    recent = 0
    guard parts.count > CSVParts.fewParts else { return }
    for index in parts.indices { try parts[index].spool() }
  }

  /// A damaged record counts for the part of the previous record, because its own value is not
  /// reliable.
  mutating func addLoss(_ error: TraceError) {
    if parts.isEmpty {
      firstLosses.add(error)
    } else {
      parts[current].addLoss(error)
    }
  }

  /// - Throws: if the file is split and no record can be read.
  func finish(fileName: String) throws(TraceError) -> [ImportedTrace] {
    guard !parts.isEmpty else {
      throw firstLosses.first.first
        ?? TraceError(
          place: fileName, expected: "records to split", found: "only a header line",
          remedy: "check the recording")
    }
    if let stated = options.noEventLabel, !stated.isEmpty, plan.reference != nil {
      try requireLabel(stated, fileName)
    }
    return try parts.map { part throws(TraceError) in
      try part.finish(plan: plan, options: options, fileName: fileName)
    }
  }

  /// Checks for a mistyped label, which would turn samples at which nothing happens into events.
  private func requireLabel(_ stated: String, _ place: String) throws(TraceError) {
    let labels = Set(parts.flatMap(\.labelNames)).sorted()
    guard !labels.isEmpty, !labels.contains(stated) else { return }
    throw TraceError(
      place: place, expected: "the label \(Excerpt.of(stated)) of --no-event-label",
      found: "the labels \(Excerpt.list(labels))", remedy: "correct --no-event-label")
  }

  private mutating func select(
    _ column: Int, _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) {
    if !parts.isEmpty, let value = parts[current].value, scanner.holds(column, value) { return }
    let value = scanner.bytes(column)
    guard !value.isEmpty else {
      throw scanner.fault("a value in the --split-by column", found: "none")
    }
    current = positions[value] ?? parts.count
    guard current == parts.count else { return }
    positions[value] = current
    parts.append(CSVPart(plan: plan, value: value, sort: options.sort, spool: spool))
    parts[current].takeFirstLosses(&firstLosses)
  }
}

/// One trace under construction.
struct CSVPart {
  /// The value of the column that the file is split by.
  let value: [UInt8]?
  private var assembly: TraceAssembly
  private var handles: [TraceAssembly.Handle] = []
  private var labels: LabelColumn
  private var metadata: [[UInt8]?]
  private var report = ImportReport()
  private var last: RecordTimes?
  private var lacksZone = false
  private var leapSeconds = 0

  init(plan: CSVPlan, value: [UInt8]?, sort: Bool, spool: ReadingSpool) {
    self.value = value
    labels = LabelColumn(sort: sort)
    assembly = TraceAssembly(spool: spool)
    for channel in plan.channels { handles.append(assembly.open(channel.channel)) }
    metadata = plan.metadata.map { _ in nil }
    report.unmappedColumns = plan.unmapped
  }

  /// The labels in the column of references.
  var labelNames: [String] { labels.decodedNames }

  /// Moves all readings to the spool.
  mutating func spool() throws(TraceError) { try assembly.seal() }

  /// Takes over the losses before the first part.
  mutating func takeFirstLosses(_ losses: inout ImportReport.Losses) {
    swap(&report.losses, &losses)
    report.recordsRead += report.losses.count
    losses = ImportReport.Losses()
  }

  mutating func addLoss(_ error: TraceError) {
    report.recordsRead += 1
    report.losses.add(error)
  }

  mutating func add(
    _ times: RecordTimes, _ values: [Double], _ scanner: borrowing DelimitedScanner,
    _ plan: CSVPlan
  ) throws(TraceError) {
    report.recordsRead += 1
    var added = 0
    for (handle, channel) in zip(handles, plan.channels)
    where try assembly.append(times, values, channel, to: handle) {
      added += 1
    }
    report.samples += added
    report.missing += handles.count - added
    guard added > 0 else { return }
    count(times)
    if let column = plan.reference { labels.add(times, column, scanner) }
    for (index, entry) in plan.metadata.enumerated() {
      note(entry.field, index, entry.index, scanner)
    }
  }

  private mutating func count(_ times: RecordTimes) {
    if times.lacksZone { lacksZone = true }
    leapSeconds += times.leapSeconds
    if let last {
      if times.measured == last.measured { report.duplicatedTimes += 1 }
      if times.measured < last.measured || times.arrived < last.arrived {
        report.backwardTimes += 1
      }
    }
    last = times
  }

  private mutating func note(
    _ field: CSVMetadata.Field, _ index: Int, _ column: Int, _ scanner: borrowing DelimitedScanner
  ) {
    guard let first = metadata[index] else {
      metadata[index] = scanner.bytes(column)
      return
    }
    guard !scanner.holds(column, first) else { return }
    let start = "The \(field.rawValue) is not constant"
    guard !report.notes.contains(where: { $0.hasPrefix(start) }) else { return }
    let (kept, other) = (Excerpt.of(decoded(first)), Excerpt.of(scanner.text(column)))
    report.notes.append("\(start): \(kept) is kept, line \(scanner.line) has \(other).")
  }

  func finish(
    plan: CSVPlan, options: CSVOptions, fileName: String
  ) throws(TraceError) -> ImportedTrace {
    let base = options.id ?? FilePath.stem(fileName)
    var header = TraceHeader(id: value.map { "\(base)-\(decoded($0))" } ?? base, origin: .recorded)
    header.source = FilePath.lastComponent(fileName)
    var report = self.report
    // The time before the first sample was not recorded, so it must not count.
    let origin = assembly.earliest ?? 0
    let hand = apply(plan.metadata.map(\.field), to: &header)
    report.notes += unknownHands(plan.metadata.map(\.field))
    report.notes += timeNotes(origin: origin, isAbsolute: plan.isAbsolute)
    if plan.reference != nil {
      try labels.requireNoEventLabel(options, place: fileName)
      let events = labels.events(origin: origin, hand: hand, options: options)
      header.references = [
        ReferenceSet(
          task: options.referenceTask, events: events,
          definition: "run of samples with one label, from its first sample to its last")
      ]
    }
    return try assembly.finish(
      header, report: report, isAbsolute: plan.isAbsolute, sort: options.sort)
  }

  /// Returns notes about unknown hands.
  private func unknownHands(_ fields: [CSVMetadata.Field]) -> [String] {
    zip(fields, metadata).compactMap { field, bytes in
      let value = decoded(bytes ?? [])
      guard field == .handedness || field == .hand, !value.isEmpty,
        PunchLabel.hand(value) == .unknown, value.lowercased() != Hand.unknown.name
      else { return nil }
      return "The \(field.rawValue) \(Excerpt.of(value)) is not left, right, lead or rear: "
        + "the hand is unknown."
    }
  }

  /// Fills in what the metadata columns say; returns the hand of the events.
  private func apply(_ fields: [CSVMetadata.Field], to header: inout TraceHeader) -> Hand {
    var hand = Hand.unknown
    for (field, bytes) in zip(fields, metadata) {
      let value = decoded(bytes ?? [])
      switch field {
      case .subject: header.subject = value
      case .activity: header.activity = value
      case .placement: header.placement = value
      case .device: header.device = value
      case .handedness: header.handedness = PunchLabel.hand(value)
      case .hand: hand = PunchLabel.hand(value)
      }
    }
    return hand
  }

  private func timeNotes(origin: Int64, isAbsolute: Bool) -> [String] {
    var notes: [String] = []
    if lacksZone { notes.append("Dates without a zone are read as UTC.") }
    notes += CivilTime.leapSecondNotes(leapSeconds)
    guard !isAbsolute else { return notes }
    if origin != 0 {
      notes.append(
        "Times are shifted by \(decimalSeconds(Int64(0).subtractingClamped(origin))) s, so that the "
          + "trace starts at its earliest sample; labels are shifted by the same amount.")
    }
    // More than three years: possible for Unix times, not for a recording's own clock.
    if origin > 100_000_000_000_000_000 {
      notes.append(
        "The first time is \(decimalSeconds(origin)) s after zero: if these are Unix times, "
          + "pass --epoch unix.")
    }
    return notes
  }
}

extension TraceAssembly {
  /// Appends the values of a record for one channel.
  /// - Returns: false if a required value is missing.
  mutating func append(
    _ times: RecordTimes, _ values: [Double], _ plan: CSVPlan.ChannelPlan,
    to handle: TraceAssembly.Handle
  ) throws(TraceError) -> Bool {
    let base = plan.base
    for slot in base..<(base + plan.required) where values[slot].isNaN { return false }
    let (measured, arrived) = (times.measured, times.arrived)
    switch plan.width {
    case 3:
      let vector = Vector3(
        x: Float(values[base]), y: Float(values[base + 1]), z: Float(values[base + 2]))
      try append(vector, to: handle, measured: measured, arrived: arrived)
    case 7:
      let fix = Fix(
        latitude: values[base], longitude: values[base + 1], altitude: values[base + 2],
        horizontalAccuracy: values[base + 3], speed: values[base + 4],
        speedAccuracy: values[base + 5], course: values[base + 6])
      try append(fix, to: handle, measured: measured, arrived: arrived)
    case _ where plan.channel == .local:
      let position = LocalPosition(x: values[base], y: values[base + 1])
      try append(position, to: handle, measured: measured, arrived: arrived)
    case _ where plan.channel == .heartbeat:
      // The plan ensures that both are whole and in range.
      let heartbeat = Heartbeat(
        peer: Int32(values[base]), sequence: Int64(exactly: values[base + 1]) ?? -1)
      try append(heartbeat, to: handle, measured: measured, arrived: arrived)
    case _ where plan.channel == .touch:
      // The plan ensures that the code is a phase's, and that the pointer is whole and in range.
      let touch = Touch(
        x: values[base], y: values[base + 1],
        phase: Int8(exactly: values[base + 2]).flatMap { Touch.Phase(rawValue: $0) } ?? .cancelled,
        pointer: Int32(exactly: values[base + 3]) ?? 0)
      try append(touch, to: handle, measured: measured, arrived: arrived)
    default:
      let scalar = Scalar(value: values[base], accuracy: values[base + 1])
      try append(scalar, to: handle, measured: measured, arrived: arrived)
    }
    return true
  }
}

private func decoded(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// The labels of the samples, as runs.
private struct LabelColumn {
  private struct Sample {
    var label: Int
    var measured: Int64
    var arrived: Int64
  }

  /// Consecutive samples with one label.
  private struct Run {
    var label: Int
    var earliest: Int64
    var latest: Int64

    /// Returns false if the sample has another label.
    mutating func extend(by sample: Sample) -> Bool {
      guard sample.label == label else { return false }
      earliest = min(earliest, sample.measured)
      latest = max(latest, sample.measured)
      return true
    }
  }

  private var runs: [Run] = []
  /// All samples if they have to be sorted first; otherwise the runs are enough.
  private var samples: [Sample] = []
  private let sort: Bool
  private var last: Int?
  private var names: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]

  init(sort: Bool) { self.sort = sort }

  mutating func add(_ times: RecordTimes, _ column: Int, _ scanner: borrowing DelimitedScanner) {
    let label = number(column, scanner)
    last = label
    let sample = Sample(label: label, measured: times.measured, arrived: times.arrived)
    if sort { samples.append(sample) } else { LabelColumn.add(sample, to: &runs) }
  }

  private mutating func number(_ column: Int, _ scanner: borrowing DelimitedScanner) -> Int {
    if let last, scanner.holds(column, names[last]) { return last }
    let name = scanner.bytes(column)
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  private static func add(_ sample: Sample, to runs: inout [Run]) {
    if runs.isEmpty || !runs[runs.count - 1].extend(by: sample) {
      let time = sample.measured
      runs.append(Run(label: sample.label, earliest: time, latest: time))
    }
  }

  var decodedNames: [String] { names.map { decoded($0) }.filter { !$0.isEmpty } }

  /// - Throws: if every sample has a label, and the options do not state which one means that nothing
  ///   happens.
  func requireNoEventLabel(_ options: CSVOptions, place: String) throws(TraceError) {
    guard options.requiresNoEventLabel, options.noEventLabel == nil, !names.isEmpty,
      !names.contains(where: \.isEmpty)
    else { return }
    throw TraceError(
      place: "mapping", expected: "a label or an empty cell for samples at which nothing happens",
      found: "the labels \(Excerpt.list(names.map(decoded)))",
      remedy: "name the one that means nothing with --no-event-label, or '' for none")
  }

  /// Returns the runs of one label on the trace's time axis.
  func events(origin: Int64, hand: Hand, options: CSVOptions) -> [ReferenceEvent] {
    var runs = self.runs
    // Sorting is stable.
    for sample in samples.sorted(by: { $0.arrived < $1.arrived }) {
      LabelColumn.add(sample, to: &runs)
    }
    let isPunch = options.referenceTask == .punch
    let classes = names.map { name in
      isPunch ? PunchLabel.classify(decoded(name)) : (label: decoded(name), hand: .unknown)
    }
    let isEvent = names.map { !$0.isEmpty && decoded($0) != options.noEventLabel }
    return runs.filter { isEvent[$0.label] }.map { run in
      let (label, own) = classes[run.label]
      return ReferenceEvent(
        onset: TraceInstant(run.earliest, since: origin),
        offset: TraceInstant(run.latest, since: origin), label: label,
        originalLabel: decoded(names[run.label]), hand: own == .unknown ? hand : own)
    }.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }
}
