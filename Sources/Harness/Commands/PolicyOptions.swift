import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Replay

/// The options of the scripted person.
struct PolicyOptions: ParsableArguments {
  @Flag(help: "A scripted person answers prompts, instead of the trace's own actions.")
  var policy = false

  @Option(help: "Time from a prompt to the confirmation.")
  var confirmAfter = "3s"

  @Option(help: "Time from the confirmation to Continue.")
  var continueAfter = "5s"

  @Option(help: "Probability of a cancelled prompt, 0 to 1.")
  var cancel = 0.0

  @Option(help: "Spread of the times, 0 to 1: 0.5 = half to one and a half times.")
  var spread = 0.0

  @Option(help: "Seed of the scripted person.")
  var seed: UInt64 = 1

  func value() throws -> ScriptedPolicy? {
    guard policy else { return nil }
    guard (0...1).contains(cancel), (0...1).contains(spread) else {
      throw Failure(.wrongUse, "--cancel and --spread: expected numbers from 0 to 1")
    }
    guard let confirm = Quantity.duration(of: confirmAfter),
      let proceed = Quantity.duration(of: continueAfter)
    else {
      throw Failure(
        .wrongUse, "--confirm-after and --continue-after: expected times such as 3s or 500ms")
    }
    return ScriptedPolicy(
      confirmAfter: confirm, continueAfter: proceed, cancelProbability: cancel, spread: spread,
      seed: seed)
  }
}
