import Digests
import Diagnostics
import Foundation
import Results
import TraceFormats
import TraceModel
import TraceTools

package struct TraceInfo: Encodable, Sendable {
  package let path: String
  private let header: TraceHeader
  /// The format of a recording and why it was chosen; nil for a native trace.
  private let format: String?
  private let channels: [ChannelFacts]
  /// The unknown groups and columns.
  private let notRead: [String]
  /// nil for a folder or a pipe.
  private let sha256: String?
  /// Empty = not requested.
  private let plot: String

  package init(_ inspection: Inspection, plotter: TracePlot?) throws {
    let trace = inspection.trace
    path = inspection.path
    header = trace.header
    format = inspection.format
    channels = trace.header.channels.map { info in
      ChannelFacts(info, trace[info.channel] ?? ChannelBlock(emptyFor: info.channel))
    }
    notRead = inspection.report.unmappedColumns + inspection.unread
    // A pipe cannot be read again.
    sha256 = FileDigest.isRegularFile(path) ? try FileDigest.sha256(of: path) : nil
    plot = plotter?.text(of: trace) ?? ""
  }

  package func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

  private var document: JSONObject {
    let counts = header.counts.map { count -> JSONObject in
      ["task": count.task, "events": count.count, "definition": count.definition]
    }
    return facts.adding("counts", counts.isEmpty ? nil : counts)
  }

  private var facts: JSONObject {
    [
      "path": path, "id": header.id, "format": format, "origin": header.origin.rawValue,
      "subject": header.subject, "device": header.device, "placement": header.placement,
      "handedness": header.handedness.name, "activity": header.activity,
      "recorded_at": header.epoch, "epoch_known": header.isEpochKnown, "source": header.source,
      "license": header.license, "seed": header.seed, "screen_width": header.screen?.width,
      "screen_height": header.screen?.height, "duration_s": header.end.seconds,
      "channels": channels.map(\.document),
      "references": header.references.map { set -> JSONObject in
        [
          "task": set.task, "events": set.events.count, "labels": Self.labels(of: set),
          "tolerance_ms": set.tolerance.map(milliseconds), "definition": set.definition,
        ]
      },
      "places": header.places.count, "ignore_zones": header.ignoreZones.count,
      "has_reference_track": header.track != nil, "not_read": notRead, "sha256": sha256,
    ]
  }

  private static func labels(of set: ReferenceSet) -> [String: Int] {
    Dictionary(grouping: set.events, by: \.originalLabel).mapValues(\.count)
  }

  package func table(_ screen: Screen = Screen()) -> String {
    let hand = header.handedness.name
    let device = [header.device, header.placement, hand == "unknown" ? "" : hand + " hand"]
    let references =
      header.references.map { ("reference \($0.task.rawValue)", Self.text(of: $0)) }
      + header.counts.map { count in
        (
          "reference \(count.task.rawValue)",
          "\(count.count) events, of which only the number is known"
            + (count.definition.isEmpty ? "" : "; \(count.definition)")
        )
      }
    func count(_ items: [some Any]) -> String { items.isEmpty ? "" : "\(items.count)" }
    let origin: [Fact] = [
      ("read as", format ?? ""),
      ("origin", header.origin.rawValue + (header.seed.map { ", seed \($0)" } ?? "")),
      ("subject", header.subject),
      ("device", device.filter { !$0.isEmpty }.joined(separator: ", ")),
      ("screen", Self.text(of: header.screen)), ("activity", header.activity),
      ("recorded at", header.isEpochKnown ? header.epoch : "not known"),
      ("duration", "\(fixed(header.end.seconds, 3)) s"), ("source", header.source),
      ("license", header.license),
    ]
    let rest: [Fact] = [
      ("reference", references.isEmpty ? "none" : ""),
      ("reference track", header.track == nil ? "" : "yes"), ("places", count(header.places)),
      ("ignore zones", count(header.ignoreZones)), ("not read", notRead.joined(separator: ", ")),
      ("SHA-256", sha256 ?? ""),
    ]
    let facts = origin + channels.flatMap(\.facts) + references + rest
    let lines = facts.filter { !$1.isEmpty }.map { "\n  " + onOneLine("\($0): \($1)") }.joined()
    return screen.wrapped(onOneLine("\(header.id)  (\(path))") + lines + "\n", indent: 4) + plot
  }

  private static func text(of screen: ScreenSize?) -> String {
    screen.map { "\(fixed($0.width, 0)) x \(fixed($0.height, 0)) points" } ?? ""
  }

  private static func text(of set: ReferenceSet) -> String {
    var facts = ["\(set.events.count) events"]
    let named = labels(of: set).sorted { $0.key < $1.key }.filter { !$0.key.isEmpty }
    if !named.isEmpty {
      facts.append(named.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
    if let tolerance = set.tolerance {
      facts.append("tolerance \(fixed(milliseconds(tolerance), 0)) ms")
    }
    if !set.definition.isEmpty { facts.append(set.definition) }
    return facts.joined(separator: "; ")
  }

  package static func csv(_ infos: [TraceInfo]) -> String {
    csvTable(
      [
        "path", "id", "origin", "subject", "activity", "duration_s", "channel", "count", "rate_hz",
        "jitter_ms", "longest_gap_s", "gaps", "duplicated_times", "backward_times",
      ], infos.flatMap { info in info.channels.map { info.document + $0.document } })
  }
}

/// A printed line, left out without a value.
private typealias Fact = (name: String, value: String)

private struct ChannelFacts: Sendable {
  let info: ChannelInfo
  let timing: ChannelTiming
  /// The number of devices with heartbeats; nil for other channels.
  let peers: Int?
  /// nil for other channels than touches.
  let touches: JSONObject?
  let intervals: [IntervalHistogram.Bin]
  let gravity: GravityDecision?
  let saturation: [SaturationRail]

  init(_ info: ChannelInfo, _ block: ChannelBlock) {
    self.info = info
    timing = ChannelTiming(measuredTimes: block.measuredTimes[block.range])
    peers = HeartbeatColumns(block).map { Set($0.values[$0.range].map(\.peer)).count }
    touches = TouchColumns(block).map { columns in
      let touches = columns.values[columns.range]
      return [
        "began": touches.count { $0.phase == .began },
        "ended": touches.count { $0.phase == .ended },
        "cancelled": touches.count { $0.phase == .cancelled },
        "pointers": Set(touches.map(\.pointer)).count,
      ]
    }
    intervals = IntervalHistogram(info.channel, block).bins
    gravity = GravityDecision(info.channel, block)
    saturation = VectorColumns(block).map { SaturationRail.find(in: $0, of: info.channel) } ?? []
  }

  /// Milliseconds.
  var jitter: Double? { timing.jitter.map { Double($0) / 1e6 } }
  /// Seconds.
  var longestGap: Double? { timing.longestGap.map { Double($0) / 1e9 } }

  /// The first interval has no lower bound, the last one no upper bound.
  var document: JSONObject {
    [
      "channel": info.channel.name, "count": info.count, "rate_hz": timing.rate,
      "jitter_ms": jitter, "longest_gap_s": longestGap, "gaps": timing.gaps,
      "duplicated_times": timing.duplicatedTimes, "backward_times": timing.backwardTimes,
      "has_arrival_times": info.hasArrivalTimes, "peers": peers,
      "touches": touches, "units": info.channel.units,
      "intervals": intervals.map { bin -> JSONObject in
        [
          "above_periods": bin.above.isFinite ? bin.above : nil,
          "up_to_periods": bin.upTo.isFinite ? bin.upTo : nil, "count": bin.count,
        ]
      },
      "gravity": gravity.map { gravity -> JSONObject in
        [
          "stated": gravity.stated, "found": gravity.found,
          "resting_magnitude": gravity.restingMagnitude,
          "resting_magnitude_lo": gravity.interval?.lowerBound,
          "resting_magnitude_hi": gravity.interval?.upperBound, "windows_used": gravity.windowsUsed,
          "windows": gravity.windows, "is_at_rest": gravity.isAtRest, "reason": gravity.reason,
        ]
      },
      "saturation": saturation.map { rail -> JSONObject in
        [
          "axis": rail.axis.rawValue, "value": rail.value, "count": rail.count,
          "exact": rail.exact, "share": rail.share,
        ]
      },
      "attributes": info.attributes,
    ]
  }

  private var summary: String {
    var facts = ["\(info.count) readings"]
    if !info.channel.units.isEmpty { facts[0] += " in \(info.channel.units)" }
    if let peers { facts.append("of \(peers) peers") }
    if let counts = touches?.members.compactMap({ $0.value as? Int }) {
      facts.append(
        "\(counts[0]) began, \(counts[1]) ended, \(counts[2]) cancelled by "
          + counted(counts[3], "pointer"))
    }
    if let rate = timing.rate { facts.append("\(fixed(rate, 2)) Hz") }
    if let jitter { facts.append("jitter \(fixed(jitter, 2)) ms (p90)") }
    if let longestGap {
      facts.append("longest gap \(fixed(longestGap, 3)) s, \(timing.gaps) over 3 periods")
    }
    if timing.duplicatedTimes > 0 { facts.append("\(timing.duplicatedTimes) duplicated times") }
    if timing.backwardTimes > 0 { facts.append("\(timing.backwardTimes) backward times") }
    if info.hasArrivalTimes { facts.append("own arrival times") }
    facts += info.attributes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return facts.joined(separator: ", ")
  }

  /// The printed lines; without empty bins of the histogram.
  var facts: [Fact] {
    let bins = info.count > 1 && timing.rate != nil ? intervals.filter { $0.count > 0 } : []
    let gravity = gravity.map {
      "stated as \($0.stated.rawValue), by the readings \($0.found.rawValue): \($0.reason)"
    }
    let saturation = saturation.map {
      "\($0.axis.rawValue) at \(fixed($0.value, 2)) \(info.channel.units), \($0.count) readings "
        + "(\(fixed(100 * $0.share, 2)) %)"
    }
    return [
      (info.channel.name, summary),
      ("  intervals", bins.map { "\($0) \($0.count)" }.joined(separator: ", ")),
      ("  gravity", gravity ?? ""), ("  saturation", saturation.joined(separator: "; ")),
    ]
  }
}
