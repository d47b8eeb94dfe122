import TraceModel

/// The traces that a CSV is split into, while it is read.
struct CSVParts {
  private let plan: CSVPlan
  private let options: CSVOptions
  private var parts: [CSVPart] = []
  private var positions: [[UInt8]: Int] = [:]
  private var current = 0
  /// Damaged records before the first part is known.
  private var firstLosses: [TraceError] = []

  init(plan: CSVPlan, options: CSVOptions) {
    self.plan = plan
    self.options = options
    if plan.split == nil { parts = [CSVPart(plan: plan, value: nil)] }
  }

  /// - Throws: where the record does not say to which part it belongs.
  mutating func add(
    _ times: RecordTimes, _ values: [Double], _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) {
    if let split = plan.split { try select(split, scanner) }
    parts[current].add(times, values, scanner, plan)
  }

  /// A damaged record counts for the part of the record before it: what it says of its own part
  /// cannot be trusted.
  mutating func addLoss(_ error: TraceError) {
    if parts.isEmpty {
      firstLosses.append(error)
    } else {
      parts[current].addLoss(error)
    }
  }

  /// - Throws: where the file was to be split and no record could be read.
  func finish(fileName: String) throws(TraceError) -> [ImportedTrace] {
    guard !parts.isEmpty else {
      throw firstLosses.first
        ?? TraceError(
          place: fileName, expected: "records to split", found: "only a header line",
          remedy: "check the recording")
    }
    return parts.map { $0.finish(plan: plan, options: options, fileName: fileName) }
  }

  private mutating func select(
    _ column: Int, _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) {
    if !parts.isEmpty, let value = parts[current].value, scanner.holds(column, value) { return }
    let value = scanner.bytes(column)
    guard !value.isEmpty else {
      throw TraceError(
        place: scanner.place, expected: "a value in the column to split by", found: "none")
    }
    if let position = positions[value] {
      current = position
      return
    }
    current = parts.count
    positions[value] = current
    parts.append(CSVPart(plan: plan, value: value))
    for loss in firstLosses { parts[current].addLoss(loss) }
    firstLosses = []
  }
}

/// One trace in the making.
struct CSVPart {
  /// The value of the column that the file is split by.
  let value: [UInt8]?
  private var channels: [ChannelColumns]
  private var labels = LabelColumn()
  private var metadata: [[UInt8]?]
  private var report = ImportReport()
  private var last: RecordTimes?
  private var lacksZone = false

  init(plan: CSVPlan, value: [UInt8]?) {
    self.value = value
    channels = plan.channels.map { ChannelColumns($0) }
    metadata = plan.metadata.map { _ in nil }
    report.unmappedColumns = plan.unmapped
  }

  mutating func addLoss(_ error: TraceError) {
    report.recordsRead += 1
    report.losses.add(error)
  }

  mutating func add(
    _ times: RecordTimes, _ values: [Double], _ scanner: borrowing DelimitedScanner,
    _ plan: CSVPlan
  ) {
    report.recordsRead += 1
    var added = 0
    for index in channels.indices where channels[index].add(times, values) { added += 1 }
    report.samples += added
    report.missing += channels.count - added
    guard added > 0 else { return }
    count(times)
    if let column = plan.reference { labels.add(times, column, scanner) }
    for (index, entry) in plan.metadata.enumerated() {
      note(entry.field, index, entry.index, scanner)
    }
  }

