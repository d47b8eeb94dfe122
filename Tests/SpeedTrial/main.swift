import ArgumentParser
import Harness

// Compares the speed of two programs once and prints the comparison as a line of JSON. It is also the
// program that it measures by default: then it is `shadowbox` with the detector `adjustable`.

if CommandLine.arguments.dropFirst().first?.hasPrefix("__") == true {
  await Harness.main(detectors: [AdjustableDetector.self])
}
do {
  try await SpeedTrial.parse().run()
} catch {
  SpeedTrial.exit(withError: error)
}
