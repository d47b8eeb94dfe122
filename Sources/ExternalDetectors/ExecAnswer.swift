package import Detectors
package import TraceModel

/// The inputs sent in a run. Detections refer to the inputs that trigger them by number.
package struct ExecInputs {
  /// Inputs with consecutive numbers.
  private struct Segment {
    var first: Int
    /// nil = a single instant without a reading of the channel.
    var readings: (block: ChannelBlock, start: Int)?
    var instant = TraceInstant.zero
    var measured = TraceInstant.zero
  }

  package private(set) var count = 0
  package private(set) var isEnded = false
  /// The valid onsets: the time of the trace, extended by sent inputs outside of it.
  package private(set) var span: ClosedRange<TraceInstant>
  private var segments: [Segment] = []

  package init(end: TraceInstant) { span = .zero...max(end, .zero) }

  /// Adds readings of a block without copying them, and returns the number of the first.
  @discardableResult package mutating func add(_ range: Range<Int>, of block: ChannelBlock) -> Int {
    segments.append(Segment(first: count, readings: (block, range.lowerBound)))
    for time in block.measuredTimes[range] { widen(to: TraceInstant(nanoseconds: time)) }
    defer { count += range.count }
    return count
  }

  /// Adds an action, the end or a reading of a companion, and returns its number.
  /// - Parameter measured: the time of measurement; nil = `instant`.
  @discardableResult package mutating func add(
    _ instant: TraceInstant, measured: TraceInstant? = nil, isEnd: Bool = false
  ) -> Int {
    let measured = measured ?? instant
    segments.append(Segment(first: count, instant: instant, measured: measured))
    isEnded = isEnd
    widen(to: measured)
    defer { count += 1 }
    return count
  }

  private mutating func widen(to instant: TraceInstant) {
    span = min(instant, span.lowerBound)...max(instant, span.upperBound)
  }

  /// Returns the times of arrival and measurement of a sent input.
  package func instants(of number: Int) -> (emitted: TraceInstant, newestMeasured: TraceInstant) {
    let after = segments.partitioningIndex { $0.first > number }
    let segment = segments[after - 1]
    guard let (block, start) = segment.readings else { return (segment.instant, segment.measured) }
    let position = start + number - segment.first
    let measured = block.measuredTimes[position]
    return (
      TraceInstant(nanoseconds: block.arrivedTimes?[position] ?? measured),
      TraceInstant(nanoseconds: measured)
    )
  }
}

/// Parses the output of an external detector for a run, line by line.
package final class ExecAnswer {
  package struct Found: Equatable {
    /// The number of the input that triggers the detection.
    package var input: Int
    package var record: DetectionRecord
  }

  /// The inputs so far.
  package var sent: ExecInputs
  package private(set) var found: [Found] = []
  package private(set) var measurements: [Measurement] = []
  private let task: ReferenceTask
  private var countOnInput = 0
  /// The kinds and labels so far.
  private var words: Set<String> = []

  /// Limits on the output of a faulty detector.
  package static let mostOnInput = 100
  package static let mostMeasurements = 100
  package static let mostWords = 1000
  private static let omission = "omit it if there is none"

  package init(to sent: ExecInputs, task: ReferenceTask) { (self.sent, self.task) = (sent, task) }

  /// Parses a line; returns true for the last one.
  package func take(_ line: String) throws(ExecFault) -> Bool {
    let words = line.split { $0 == " " || $0 == "\t" }
    switch words.first {
    case "detect": try addDetection(words, line)
    case "measure": try addMeasurement(words, line)
    case "done":
      try require(words.count == 1, "done without arguments", in: line)
      try require(
        sent.isEnded, "done after the input end", found: "done before it",
        remedy: "write done once per trace, after reading end")
      return true
    default: throw ExecFault(expected: "detect, measure or done", line: line)
    }
    return false
  }

  private func addDetection(_ words: [Substring], _ line: String) throws(ExecFault) {
    guard words.count >= 3, let input = Int(words[1]), let onset = Int64(words[2]) else {
      throw ExecFault(
        expected: "detect <number> <onset in ns> with whole numbers, then name=value", line: line)
    }
    try check(input, line)
    try require(
      sent.span.contains(TraceInstant(nanoseconds: onset)),
      "an onset from \(sent.span.lowerBound.nanoseconds) to \(sent.span.upperBound.nanoseconds) ns, "
        + "the trace's time", in: line, remedy: "give onsets in nanoseconds of measured time")
    let (emitted, newest) = sent.instants(of: input)
    var record = DetectionRecord(
      onset: TraceInstant(nanoseconds: onset), emitted: emitted, newestMeasured: newest,
      kind: task.rawValue)
    try read(words[3...], into: &record, line)
    found.append(Found(input: input, record: record))
  }

  private func check(_ input: Int, _ line: String) throws(ExecFault) {
    try require(0 <= input && input < sent.count, "the number of an input line", in: line)
    let last = found.last?.input ?? 0
    try require(
      input >= last,
      "number \(last) or higher, because detections follow the order of the inputs", in: line)
    countOnInput = input == found.last?.input ? countOnInput + 1 : 1
    try require(
      countOnInput <= Self.mostOnInput,
      "at most \(Self.mostOnInput) detections per input line", found: "more for number \(input)")
  }

  private func read(
    _ fields: ArraySlice<Substring>, into record: inout DetectionRecord, _ line: String
  ) throws(ExecFault) {
    var seen: Set<Substring> = []
    var original: String?
    for field in fields {
      guard let equals = field.firstIndex(of: "="), field.last != "=",
        seen.insert(field[..<equals]).inserted
      else {
        throw ExecFault(
          expected: "each of kind, label, original, value, place once, as name=value", line: line)
      }
      let text = String(field[field.index(after: equals)...])
      switch field[..<equals] {
      case "kind": record.kind = text
      case "label": record.label = text
      case "original": original = text
      case "value":
        record.value = Double(text) ?? .nan
        try require(record.value.isFinite, "value=<finite number>", in: line, remedy: Self.omission)
      case "place":
        let place = Int32(text) ?? -1
        try require(place != -1, "place=<whole number, not -1>", in: line, remedy: Self.omission)
        record.place = place
      default: throw ExecFault(expected: "kind=, label=, original=, value= or place=", line: line)
      }
    }
    record.originalLabel = original ?? record.label
    words.formUnion([record.kind, record.label, record.originalLabel])
    try require(
      words.count <= Self.mostWords,
      "at most \(Self.mostWords) different kinds and labels in a trace",
      found: "more at \(ExecFault.quoted(line))", remedy: "write numbers as value=")
  }

  private func addMeasurement(_ words: [Substring], _ line: String) throws(ExecFault) {
    guard words.count == 4, ExecHelloReader.isName(words[1]), let value = Double(words[2]),
      value.isFinite
    else {
      throw ExecFault(
        expected: "measure <name of letters, digits, - and _> <finite number> <unit, - for none>",
        line: line)
    }
    try require(
      sent.isEnded && measurements.count < Self.mostMeasurements
        && !measurements.contains { $0.name == words[1] },
      "each measure once, after the input end, at most \(Self.mostMeasurements)", in: line)
    measurements.append(
      Measurement(String(words[1]), value, unit: words[3] == "-" ? "" : String(words[3])))
  }
}
