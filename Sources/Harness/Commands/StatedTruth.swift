import ArgumentParser
import Detectors
import Diagnostics
import TraceFormats
import TraceModel

/// Facts that the user states about a whole recording: its number of events, and its distance.
struct StatedTruth: ParsableArguments {
  // Unconditional: -1 is a wrong value, not a missing one.
  @Option(
    parsing: .unconditionalSingleValue,
    help: .init(
      "State how many events happened if their times are not known: 10 (punches), or e.g. visit=3.",
      "[task=]number"))
  var count: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: .init(
      "State the true distance, e.g. 42195m, 42.195km or 26.2mi; odometer = the device's own.",
      "length|odometer"))
  var trueDistance: [String] = []

  /// The tasks that ``count`` states.
  func counts() throws -> [ReferenceCount] {
    var counts: [ReferenceCount] = []
    for text in count {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.count == 2 ? String(parts[0]) : ReferenceTask.punch.rawValue
      guard let task = ReferenceTask.countable.first(where: { $0.rawValue == name }) else {
        throw Failure.unknown(
          "task", name, known: ReferenceTask.countable.map(\.rawValue), place: "--count")
      }
      let greatest = ReferenceCount.greatest
      let number = try parsed(
        text, of: "--count",
        "a whole number from 0 to \(greatest), alone (punches) or as e.g. visit=3"
      ) { _ in Int(parts[parts.count - 1]).flatMap { (0...greatest).contains($0) ? $0 : nil } }
      try requireUse(
        !counts.contains { $0.task == task },
        "--count: expected one count of \(name), found two; state one")
      counts.append(ReferenceCount(task: task, count: number))
    }
    return counts
  }

  /// Refuses two references for one task, and one truth for all parts of a recording.
  /// - Parameter others: the options that state a reference, with the tasks.
  func check(against others: [(option: String, task: ReferenceTask)], isSplit: Bool) throws {
    let counts = try counts()
    try requireUse(
      trueDistance.count < 2,
      "--true-distance: expected one distance, found \(trueDistance.count); state one")
    _ = try length()
    for (option, task) in others {
      for (own, isGiven) in [
        ("--count", counts.contains { $0.task == task }),
        ("--true-distance", !trueDistance.isEmpty && task == .distance),
      ] {
        try requireUse(
          !isGiven,
          "\(own) and \(option): expected one reference of task \(task.rawValue), found two")
      }
    }
    try requireUse(
      !isSplit || counts.isEmpty && (trueDistance.isEmpty || isOdometer),
      "--split-by: expected no --count and no --true-distance; convert the parts, then state theirs"
    )
  }

  private var isOdometer: Bool { trueDistance == ["odometer"] }

  /// The stated distance in m; nil = none, or that of the device.
  private func length() throws -> Double? {
    guard let trueDistance = trueDistance.first, !isOdometer else { return nil }
    // A unit is required: metres, kilometres and miles are all common.
    return try parsed(
      trueDistance, of: "--true-distance",
      "a length above zero with its unit, such as 42195m, 42.195km or 26.2mi, or odometer"
    ) { text in
      guard text.last?.isLetter == true, let length = Quantity.value(of: text, unit: .meters),
        length > 0, length <= Self.greatestDistance
      else { return nil }
      return length
    }
  }

  /// In metres: 25 times around the Earth.
  private static let greatestDistance = 1e9

  /// The reference of the true distance; nil = none is stated.
  /// - Parameter place: the recording, for messages.
  func distance(of source: any TraceSource, place: String) throws -> ReferenceSet? {
    guard !trueDistance.isEmpty else { return nil }
    let header = source.header
    var definition = "stated for the whole recording"
    let value: Double
    if let length = try length() {
      value = length
    } else {
      value = try OdometerDistance(source, place: place).meters
      definition = ReferenceSet.odometerDefinition
    }
    let event = ReferenceEvent(onset: .zero, offset: header.end, value: value)
    return ReferenceSet(task: .distance, events: [event], valueUnits: "m", definition: definition)
  }
}

/// The distance that the device counted from the first to the last reading of its odometer.
struct OdometerDistance {
  /// In metres, above zero.
  let meters: Double

  /// - Throws: if there is no odometer, or if it goes back: then the difference of two readings is not a
  ///   distance.
  init(_ source: any TraceSource, place: String) throws {
    let expected = "\(place): --true-distance odometer: expected"
    let remedy = "; state the distance itself, such as --true-distance 10km"
    try requireData(
      source.header.info(.odometer) != nil,
      "\(expected) channel odometer, found \(channelNames(of: source.header))" + remedy)
    var first: Double?
    var last = 0.0
    while let block = try source.nextBlock(of: .odometer, limit: 8192), !block.isEmpty {
      guard let columns = ScalarColumns(block) else { break }
      for position in columns.range {
        let reading = columns[position].value
        guard reading.isFinite, !isUnknownDistance(reading) else { continue }
        try requireData(
          reading >= (first == nil ? reading : last),
          "\(expected) an odometer that never goes back, found \(number(reading)) m after "
            + "\(number(last)) m at \(fixed(columns.measured(at: position).seconds, 3)) s" + remedy)
        first = first ?? reading
        last = reading
      }
    }
    meters = last - (first ?? 0)
    try requireData(
      first != nil && meters > 0,
      "\(expected) an odometer that counts, found "
        + (first == nil ? "no reading" : "\(number(last)) m from the first to the last reading")
        + remedy)
  }
}
