import Diagnostics
public import Detectors
public import Replay

/// A delivery with its seed, parsed from a command line or a suite.
public struct NamedDelivery: Hashable, Sendable {
  /// A parameter that replaces the value of the preset, as text.
  public struct Change: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public let preset: String
  public let delivery: Delivery
  public var seed: UInt64

  /// - Parameters:
  ///   - spelling: `NAME` or `NAME:key=value,key=value`.
  ///   - place: the origin of the text, for messages.
  /// - Throws: ``Failure`` of wrong use.
  public init(spelling: String, seed: UInt64 = 1, place: String) throws {
    let parts = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var changes: [Change] = []
    if parts.count > 1 {
      for text in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        guard let equals = text.firstIndex(of: "=") else {
          throw Failure(
            .wrongUse,
            "\(place) \(spelling): expected NAME or NAME:key=value,key=value, found \"\(text)\"")
        }
        changes.append(
          Change(name: String(text[..<equals]), value: String(text[text.index(after: equals)...])))
      }
    }
    try self.init(preset: String(parts[0]), changes: changes, seed: seed, place: place)
  }

  public init(preset name: String, changes: [Change], seed: UInt64, place: String) throws {
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
    let base = Delivery.preset(named: preset)?.delivery ?? Delivery()
    let changes = Delivery.fields.filter { $0.value(in: base) != $0.value(in: delivery) }
      .map { $0.text(in: delivery) }
    return changes.isEmpty ? preset : "\(preset):\(changes.joined(separator: ","))"
  }
}

extension ParameterField<Delivery> {
  /// Returns `name=value` with the unit.
  public func text(in delivery: Delivery) -> String {
    var unit = ""
    if case .number(let parameterUnit, _) = kind { unit = parameterUnit.rawValue }
    return "\(name)=\(value(in: delivery))\(unit)"
  }
}

extension ChannelDelivery {
  /// The counts in the form of results.
  public var figures: [MeasurementRecord] {
    let counts = [
      ("recorded", recorded), ("delivered", delivered), ("lost", lost),
      ("duplicated", duplicated), ("throttled", throttled), ("dropped", dropped),
      ("undelivered", undelivered), ("late", late), ("held", held),
    ]
    return counts.map { MeasurementRecord(name: $0.0, value: Double($0.1), unit: "") } + [
      MeasurementRecord(
        name: "longest_wait", value: longestWait.map { Double($0) / 1e9 } ?? .nan, unit: "s")
    ]
  }
}

/// Texts about deliveries.
public enum DeliveryText {
  /// Returns the counts of readings over several traces.
  public static func counts(_ figures: [[MeasurementRecord]]) -> String {
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

  /// Returns a line per entry with a slower sensor, and one per entry with a delivery that is not
  /// ideal.
  public static func lines(_ runs: [RunRecord]) -> [String] {
    var entries: [String] = []
    for run in runs where !entries.contains(run.entry) { entries.append(run.entry) }
    return entries.flatMap { entry in
      let own = runs.filter { $0.entry == entry }
      var lines: [String] = []
      let sampling = own.compactMap(\.sampling)
      if !sampling.isEmpty { lines.append("\(entry): \(self.sampling(sampling))") }
      if let first = own.first, !first.isDeliveryIdeal {
        lines.append(
          "\(entry): \(name(first)): \(counts(own.map(\.deliveryFigures)))")
      }
      return lines
    }
  }

  /// Returns the delivery of a run, with its seed.
  public static func name(_ run: RunRecord) -> String {
    "delivery \(run.delivery)" + (run.deliverySeed.map { ", seed \($0)" } ?? "")
  }

  /// The output of `info --deliveries`.
  public static var help: String {
    var lines: [String] = []
    for preset in Delivery.presets {
      lines.append("\(preset.name): \(preset.summary)")
      let changes = Delivery.fields.filter {
        $0.value(in: Delivery()) != $0.value(in: preset.delivery)
      }.map { $0.text(in: preset.delivery) }
      if !changes.isEmpty { lines.append("    \(changes.joined(separator: ", "))") }
      for source in preset.published { lines.append("    published: \(source)") }
      if !preset.assumed.isEmpty { lines.append("    assumed: \(preset.assumed)") }
    }
    lines.append("\nParameters, as in --delivery location-5s:min-interval=10s,lost=0.05")
    for field in Delivery.fields {
      let range =
        switch field.kind {
        case .number(let unit, let range):
          "\(unit.rawValue) (\(ParameterValue.number(range.lowerBound)) to "
            + "\(ParameterValue.number(range.upperBound)))"
        case .flag: " (true, false)"
        case .choice(let choices): " (\(choices.joined(separator: ", ")))"
        }
      lines.append("    \(field.name)=\(field.value(in: Delivery()))\(range): \(field.summary)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