  private mutating func count(_ times: RecordTimes) {
    if times.lacksZone { lacksZone = true }
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

  func finish(plan: CSVPlan, options: CSVOptions, fileName: String) -> ImportedTrace {
    let base = options.id ?? FilePath.stem(fileName)
    var header = TraceHeader(
      id: value.map { "\(base)-\(decoded($0))" } ?? base, origin: .recorded)
    header.source = FilePath.lastComponent(fileName)
    var report = self.report
    // What lies before the first sample was not recorded, so it must not count as recorded time.
    let origin = channels.compactMap { $0.measured.min() }.min() ?? 0
    if plan.isAbsolute, report.samples > 0 {
      header.epoch = CivilTime.text(nanoseconds: origin)
      header.isEpochKnown = true
    }
    let hand = apply(plan.metadata.map(\.field), to: &header)
    report.notes += unknownHands(plan.metadata.map(\.field))
    report.notes += timeNotes(origin: origin, isAbsolute: plan.isAbsolute)
    if plan.reference != nil {
      let events = labels.events(
        origin: origin, hand: hand, options: options)
      header.references = [
        ReferenceSet(
          task: options.referenceTask, events: events,
          definition: "run of samples with one label, from its first sample to its last")
      ]
    }
    let latest = channels.flatMap { [$0.measured.max(), $0.arrived.max()] }.compactMap(\.self).max()
    header.end = TraceInstant(nanoseconds: (latest ?? origin).subtractingClamped(origin))
    var trace = Trace(header: header)
    for columns in channels {
      trace.set(columns.block(origin: origin, sort: options.sort), for: columns.plan.channel)
    }
    return ImportedTrace(trace: trace, report: report, origin: origin)
  }

  /// Hands that are none that is known: said rather than lost.
  private func unknownHands(_ fields: [CSVMetadata.Field]) -> [String] {
    zip(fields, metadata).compactMap { field, bytes in
      let value = decoded(bytes ?? [])
      guard field == .handedness || field == .hand, !value.isEmpty,
        PunchLabel.hand(value) == .unknown, value.lowercased() != Hand.unknown.name
      else { return nil }
      return "The \(field.rawValue) \(Excerpt.of(value)) is neither left nor right, lead nor rear: "
        + "it is taken as unknown."
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
    if lacksZone { notes.append("Dates without a zone were taken as UTC.") }
    guard !isAbsolute else { return notes }
    if origin != 0 {
      notes.append(
        "Times were shifted by \(decimalSeconds(Int64(0).subtractingClamped(origin))) s: the trace "
          + "starts at its earliest sample; labels are shifted alike.")
    }
    // Three years on: no recording's own clock, but any Unix time.
    if origin > 100_000_000_000_000_000 {
      notes.append(
        "The first time is \(decimalSeconds(origin)) s after zero: if these are Unix times, "
          + "pass --epoch unix.")
    }
    return notes
  }
}

private func decoded(_ bytes: [UInt8]) -> String {
  String(decoding: bytes, as: UTF8.self)
}

/// The readings of one channel, in the file's time.
struct ChannelColumns {
  let plan: CSVPlan.ChannelPlan
  private(set) var measured: [Int64] = []
  private(set) var arrived: [Int64] = []
  private var vectors: [Vector3] = []
  private var fixes: [Fix] = []
  private var positions: [LocalPosition] = []
  private var scalars: [Scalar] = []
  private var heartbeats: [Heartbeat] = []

  init(_ plan: CSVPlan.ChannelPlan) {
    self.plan = plan
  }

  /// False = a value that is needed is missing.
  mutating func add(_ times: RecordTimes, _ values: [Double]) -> Bool {
    let base = plan.base
    for slot in base..<(base + plan.required) where values[slot].isNaN { return false }
    switch plan.width {
    case 3:
      vectors.append(
        Vector3(x: Float(values[base]), y: Float(values[base + 1]), z: Float(values[base + 2])))
    case 7:
      fixes.append(
        Fix(
          latitude: values[base], longitude: values[base + 1], altitude: values[base + 2],
          horizontalAccuracy: values[base + 3], speed: values[base + 4],
          speedAccuracy: values[base + 5], course: values[base + 6]))
    case _ where plan.channel == .local:
      positions.append(LocalPosition(x: values[base], y: values[base + 1]))
    case _ where plan.channel == .heartbeat:
      // The plan has seen to it that both are whole and in range.
      heartbeats.append(
        Heartbeat(
          peer: Int32(values[base]), sequence: Int64(exactly: values[base + 1]) ?? -1))
    default:
      scalars.append(Scalar(value: values[base], accuracy: values[base + 1]))
    }
    measured.append(times.measured)
    arrived.append(times.arrived)
    return true
  }

  /// The columns on the trace's time axis; sorted by arrival, and stable, where asked to.
  func block(origin: Int64, sort: Bool) -> ChannelBlock {
    let order = sort ? arrivalOrder(arrived) : Array(arrived.indices)
    let isIdeal = measured == arrived
    let times = TimeColumns(
      measured: order.map { measured[$0].subtractingClamped(origin) },
      arrived: isIdeal ? nil : order.map { arrived[$0].subtractingClamped(origin) })
    switch plan.width {
    case 3:
      return .vector(
        VectorColumns(
          times: times, x: order.map { vectors[$0].x }, y: order.map { vectors[$0].y },
          z: order.map { vectors[$0].z }))
    case 7: return .fix(FixColumns(times: times, values: order.map { fixes[$0] }))
    case _ where plan.channel == .local:
      return .local(LocalColumns(times: times, values: order.map { positions[$0] }))
    case _ where plan.channel == .heartbeat:
      return .heartbeat(HeartbeatColumns(times: times, values: order.map { heartbeats[$0] }))
    default: return .scalar(ScalarColumns(times: times, values: order.map { scalars[$0] }))
    }
  }
}

/// Positions in the order of their times, equal times in the order of the file.
func arrivalOrder(_ times: [Int64]) -> [Int] {
  times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
}

/// The labels of the samples.
private struct LabelColumn {
  private var measured: [Int64] = []
  private var arrived: [Int64] = []
  private var labels: [Int] = []
  private var names: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]

  mutating func add(
    _ times: RecordTimes, _ column: Int, _ scanner: borrowing DelimitedScanner
  ) {
    measured.append(times.measured)
    arrived.append(times.arrived)
    if let last = labels.last, scanner.holds(column, names[last]) {
      labels.append(last)
      return
    }
    let name = scanner.bytes(column)
    if numbers[name] == nil {
      numbers[name] = names.count
      names.append(name)
    }
    labels.append(numbers[name, default: 0])
  }

  /// The runs of one label, on the trace's time axis.
  func events(origin: Int64, hand: Hand, options: CSVOptions) -> [ReferenceEvent] {
    let order = options.sort ? arrivalOrder(arrived) : Array(labels.indices)
    let isPunch = options.referenceTask == .punch
    let classes = names.map { name in
      isPunch ? PunchLabel.classify(decoded(name)) : (label: decoded(name), hand: .unknown)
    }
    let isEvent = names.map { !$0.isEmpty && decoded($0) != options.noEventLabel }
    var events: [ReferenceEvent] = []
    var start = 0
    while start < order.count {
      let label = labels[order[start]]
      var end = start
      while end + 1 < order.count, labels[order[end + 1]] == label { end += 1 }
      if isEvent[label] {
        let times = (start...end).map { measured[order[$0]].subtractingClamped(origin) }
        events.append(
          ReferenceEvent(
            onset: TraceInstant(nanoseconds: times.min() ?? 0),
            offset: TraceInstant(nanoseconds: times.max() ?? 0), label: classes[label].label,
            originalLabel: decoded(names[label]),
            hand: classes[label].hand == .unknown ? hand : classes[label].hand))
      }
      start = end + 1
    }
    return events.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }
}
