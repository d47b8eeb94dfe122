import ArgumentParser
import Detectors
import Evaluation
import Replay
import TraceModel

/// The options of the delivery: how readings reach the detector.
struct DeliveryOptions: ParsableArguments {
  @Option(
    help: .init(
      "How readings reach the detector, e.g. android-batched or location-5s:lost=0.05.",
      discussion: "The names and keys: shadowbox info --deliveries. In run, for every entry.",
      valueName: "name[:key=value,...]"))
  var delivery: String?

  @Option(help: "The seed of the delivery; default: 1, or the suite's.") var deliverySeed: UInt64?

  /// nil = as recorded.
  func value() throws -> NamedDelivery? {
    try refuse("--delivery-seed", deliverySeed != nil, without: "--delivery", delivery != nil)
    return try delivery.map {
      try NamedDelivery(spelling: $0, seed: deliverySeed ?? 1, place: "--delivery")
    }
  }

  /// Replaces the deliveries of the entries by those of the command line.
  func override(_ suite: inout Suite) throws {
    func update(_ change: (inout NamedDelivery?) -> Void) {
      for index in suite.entries.indices { change(&suite.entries[index].path.delivery) }
      for index in suite.apps.indices { change(&suite.apps[index].path.delivery) }
    }
    if delivery != nil {
      let value = try value()
      update { $0 = value }
    } else if let deliverySeed {
      let deliveries = suite.entries.map(\.path.delivery) + suite.apps.map(\.path.delivery)
      try requireUse(
        deliveries.contains { $0 != nil },
        "--delivery-seed: no entry has a delivery; name one with --delivery")
      update { $0?.seed = deliverySeed }
    }
  }
}

struct DeviceRateOptions: ParsableArguments {
  @Option(
    help: .init("Replay the detector's channel at the rate of a slower sensor, e.g. 50Hz.", "rate"))
  var deviceRate: String?

  /// Hz; nil = as recorded.
  func value() throws -> Double? {
    try deviceRate.map {
      try parsed($0, of: "--device-rate", "a rate above zero, such as 50Hz", by: Self.rate)
    }
  }

  /// The rate in Hz, above zero; nil = `text` is not such a rate.
  static func rate(of text: String) -> Double? {
    Quantity.value(of: text, unit: .hertz).flatMap { $0 > 0 ? $0 : nil }
  }
}

struct GravityOptions: ParsableArguments {
  @Flag(help: "Add a channel without gravity; its attributes name the method.")
  var removeGravity = false

  @Option(
    help: .init(
      "The cutoff below which acceleration is gravity; default: 0.227Hz (0.7 s).", "frequency"))
  var gravityCutoff: String?

  @Option(
    help: .init(
      "The filter pauses while the magnitude differs from 1 g by more; default: 0.4g.",
      "acceleration"))
  var gravityFreeze: String?

  /// The filter's parameters; nil = gravity stays.
  func parameters() throws -> GravityFilter.Parameters? {
    var parameters = GravityFilter.Parameters()
    if let gravityCutoff {
      let cutoff = try quantity(
        gravityCutoff, .hertz, of: "--gravity-cutoff",
        "a frequency from 0.0001 to 1000 Hz, such as 0.3Hz", where: (1e-4...1000).contains)
      parameters.timeConstant = 1 / (2 * .pi * cutoff)
    }
    if let gravityFreeze {
      parameters.freezeBand = try quantity(
        gravityFreeze, .metersPerSecondSquared, of: "--gravity-freeze",
        "an acceleration such as 0.4g")
    }
    try refuse(
      "--gravity-cutoff", gravityCutoff != nil, without: "--remove-gravity", removeGravity)
    try refuse(
      "--gravity-freeze", gravityFreeze != nil, without: "--remove-gravity", removeGravity)
    return removeGravity ? parameters : nil
  }

  /// Adds the channel if the options ask for it.
  /// - Returns: whether it replaced a channel.
  func apply(to trace: inout Trace, _ input: String) throws -> Bool {
    guard let parameters = try parameters() else { return false }
    let replaces = try replacesChannel(of: trace.header, input)
    trace.removeGravity(parameters)
    return replaces
  }

  /// Returns whether the channel without gravity replaces an existing one.
  /// - Throws: if the trace has no acceleration.
  func replacesChannel(of header: TraceHeader, _ input: String) throws -> Bool {
    try requireData(
      header.info(.acceleration) != nil,
      "\(input): --remove-gravity: expected channel acceleration, found \(channelNames(of: header))"
    )
    return header.info(.userAcceleration) != nil
  }
}

struct PolicyOptions: ParsableArguments {
  @Flag(help: "A scripted person answers prompts, instead of the trace's own actions.")
  var policy = false

  @Option(help: "Time from a prompt to the confirmation.") var confirmAfter = "3s"
  @Option(help: "Time from the confirmation to Continue.") var continueAfter = "5s"
  @Option(help: "Probability of a cancelled prompt, 0 to 1.") var cancel = 0.0
  @Option(help: "Spread of the times, 0 to 1: 0.5 = half to one and a half times.") var spread = 0.0
  @Option(help: "Seed of the scripted person.") var seed: UInt64 = 1

  func value() throws -> ScriptedPolicy? {
    guard policy else { return nil }
    try require(cancel, "--cancel", in: 0...1)
    try require(spread, "--spread", in: 0...1)
    return ScriptedPolicy(
      confirmAfter: try time(confirmAfter, of: "--confirm-after"),
      continueAfter: try time(continueAfter, of: "--continue-after"), cancelProbability: cancel,
      spread: spread, seed: seed)
  }
}
