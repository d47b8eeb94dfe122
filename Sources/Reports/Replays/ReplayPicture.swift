import Detectors
import Diagnostics
package import Evaluation
package import Replay
import Results
import Scoring
import TraceModel

/// The picture of a replay: the signal of each trace with its references, hits, misses and false
/// alarms. Python draws it, see ``PictureDrawer``.
package struct ReplayPicture {
  /// Further traces are not drawn.
  static let mostTraces = 6
  private static let mostFixes = 5000

  private let title: String
  private let total: Int
  private let panels: [JSONObject]

  /// - Throws: if the references cannot be compared.
  package init(
    of result: RunResult, _ played: PlayedTraces, _ detector: AnyDetector, _ choice: DetectorChoice
  ) throws {
    title = choice.title
    total = played.devices.count
    panels = try played.devices.prefix(Self.mostTraces).enumerated().map { index, device in
      let own = device.detections(of: index, in: result.detections)
      let measured = result.measurements[DeviceID(index)] ?? []
      let threshold = try Self.threshold(of: detector, choice, device.trace.header)
      return try Self.panel(device, own, measured, detector, threshold, within: played.window)
    }
  }

  /// - Throws: if the detector reads neither accelerations nor positions.
  package static func check(_ detector: AnyDetector, _ choice: DetectorChoice) throws {
    guard ![.acceleration, .userAcceleration, .location].contains(detector.channel) else { return }
    throw Failure(
      .wrongUse,
      "--picture: expected a detector of accelerations or positions, found \(choice.title), which "
        + "reads \(detector.channel.name); leave it out")
  }

  package var picture: Picture {
    Picture(.replay, ["title": title, "left_out": total - panels.count, "panels": panels])
  }

  /// The threshold in m/s2; nil = the detector has none of that unit.
  private static func threshold(
    of detector: AnyDetector, _ choice: DetectorChoice, _ header: TraceHeader
  ) throws -> Double? {
    guard let name = detector.exactThreshold else { return nil }
    let found = try detector.parameters(of: choice, for: header).first { $0.name == name }
    return found?.unit == "m/s2" ? found?.value.double : nil
  }

  private static func panel(
    _ device: PlayedTraces.Device, _ detections: [DetectionRecord], _ measured: [Measurement],
    _ detector: AnyDetector, _ threshold: Double?, within window: Range<TraceInstant>
  ) throws -> JSONObject {
    let (trace, header) = (device.trace, device.trace.header)
    let fixes = trace[.location].flatMap { FixColumns($0) }
    let score = try TaskScore(
      task: detector.task, detections: detections,
      measured: Dictionary(
        measured.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
      header: header, fixes: fixes, tolerance: nil, distance: Geodesy.distance)
    let outcomes = score.eventOutcomes
    let start = window.lowerBound.advanced(byNanoseconds: -device.start.nanoseconds).seconds
    let end = window.upperBound.advanced(byNanoseconds: -device.start.nanoseconds).seconds
    func isShown(_ instant: TraceInstant) -> Bool { (start...end).contains(instant.seconds) }

    let signal = trace[detector.channel].flatMap { VectorColumns($0) }
      .map { Envelope(of: $0, from: start, to: end) }

    // Only detections of the scored kind have outcomes.
    var judged = (outcomes?.detections ?? [])[...]
    var (marks, shown): ([JSONObject], [DetectionOutcome?]) = ([], [])
    for record in detections {
      let outcome = record.kind == detector.task.rawValue ? judged.popFirst() : nil
      guard isShown(record.onset) else { continue }
      shown.append(outcome)
      marks.append([
        "time": record.onset.seconds, "kind": record.kind, "outcome": outcome?.rawValue,
        "height": signal?.peak(near: record.onset.seconds) ?? 0.5,
        "position": fixes.flatMap { Self.position(at: record.onset, $0) },
      ])
    }
    let references = (header.reference(detector.task)?.events ?? []).enumerated()
      .map { (event: $1, outcome: outcomes?.references[$0]) }
      .filter { isShown($0.event.onset) }
    let truth = references.map { event, outcome in
      [
        "time": event.onset.seconds, "end": event.offset.seconds, "outcome": outcome?.rawValue,
        "height": 1.1, "position": fixes.flatMap { Self.position(at: event.onset, $0) },
      ] as JSONObject
    }
    let zones = header.ignoreZones.map { [$0.onset.seconds, $0.offset.seconds] }
    return [
      "title": "\(header.id): \(Self.summary(shown, references.map(\.outcome)))", "start": start,
      "end": min(end, header.end.seconds),
      "threshold": detector.channel == .location ? nil : threshold, "signal": signal,
      "path": detector.channel == .location ? fixes.map(Self.path) : nil, "events": marks,
      "references": truth, "ignored": zones,
    ]
  }

  /// E.g. `64 references: 63 found, 1 missed; 2 false alarms`.
  private static func summary(
    _ events: [DetectionOutcome?], _ references: [ReferenceOutcome?]
  ) -> String {
    let judged = events.compactMap(\.self)
    guard !judged.isEmpty || references.contains(where: { $0 != nil }) else {
      return counted(events.count, "event")
    }
    let found = judged.count { $0 == .truePositive }
    let wrong = judged.count { $0 == .falsePositive || $0 == .duplicate }
    let missed = references.count { $0 == .missed }
    let others = events.count - judged.count
    return "\(counted(references.count, "reference")): \(found) found, \(missed) missed; "
      + counted(wrong, "false alarm") + (others > 0 ? "; " + counted(others, "other event") : "")
  }

  private static func path(of fixes: FixColumns) -> [[Double]] {
    // A negative accuracy marks an invalid position.
    let valid = fixes.range.filter {
      Geodesy.isValid(latitude: fixes[$0].latitude, longitude: fixes[$0].longitude)
        && !(fixes[$0].horizontalAccuracy < 0)
    }
    let step = max(1, valid.count / mostFixes)
    return stride(from: 0, to: valid.count, by: step).map {
      [fixes[valid[$0]].latitude, fixes[valid[$0]].longitude]
    }
  }

  /// The position of the first fix at or after a time.
  private static func position(at instant: TraceInstant, _ fixes: FixColumns) -> [Double]? {
    let found = fixes.range.first {
      fixes.measuredTimes[$0] >= instant.nanoseconds
        && Geodesy.isValid(latitude: fixes[$0].latitude, longitude: fixes[$0].longitude)
    }
    return found.map { [fixes[$0].latitude, fixes[$0].longitude] }
  }
}

/// The least and the greatest magnitude in each of many equal parts of the time.
private struct Envelope: Encodable {
  /// About the width of a picture in pixels.
  private static let bins = 2000

  private var times: [Double] = []
  private var low: [Double] = []
  private var high: [Double] = []

  init(of columns: VectorColumns, from start: Double, to end: Double) {
    var parts: [Int: ClosedRange<Double>] = [:]
    let last = columns.range.last.map { Double(columns.measuredTimes[$0]) / 1e9 } ?? start
    let width = max(min(end, last) - start, 1e-3) / Double(Self.bins)
    for position in columns.range {
      let part = ((Double(columns.measuredTimes[position]) / 1e9 - start) / width).rounded(.down)
      let magnitude = Double(columns[position].magnitude)
      guard magnitude.isFinite, part >= 0, part <= Double(Self.bins) else { continue }
      let known = parts[Int(part)] ?? magnitude...magnitude
      parts[Int(part)] = min(known.lowerBound, magnitude)...max(known.upperBound, magnitude)
    }
    for (part, range) in parts.sorted(by: { $0.key < $1.key }) {
      times.append(start + (Double(part) + 0.5) * width)
      low.append(range.lowerBound)
      high.append(range.upperBound)
    }
  }

  /// The height of the signal near a time, as a share of its highest peak.
  func peak(near time: Double) -> Double {
    guard let most = high.max() else { return 0.5 }
    let place = min(times.partitioningIndex { $0 >= time }, times.count - 1)
    return (high[max(place - 1, 0)..<min(place + 2, high.count)].max() ?? most) / most
  }
}
