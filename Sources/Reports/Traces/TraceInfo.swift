import Digests
import Diagnostics
import Foundation
import TraceFormats
import TraceModel
import TraceTools

/// The facts that `info` prints about one trace.
package struct TraceInfo: Encodable, Sendable {
  package struct ChannelFacts: Encodable, Sendable {
    package var channel: String
    package var count: Int
    @Nullable package var rateHz: Double?
    @Nullable package var jitterMs: Double?
    @Nullable package var longestGapS: Double?
    package var gaps: Int
    package var duplicatedTimes: Int
    package var backwardTimes: Int
    package var hasArrivalTimes: Bool
    /// The number of devices that sent heartbeats; nil for other channels.
    @Nullable package var peers: Int?
    /// The unit of the values as UDUNITS writes it; empty where there are several.
    package var units: String
    package var intervals: [IntervalCount]
    @Nullable package var gravity: GravityFacts?
    package var saturation: [RailFacts]
    package var attributes: [String: String]
  }

  /// Intervals between measured times of one length, in periods.
  package struct IntervalCount: Encodable, Sendable {
    /// nil for the intervals of zero.
    @Nullable package var abovePeriods: Double?
    /// nil without a limit.
    @Nullable package var upToPeriods: Double?
    package var count: Int
  }

  /// Whether an acceleration includes gravity, and how that was decided.
  package struct GravityFacts: Encodable, Sendable {
    package var stated: String
    package var found: String
    @Nullable package var restingMagnitude: Double?
    @Nullable package var restingMagnitudeLo: Double?
    @Nullable package var restingMagnitudeHi: Double?
    package var windowsUsed: Int
    package var windows: Int
    package var isAtRest: Bool
    package var reason: String
  }

  /// The end of a sensor's range, in the channel's units.
  package struct RailFacts: Encodable, Sendable {
    package var axis: String
    package var value: Double
    package var count: Int
    package var exact: Int
    package var share: Double
  }

  package struct ReferenceFacts: Encodable, Sendable {
    package var task: String
    package var events: Int
    package var labels: [String: Int]
    @Nullable package var toleranceMs: Double?
    package var definition: String
  }

  package var path: String
  package var id: String
  /// The format of a recording that is no native trace, and why it was chosen.
  @Nullable package var format: String?
  package var origin: String
  package var subject: String
  package var device: String
  package var placement: String
  package var handedness: String
  package var activity: String
  package var recordedAt: String
  package var epochKnown: Bool
  package var source: String
  package var license: String
  @Nullable package var seed: UInt64?
  package var durationS: Double
  package var channels: [ChannelFacts]
  package var references: [ReferenceFacts]
  package var places: Int
  package var ignoreZones: Int
  package var hasReferenceTrack: Bool
  /// The groups and columns that the format does not know.
  package var notRead: [String]
  /// nil for a folder and for a pipe.
  @Nullable package var sha256: String?

  /// The drawing; empty where none was asked for.
  private let plot: String

  private enum CodingKeys: String, CodingKey {
    case path, id, format, origin, subject, device, placement, handedness, activity, recordedAt,
      epochKnown
    case source, license, seed, durationS, channels, references, places, ignoreZones
    case hasReferenceTrack, notRead, sha256
  }

  package init(_ inspection: Inspection, plotter: TracePlot?) throws {
    let trace = inspection.trace
    let header = trace.header
    path = inspection.path
    plot = plotter?.text(of: trace) ?? ""
    id = header.id
    _format = Nullable(wrappedValue: inspection.format)
    origin = header.origin.rawValue
    subject = header.subject
    device = header.device
    placement = header.placement
    handedness = header.handedness.name
    activity = header.activity
    recordedAt = header.epoch
    epochKnown = header.isEpochKnown
    source = header.source
    license = header.license
    _seed = Nullable(wrappedValue: header.seed)
    durationS = header.end.seconds
    channels = header.channels.map { info in
      ChannelFacts(info, trace[info.channel] ?? ChannelBlock(emptyFor: info.channel))
    }
    references = header.references.map { set in
      ReferenceFacts(
        task: set.task.rawValue, events: set.events.count,
        labels: Dictionary(grouping: set.events, by: \.originalLabel).mapValues(\.count),
        toleranceMs: set.tolerance.map { Double($0.nanoseconds) / 1e6 },
        definition: set.definition)
    }
    places = header.places.count
    ignoreZones = header.ignoreZones.count
    hasReferenceTrack = header.track != nil
    notRead = inspection.report.unmappedColumns + inspection.unread
    // The contents of a pipe cannot be read again.
    var facts = stat()
    let isFile = stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    _sha256 = Nullable(wrappedValue: isFile ? try FileDigest.sha256(of: path) : nil)
  }

  package func table(_ screen: Screen = Screen()) -> String {
    var lines = ["\(id)  (\(path))"]
    func add(_ name: String, _ value: String) {
      if !value.isEmpty { lines.append("  \(name): \(value)") }
    }
    add("read as", format ?? "")
    add("origin", origin + (seed.map { ", seed \($0)" } ?? ""))
    add("subject", subject)
    add(
      "device",
      [device, placement, handedness == "unknown" ? "" : handedness + " hand"]
        .filter { !$0.isEmpty }.joined(separator: ", "))
    add("activity", activity)
    add("recorded at", epochKnown ? recordedAt : "not known")
    add("duration", "\(fixed(durationS, 3)) s")
    add("source", source)
    add("license", license)
    for channel in channels {
      add(channel.channel, channel.summary)
      add("  intervals", channel.intervalText)
      add("  gravity", channel.gravity?.text ?? "")
      add("  saturation", channel.saturation.map { $0.text(channel.units) }.joined(separator: "; "))
    }
    for reference in references { add("reference \(reference.task)", reference.text) }
    if references.isEmpty { add("reference", "none") }
    if hasReferenceTrack { add("reference track", "yes") }
    if places > 0 { add("places", "\(places)") }
    if ignoreZones > 0 { add("ignore zones", "\(ignoreZones)") }
    add("not read", notRead.joined(separator: ", "))
    add("SHA-256", sha256 ?? "")
    return lines.map { screen.wrapped($0, indent: 4) + "\n" }.joined() + plot
  }

  package static func csv(_ infos: [TraceInfo]) -> String {
    var output =
      "path,id,origin,subject,activity,duration_s,channel,count,rate_hz,jitter_ms,longest_gap_s,"
      + "gaps,duplicated_times,backward_times\n"
    for info in infos {
      for channel in info.channels {
        output += csvRow([
          info.path, info.id, info.origin, info.subject, info.activity, csvCell(info.durationS),
          channel.channel, "\(channel.count)", csvCell(channel.rateHz),
          csvCell(channel.jitterMs), csvCell(channel.longestGapS), "\(channel.gaps)",
          "\(channel.duplicatedTimes)", "\(channel.backwardTimes)",
        ])
      }
    }
    return output
  }
}

