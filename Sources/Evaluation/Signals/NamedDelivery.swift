import Diagnostics
public import Detectors
public import Replay

/// A delivery with its seed, parsed from a command line or a suite.
///
/// ```swift
/// let late = try NamedDelivery(spelling: "ideal:delay=500ms", place: "--deliver")
/// late.delivery.delay  // 0.5
/// late.summary  // ideal:delay=0.5s
/// ```
public struct NamedDelivery: Hashable, Sendable {
  public let preset: String
  public let delivery: Delivery
  public var seed: UInt64

  /// - Parameter spelling: `NAME` or `NAME:key=value,key=value`.
  /// - Throws: ``Failure`` of wrong use.
  public init(spelling: String, seed: UInt64 = 1, place: String) throws {
    let parts = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let changes =
      parts.count < 2
      ? []
      : try keyValues(
        of: String(parts[1]), expected: "NAME or NAME:key=value,key=value",
        place: "\(place) \(spelling)")
    try self.init(preset: String(parts[0]), changes: changes, seed: seed, place: place)
  }

  /// - Parameter changes: the parameters that replace values of the preset, as text.
  public init(
    preset name: String, changes: [(name: String, value: String)], seed: UInt64, place: String
  ) throws {
    guard let preset = Delivery.preset(named: name) else {
      throw Failure.unknown(
        "delivery", name, known: Delivery.presets.map(\.name), place: place)
    }
    var delivery = preset.delivery
    var seen: Set<String> = []
    for change in changes {
      guard let field = Delivery.fields.first(where: { $0.name == change.name }) else {
        throw Failure.unknown(
          "parameter of a delivery", change.name, known: Delivery.fields.map(\.name), place: place)
      }
      guard seen.insert(change.name).inserted else {
        throw Failure(.wrongUse, "\(place): \(change.name) is given twice")
      }
      do {
        try field.set(field.kind.parse(change.value, name: change.name), in: &delivery)
      } catch {
        throw Failure(.wrongUse, "\(place): \(error)")
      }
    }
    self.preset = name
    self.delivery = delivery
    self.seed = seed
  }

  /// The text that ``init(spelling:seed:place:)`` parses: the preset and the changed parameters.
  public var summary: String {
    let changes = delivery.changes(from: Delivery.preset(named: preset)?.delivery ?? Delivery())
    return changes.isEmpty ? preset : "\(preset):\(changes.joined(separator: ","))"
  }
}

/// Parses `key=value,key=value`.
/// - Parameter expected: the forms of the whole text, for messages.
func keyValues(
  of text: String, expected: String = "key=value,key=value", place: String
) throws -> [(name: String, value: String)] {
  try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
    guard let equals = part.firstIndex(of: "=") else {
      throw Failure(.wrongUse, "\(place): expected \(expected), found \"\(part)\"")
    }
    return (String(part[..<equals]), String(part[part.index(after: equals)...]))
  }
}

extension Delivery {
  /// The parameters that differ from those of `base`, as `name=value` with the unit.
  fileprivate func changes(from base: Delivery) -> [String] {
    Self.fields.filter { $0.value(in: base) != $0.value(in: self) }
      .map { "\($0.name)=\($0.value(in: self))\($0.kind.unit.rawValue)" }
  }
}

extension ChannelDelivery {
  public var figures: [Measurement] {
    let counts = [
      ("recorded", recorded), ("delivered", delivered), ("lost", lost),
      ("duplicated", duplicated), ("throttled", throttled), ("dropped", dropped),
      ("undelivered", undelivered), ("late", late), ("held", held),
    ]
    return counts.map { Measurement($0.0, Double($0.1), unit: "") } + [
      Measurement("longest_wait", longestWait.map { Double($0) / 1e9 } ?? .nan, unit: "s")
    ]
  }
}

/// Deliveries in words.
///
/// ```swift
/// var location = ChannelDelivery(channel: .location)
/// (location.recorded, location.delivered, location.lost) = (10, 8, 2)
/// DeliveryText.counts([location.figures])  // 8 of 10 readings delivered, 2 lost
/// ```
public enum DeliveryText {
  public static func counts(_ figures: [[Measurement]]) -> String {
    func values(_ name: String) -> [Double] {
      figures.flatMap { $0 }.filter { $0.name == name && $0.value.isFinite }.map(\.value)
    }
    func sum(_ name: String) -> Int { Int(values(name).reduce(0, +)) }
    var parts = ["\(sum("delivered")) of \(sum("recorded")) readings delivered"]
    let words = [
      ("lost", "lost"), ("duplicated", "duplicated"), ("throttled", "throttled"),
      ("dropped", "dropped during sleep"), ("undelivered", "undelivered at the end"),
      ("late", "out of order"), ("held", "delayed by sleep"),
    ]
    for (name, word) in words where sum(name) > 0 { parts.append("\(sum(name)) \(word)") }
    if let longest = values("longest_wait").max() {
      parts.append("longest wait \(fixed(longest, 3)) s")
    }
    return parts.joined(separator: ", ")
  }

  /// Returns the number of readings that a slower sensor takes from several recordings.
  public static func sampling(_ records: [SamplingRecord]) -> String {
    let recorded = records.reduce(0) { $0 + $1.recorded }
    let taken = records.reduce(0) { $0 + $1.taken }
    return "device rate \(ParameterValue.number(records.first?.rate ?? 0)) Hz: "
      + (taken == recorded
        ? "all readings taken, because no trace has a higher rate"
        : "\(taken) of \(recorded) readings taken")
  }

  /// Returns lines for entries with a slower sensor or with a delivery that is not ideal.
  public static func lines(_ runs: [RunRecord]) -> [String] {
    runs.inGroups(by: \.entry).flatMap { own in
      let first = own[0]
      var lines: [String] = []
      let sampling = own.compactMap(\.sampling)
      if !sampling.isEmpty { lines.append("\(first.entry): \(self.sampling(sampling))") }
      if !first.isDeliveryIdeal {
        lines.append("\(first.entry): \(name(first)): \(counts(own.map(\.deliveryFigures)))")
      }
      return lines
    }
  }

  public static func name(_ run: RunRecord) -> String {
    "delivery \(run.delivery)" + (run.deliverySeed.map { ", seed \($0)" } ?? "")
  }

  /// The output of `info --deliveries`.
  public static var help: String {
    var lines: [String] = []
    for preset in Delivery.presets {
      lines.append("\(preset.name): \(preset.summary)")
      let changes = preset.delivery.changes(from: Delivery())
      if !changes.isEmpty { lines.append("    \(changes.joined(separator: ", "))") }
      for source in preset.published { lines.append("    published: \(source)") }
      if !preset.assumed.isEmpty { lines.append("    assumed: \(preset.assumed)") }
    }
    lines.append("\nParameters, as in --delivery location-5s:min-interval=10s,lost=0.05")
    for field in Delivery.fields {
      lines.append(
        "    \(field.name)=\(field.value(in: Delivery()))\(field.kind.help): \(field.summary)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
