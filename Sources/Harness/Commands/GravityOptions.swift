import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import TraceModel

/// The options that remove gravity.
struct GravityOptions: ParsableArguments {
  @Flag(help: "Add a channel without gravity; its attributes name the method.")
  var removeGravity = false

  @Option(
    help: ArgumentHelp(
      "The cutoff below which acceleration is gravity; default: 0.227Hz (0.7 s).",
      valueName: "frequency"))
  var gravityCutoff: String?

  @Option(
    help: ArgumentHelp(
      "The filter pauses while the magnitude differs from 1 g by more; default: 0.4g.",
      valueName: "acceleration"))
  var gravityFreeze: String?

  /// The filter's parameters; nil = gravity stays.
  func parameters() throws -> GravityFilter.Parameters? {
    var parameters = GravityFilter.Parameters()
    if let gravityCutoff {
      guard let cutoff = Quantity.value(of: gravityCutoff, unit: .hertz),
        (1e-4...1000).contains(cutoff)
      else {
        throw Failure(
          .wrongUse,
          "--gravity-cutoff \(gravityCutoff): expected a frequency from 0.0001 to 1000 Hz, such as "
            + "0.3Hz"
        )
      }
      parameters.timeConstant = 1 / (2 * .pi * cutoff)
    }
    if let gravityFreeze {
      guard let band = Quantity.value(of: gravityFreeze, unit: .metersPerSecondSquared), band > 0
      else {
        throw Failure(
          .wrongUse, "--gravity-freeze \(gravityFreeze): expected an acceleration such as 0.4g")
      }
      parameters.freezeBand = band
    }
    guard removeGravity || (gravityCutoff == nil && gravityFreeze == nil) else {
      throw Failure(
        .wrongUse,
        "\(gravityCutoff == nil ? "--gravity-freeze" : "--gravity-cutoff") has no effect without "
          + "--remove-gravity")
    }
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
    guard header.info(.acceleration) != nil else {
      throw Failure(
        .badData,
        "\(input): --remove-gravity: expected channel acceleration, found "
          + header.channels.map(\.channel.name).joined(separator: ", "))
    }
    return header.info(.userAcceleration) != nil
  }
}