extension TraceInfo.ChannelFacts {
  fileprivate init(_ info: ChannelInfo, _ block: ChannelBlock) {
    let timing = ChannelTiming(measuredTimes: block.measuredTimes[block.range])
    let rails = VectorColumns(block).map { SaturationRail.find(in: $0, of: info.channel) }
    self.init(
      channel: info.channel.name, count: info.count, rateHz: timing.rate,
      jitterMs: timing.jitter.map { Double($0) / 1e6 },
      longestGapS: timing.longestGap.map { Double($0) / 1e9 }, gaps: timing.gaps,
      duplicatedTimes: timing.duplicatedTimes, backwardTimes: timing.backwardTimes,
      hasArrivalTimes: info.hasArrivalTimes, peers: HeartbeatColumns(block)?.peers.count,
      units: info.channel.units,
      intervals: IntervalHistogram(info.channel, block).bins.map {
        TraceInfo.IntervalCount(
          abovePeriods: $0.above.isFinite ? $0.above : nil,
          upToPeriods: $0.upTo.isFinite ? $0.upTo : nil, count: $0.count)
      },
      gravity: GravityDecision(info.channel, block).map { TraceInfo.GravityFacts($0) },
      saturation: (rails ?? []).map { TraceInfo.RailFacts($0) }, attributes: info.attributes)
  }

