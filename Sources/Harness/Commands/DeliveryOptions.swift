import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Replay

/// The options of the delivery: how readings reach the detector.
struct DeliveryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How readings reach the detector, e.g. android-batched or location-5s:lost=0.05.",
      discussion: "The names and keys: shadowbox info --deliveries. In run, for every entry.",
      valueName: "name[:key=value,...]"))
  var delivery: String?

  @Option(help: "The seed of the delivery; default: 1, or the suite's.")
  var deliverySeed: UInt64?

  /// nil = as recorded.
  func value() throws -> NamedDelivery? {
    guard let delivery else {
      guard deliverySeed == nil else {
        throw Failure(.wrongUse, "--delivery-seed: name a delivery with --delivery")
      }
      return nil
    }
    return try NamedDelivery(spelling: delivery, seed: deliverySeed ?? 1, place: "--delivery")
  }

  /// Replaces the deliveries of the entries by those of the command line.
  func override(_ suite: inout Suite) throws {
    if delivery != nil {
      let value = try value()
      for index in suite.entries.indices { suite.entries[index].delivery = value }
      for index in suite.apps.indices { suite.apps[index].delivery = value }
    } else if let deliverySeed {
      let deliveries = suite.entries.map(\.delivery) + suite.apps.map(\.delivery)
      guard deliveries.contains(where: { $0 != nil }) else {
        throw Failure(
          .wrongUse, "--delivery-seed: no entry has a delivery; name one with --delivery")
      }
      for index in suite.entries.indices { suite.entries[index].delivery?.seed = deliverySeed }
      for index in suite.apps.indices { suite.apps[index].delivery?.seed = deliverySeed }
    }
  }
}

/// The option of the sensor's rate.
struct DeviceRateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Replay the detector's channel at the rate of a slower sensor, e.g. 50Hz.",
      valueName: "rate"))
  var deviceRate: String?

  /// Hz; nil = as recorded.
  func value() throws -> Double? {
    guard let deviceRate else { return nil }
    guard let rate = Self.rate(of: deviceRate) else {
      throw Failure(
        .wrongUse, "--device-rate \(deviceRate): expected a rate above zero, such as 50Hz")
    }
    return rate
  }

  /// Hz, above zero; nil = `text` is no such rate.
  static func rate(of text: String) -> Double? {
    Quantity.value(of: text, unit: .hertz).flatMap { $0 > 0 ? $0 : nil }
  }
}
