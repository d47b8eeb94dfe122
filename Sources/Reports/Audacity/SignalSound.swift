import Diagnostics
import Foundation
import TraceFormats
package import TraceModel

/// A signal as a sound, for labelling in an audio editor such as Audacity: the three axes and the
/// magnitude, resampled to equal steps from the trace's zero.
///
/// WAV with 32-bit floats: Multimedia Programming Interface and Data Specifications 1.0 (IBM and
/// Microsoft, 1991), and WAVE_FORMAT_IEEE_FLOAT of its revision 3.
package struct SignalSound: Sendable {
  /// In Hz. Audio formats have whole rates.
  package let rate: Int
  /// The magnitude of 1 in the file, in the channel's unit.
  package let scale: Double
  package let seconds: Double
  /// The number of gaps between readings, which are silent.
  package let gaps: Int
  private let samples: [Float]
  private let comment: String

  private static let channels = 4
  /// - Parameter name: of the trace, for the comment in the file.
  /// - Throws: with fewer than two readings, readings out of order, or a file beyond the format's limit.
  package init(_ columns: VectorColumns, unit: String, end: TraceInstant, name: String) throws {
    let times = columns.range.map { columns.measuredTimes[$0] }
    let values = columns.range.map { columns[$0] }
    let intervals = zip(times, times.dropFirst()).map { $1.subtractingClamped($0) }
    guard let median = intervals.sorted().dropFirst(intervals.count / 2).first, median > 0 else {
      throw Failure(
        .badData, "expected readings at increasing times, found \(times.count) readings")
    }
    guard !intervals.contains(where: { $0 < 0 }) else {
      throw Failure(.badData, "expected readings in order; sort them with convert --sort")
    }
    rate = max(1, Int((1e9 / Double(median)).rounded()))
    let last = max(times.last ?? 0, end.nanoseconds)
    let count = Int((Double(last) / 1e9 * Double(rate)).rounded(.down)) + 1
    guard Double(count) * Double(Self.channels * 4) < 4e9 else {
      throw Failure(.badData, "expected less than 4 GB of sound; cut the trace with trim")
    }
    let limit = median.multipliedReportingOverflow(by: 3).overflow ? .max : 3 * median
    // A gap is longer than three intervals.
    gaps = intervals.count { $0 > limit }
    let highest = values.map { Double($0.magnitude) }.filter(\.isFinite).max() ?? 0
    scale = highest > 0 ? highest : 1
    seconds = Double(count) / Double(rate)
    comment = "\(name): 1 = \(number(scale)) \(unit); x, y, z, magnitude"

    var samples = [Float](repeating: 0, count: count * Self.channels)
    var next = 0
    for tick in 0..<count {
      let time = Int64((Double(tick) * 1e9 / Double(rate)).rounded())
      while next < times.count, times[next] < time { next += 1 }
      guard next < times.count, next > 0 || times[next] == time else { continue }
      let before = times[next] == time ? next : next - 1
      let gap = times[next].subtractingClamped(times[before])
      guard gap <= limit else { continue }
      let span = Double(gap)
      let share = span > 0 ? Double(time.subtractingClamped(times[before])) / span : 0
      func value(_ axis: (Vector3) -> Float) -> Double {
        let (low, high) = (Double(axis(values[before])), Double(axis(values[next])))
        return low + (high - low) * share
      }
      let (x, y, z) = (value(\.x), value(\.y), value(\.z))
      let all = [x, y, z, (x * x + y * y + z * z).squareRoot()]
      guard all.allSatisfy(\.isFinite) else { continue }
      for (channel, value) in all.enumerated() {
        samples[tick * Self.channels + channel] = Float(value / scale)
      }
    }
    self.samples = samples
  }

  package var bytes: [UInt8] {
    func little(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    func chunk(_ id: String, _ content: [UInt8]) -> [UInt8] {
      Array(id.utf8) + little(UInt32(content.count)) + content
        + (content.count.isMultiple(of: 2) ? [] : [0])
    }
    let width = Self.channels * 4
    let format =
      little(UInt16(3)) + little(UInt16(Self.channels)) + little(UInt32(rate))
      + little(UInt32(rate * width)) + little(UInt16(width)) + little(UInt16(32))
      + little(UInt16(0))
    var sound: [UInt8] = []
    sound.reserveCapacity(samples.count * 4)
    for sample in samples { sound += little(sample.bitPattern) }
    let content =
      Array("WAVE".utf8) + chunk("fmt ", format)
      + chunk("fact", little(UInt32(samples.count / Self.channels)))
      + chunk("LIST", Array("INFO".utf8) + chunk("ICMT", Array(comment.utf8) + [0]))
      + chunk("data", sound)
    return chunk("RIFF", content)
  }
}

/// References as a label track of Audacity: start, end and label, separated by tabs, in seconds from the
/// trace's zero. `convert --reference` reads times and labels back as they are.
package enum AudacityLabels {
  /// - Throws: for the first event that would be read back as another one: a track cannot quote a label.
  package static func text(of events: [ReferenceEvent]) throws -> String {
    let lines = events.map { event in
      let times = [event.onset, event.offset].map { decimalSeconds($0.nanoseconds) + "\t" }
      return times.joined() + label(of: event) + "\n"
    }
    guard !isReadBack(lines, events) else { return lines.joined() }
    let lost = zip(lines, events).first { !isReadBack([$0], [$1]) }?.1
    throw Failure(
      .badData,
      lost.map {
        "the event at \(fixed($0.onset.seconds, 3)) s: expected a label without tabs, line breaks and "
          + "blanks at its ends, and an offset that is not before the onset, found \"\(label(of: $0))\"; "
          + "correct the event, or export with --as fixture"
      } ?? "expected events for a label track, found none")
  }

  private static func label(of event: ReferenceEvent) -> String {
    event.originalLabel.isEmpty ? event.label : event.originalLabel
  }

  private static func isReadBack(_ lines: [String], _ events: [ReferenceEvent]) -> Bool {
    let rows = try? LabelFile.read(Array(lines.joined().utf8), name: "labels").rows
    return rows?.isEmpty == false
      && rows?.elementsEqual(events) { row, event in
        row.onset == event.onset.nanoseconds && row.offset == event.offset.nanoseconds
          && row.label.utf8.elementsEqual(label(of: event).utf8)
      } == true
  }
}