  fileprivate var summary: String {
    var facts = ["\(count) readings"]
    if !units.isEmpty { facts[0] += " in \(units)" }
    if let peers { facts.append("of \(peers) peers") }
    if let rateHz { facts.append("\(fixed(rateHz, 2)) Hz") }
    if let jitterMs { facts.append("jitter \(fixed(jitterMs, 2)) ms (p90)") }
    if let longestGapS {
      facts.append("longest gap \(fixed(longestGapS, 3)) s, \(gaps) over 3 periods")
    }
    if duplicatedTimes > 0 { facts.append("\(duplicatedTimes) duplicated times") }
    if backwardTimes > 0 { facts.append("\(backwardTimes) backward times") }
    if hasArrivalTimes { facts.append("own arrival times") }
    for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
      facts.append("\(key) \(value)")
    }
    return facts.joined(separator: ", ")
  }

  /// The gap histogram, without empty bins.
  fileprivate var intervalText: String {
    let filled = intervals.filter { $0.count > 0 }
    guard count > 1, rateHz != nil else { return "" }
    return filled.map { "\($0.text) \($0.count)" }.joined(separator: ", ")
  }
}

extension TraceInfo.IntervalCount {
  fileprivate var text: String {
    func number(_ value: Double) -> String { fixed(value, value < 2 ? 1 : 0) }
    switch (abovePeriods, upToPeriods) {
    case (nil, _): return "zero"
    case (let low?, nil): return "over \(number(low)) periods"
    case (let low?, let high?): return "\(number(low))-\(number(high)) periods"
    }
  }
}

extension TraceInfo.GravityFacts {
  fileprivate init(_ decision: GravityDecision) {
    self.init(
      stated: decision.stated.rawValue, found: decision.found.rawValue,
      restingMagnitude: decision.restingMagnitude,
      restingMagnitudeLo: decision.interval?.lowerBound,
      restingMagnitudeHi: decision.interval?.upperBound, windowsUsed: decision.windowsUsed,
      windows: decision.windows, isAtRest: decision.isAtRest, reason: decision.reason)
  }

  fileprivate var text: String {
    "stated as \(stated), by the readings \(found): \(reason)"
  }
}

extension TraceInfo.RailFacts {
  fileprivate init(_ rail: SaturationRail) {
    self.init(
      axis: rail.axis.rawValue, value: rail.value, count: rail.count, exact: rail.exact,
      share: Double(rail.count) / Double(max(rail.readings, 1)))
  }

  fileprivate func text(_ units: String) -> String {
    "\(axis) at \(fixed(value, 2)) \(units), \(count) readings (\(fixed(100 * share, 2)) %)"
  }
}

extension Channel {
  /// The unit that native traces state (UDUNITS); empty where the columns have several.
  fileprivate var units: String {
    switch self {
    case .acceleration, .userAcceleration: "m s-2"
    case .rotationRate: "rad s-1"
    case .heading: "degree"
    case .pressure: "Pa"
    case .odometer, .local: "m"
    case .location, .heartbeat, .action: ""
    }
  }
}

extension HeartbeatColumns {
  fileprivate var peers: Set<Int32> { Set(values[range].map(\.peer)) }
}

extension TraceInfo.ReferenceFacts {
  fileprivate var text: String {
    var facts = ["\(events) events"]
    let named = labels.sorted { $0.key < $1.key }.filter { !$0.key.isEmpty }
    if !named.isEmpty {
      facts.append(named.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
    if let toleranceMs { facts.append("tolerance \(fixed(toleranceMs, 0)) ms") }
    if !definition.isEmpty { facts.append(definition) }
    return facts.joined(separator: "; ")
  }
}
