import Harness

await Harness.main(detectors: [SwingDetector.self])
