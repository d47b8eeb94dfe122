import ArgumentParser
import Foundation
import TraceFormats
import TraceModel

struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Says what native traces hold, or which detectors and deliveries there are.")

  @Argument(help: ArgumentHelp("Native traces.", valueName: "trace"))
  var traces: [String] = []

  @Flag(help: "List the detectors, their presets, and their parameters with defaults and ranges.")
  var detectors = false

  @Flag(help: "List the deliveries with their sources, and their parameters with ranges.")
  var deliveries = false

  @Option(help: "How it is printed.")
  var format = OutputFormat.table

  @OptionGroup var common: CommonOptions

  func run() async throws {
    if detectors { try StandardOutput.write(Harness.registry.help) }
    if deliveries { try StandardOutput.write(DeliveryText.help) }
    if !detectors, !deliveries, traces.isEmpty {
      throw CommandError(.wrongUse, "expected a trace, --detectors or --deliveries")
    }
    let infos = try await parallelMap(
      traces, threads: ProcessInfo.processInfo.activeProcessorCount
    ) { path in
      try SteadyFile.reading(path) {
        var unread: [String] = []
        let trace = try NativeFile.read(path, unread: &unread)
        return try TraceInfo(path: path, trace: trace, unread: unread)
      }
    }
    guard !infos.isEmpty else { return }
    switch format {
    case .table:
      try StandardOutput.write(infos.map(\.table).joined(separator: "\n"))
    case .json:
      try StandardOutput.write(jsonText(infos))
    case .csv:
      try StandardOutput.write(TraceInfo.csv(infos))
    }
  }
}

/// What `info` says of one trace.
private struct TraceInfo: Encodable, Sendable {
  struct ChannelFacts: Encodable, Sendable {
    var channel: String
    var count: Int
    @Nullable var rateHz: Double?
    @Nullable var jitterMs: Double?
    @Nullable var longestGapS: Double?
    var gaps: Int
    var duplicatedTimes: Int
    var backwardTimes: Int
    var hasArrivalTimes: Bool
    /// Of a channel of heartbeats: how many devices sent them.
    @Nullable var peers: Int?
    var attributes: [String: String]
  }

  struct ReferenceFacts: Encodable, Sendable {
    var task: String
    var events: Int
    var labels: [String: Int]
    @Nullable var toleranceMs: Double?
    var definition: String
  }

  var path: String
  var id: String
  var origin: String
  var subject: String
  var device: String
  var placement: String
  var handedness: String
  var activity: String
  var recordedAt: String
  var epochKnown: Bool
  var source: String
  var license: String
  @Nullable var seed: UInt64?
  var durationS: Double
  var channels: [ChannelFacts]
  var references: [ReferenceFacts]
  var places: Int
  var ignoreZones: Int
  var hasReferenceTrack: Bool
  /// Groups and columns that the format does not know.
  var notRead: [String]
  var sha256: String

  init(path: String, trace: Trace, unread: [String]) throws {
    let header = trace.header
    self.path = path
    id = header.id
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
      let block = trace[info.channel] ?? ChannelBlock(emptyFor: info.channel)
      let timing = ChannelTiming(measuredTimes: block.measuredTimes[block.range])
      return ChannelFacts(
        channel: info.channel.name, count: info.count, rateHz: timing.rate,
        jitterMs: timing.jitter.map { Double($0) / 1e6 },
        longestGapS: timing.longestGap.map { Double($0) / 1e9 }, gaps: timing.gaps,
        duplicatedTimes: timing.duplicatedTimes, backwardTimes: timing.backwardTimes,
        hasArrivalTimes: info.hasArrivalTimes, peers: HeartbeatColumns(block)?.peers.count,
        attributes: info.attributes)
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
    notRead = unread
    sha256 = try FileDigest.sha256(of: path)
  }

  var table: String {
    var lines = ["\(id)  (\(path))"]
    func add(_ name: String, _ value: String) {
      if !value.isEmpty { lines.append("  \(name): \(value)") }
    }
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
      var facts = ["\(channel.count) readings"]
      if let peers = channel.peers { facts.append("of \(peers) peers") }
      if let rate = channel.rateHz { facts.append("\(fixed(rate, 2)) Hz") }
      if let jitter = channel.jitterMs { facts.append("jitter \(fixed(jitter, 2)) ms (p90)") }
      if let gap = channel.longestGapS {
        facts.append("longest gap \(fixed(gap, 3)) s, \(channel.gaps) over 3 periods")
      }
      if channel.duplicatedTimes > 0 { facts.append("\(channel.duplicatedTimes) duplicated times") }
      if channel.backwardTimes > 0 { facts.append("\(channel.backwardTimes) backward times") }
      if channel.hasArrivalTimes { facts.append("own arrival times") }
      for (key, value) in channel.attributes.sorted(by: { $0.key < $1.key }) {
        facts.append("\(key) \(value)")
      }
      add(channel.channel, facts.joined(separator: ", "))
    }
    for reference in references {
      var facts = ["\(reference.events) events"]
      let labels = reference.labels.sorted { $0.key < $1.key }.filter { !$0.key.isEmpty }
      if !labels.isEmpty {
        facts.append(labels.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
      }
      if let tolerance = reference.toleranceMs {
        facts.append("tolerance \(fixed(tolerance, 0)) ms")
      }
      if !reference.definition.isEmpty { facts.append(reference.definition) }
      add("reference \(reference.task)", facts.joined(separator: "; "))
    }
    if references.isEmpty { add("reference", "none") }
    if hasReferenceTrack { add("reference track", "yes") }
    if places > 0 { add("places", "\(places)") }
    if ignoreZones > 0 { add("ignore zones", "\(ignoreZones)") }
    add("not read", notRead.joined(separator: ", "))
    add("SHA-256", sha256)
    return lines.joined(separator: "\n") + "\n"
  }

  static func csv(_ infos: [TraceInfo]) -> String {
    var output =
      "path,id,origin,subject,activity,duration_s,channel,count,rate_hz,jitter_ms,longest_gap_s,"
      + "gaps,duplicated_times,backward_times\n"
    for info in infos {
      for channel in info.channels {
        let cells: [String] = [
          info.path, info.id, info.origin, info.subject, info.activity, "\(info.durationS)",
          channel.channel, "\(channel.count)", channel.rateHz.map { "\($0)" } ?? "",
          channel.jitterMs.map { "\($0)" } ?? "", channel.longestGapS.map { "\($0)" } ?? "",
          "\(channel.gaps)", "\(channel.duplicatedTimes)", "\(channel.backwardTimes)",
        ]
        output += cells.map(csvCell).joined(separator: ",") + "\n"
      }
    }
    return output
  }
}

extension HeartbeatColumns {
  fileprivate var peers: Set<Int32> { Set(values[range].map(\.peer)) }
}
