import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import TraceModel

/// How gravity is taken away.
struct GravityOptions: ParsableArguments {
  @Flag(help: "Add a channel with gravity removed; the method is written into it.")
  var removeGravity = false

  @Option(
    help: ArgumentHelp(
      "Gravity is what changes more slowly than this; by default 0.227Hz (0.7 s).",
      valueName: "frequency"))
  var gravityCutoff: String?

  @Option(
    help: ArgumentHelp(
      "It stands still while the magnitude is further than this from 1 g; by default 0.4g.",
      valueName: "acceleration"))
  var gravityFreeze: String?

  /// nil = gravity stays.
  func parameters() throws -> GravityFilter.Parameters? {
    var parameters = GravityFilter.Parameters()
    if let gravityCutoff {
      guard let cutoff = Quantity.value(of: gravityCutoff, unit: .hertz),
        (1e-4...1000).contains(cutoff)
      else {
        throw Failure(
          .wrongUse,
          "--gravity-cutoff \(gravityCutoff): expected a frequency such as 0.3Hz, of 0.0001 to 1000 Hz"
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
        "\(gravityCutoff == nil ? "--gravity-freeze" : "--gravity-cutoff") says nothing without "
          + "--remove-gravity")
    }
    return removeGravity ? parameters : nil
  }

  /// Adds the channel where that is asked for.
  /// - Returns: whether it took the place of one.
  func apply(to trace: inout Trace, _ input: String) throws -> Bool {
    guard let parameters = try parameters() else { return false }
    let replaces = try replacesChannel(of: trace.header, input)
    trace.removeGravity(parameters)
    return replaces
  }

  /// Whether the channel without gravity takes the place of one.
  /// - Throws: where there is no channel to make it of.
  func replacesChannel(of header: TraceHeader, _ input: String) throws -> Bool {
    guard header.info(.acceleration) != nil else {
      throw Failure(
        .badData,
        "\(input): --remove-gravity: expected a channel acceleration, found "
          + header.channels.map(\.channel.name).joined(separator: ", "))
    }
    return header.info(.userAcceleration) != nil
  }
}
