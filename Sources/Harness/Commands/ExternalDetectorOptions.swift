import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import ExternalDetectors

/// The option for detectors that are other programs.
struct ExternalDetectorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long an exec: detector may neither read nor write before it counts as stuck.",
      valueName: "time"))
  var detectorTimeout = "10s"

  func apply(to registry: DetectorRegistry) throws {
    guard let limit = Quantity.duration(of: detectorTimeout), limit > .zero else {
      throw Failure(
        .wrongUse, "--detector-timeout \(detectorTimeout): expected a time such as 10s or 500ms")
    }
    (registry.resolver as? ExecDetectors)?.setTimeLimit(limit)
  }
}
