package import Pacing

/// A run of a fleet, in the form in which it is printed and written.
package struct FleetTrialReport: Encodable, Sendable {
  package var devices: Int
  package var timing: TimingReport
  /// Readings per second, of all devices.
  package var readingsPerSecond: Double
  package var detections: Int
  /// The distributions in HdrHistogram's text form, which JSON leaves out.
  package let histograms: String

  private enum CodingKeys: String, CodingKey {
    case devices, timing, readingsPerSecond, detections
  }

  package init(_ trial: FleetTrial, limits: TimingLimits) {
    devices = trial.devices
    detections = trial.detections
    readingsPerSecond = trial.readingsPerSecond
    histograms = trial.timing.histogramText
    timing = TimingReport(
      trial.timing, mode: trial.mode, rate: 1, period: trial.period.map(Double.init),
      limits: limits, wall: trial.wall, processor: trial.processor)
  }
}
