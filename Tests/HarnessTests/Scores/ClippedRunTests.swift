import Foundation
import TestSupport
import Testing
import TraceFormats
import TraceModel

/// Punches harder than the sensor measures are marked as such.
@Suite struct ClippedRunTests {
  private enum Sensor: CaseIterable {
    /// The range is stated, and gravity is on one axis.
    case stated
    /// Readings pile up at the end of the range.
    case seen
    /// Only the acceleration without gravity is there, and a range is stated.
    case withoutGravity
    /// No range is known.
    case unknown
    /// No sensor has the stated range, so the observed range counts.
    case absurd
  }

  /// Punches of 60, 70, 95 and 120 m/s2 on one axis, one every 2 s at 100 Hz, of a sensor that ends at 80.
  private static func trace(_ sensor: Sensor) -> Trace {
    var (raw, user) = (VectorColumns(), VectorColumns())
    for sample in 0..<1000 {
      let time = Int64(sample) * 10_000_000
      let second = Double(time) / 1e9
      var x = 0.0
      for (index, height) in [60.0, 70, 95, 120].enumerated() {
        let t = second - 2 * Double(index) - 1
        x += 25 * exp(-(t + 0.15) * (t + 0.15) / 0.004) - height * exp(-t * t / 0.0012)
      }
      let clipped = sensor == .unknown ? x : max(x, -80)
      user.append(Vector3(x: Float(clipped), y: 0, z: 0), measured: time, arrived: time)
      raw.append(Vector3(x: Float(clipped), y: 9.8, z: 0), measured: time, arrived: time)
    }
    var trace = Trace(header: TraceHeader(id: "hard", origin: .recorded))
    trace.header.subject = "a"
    trace.header.end = TraceInstant(nanoseconds: 10_000_000_000)
    trace.header.references = [
      ReferenceSet(
        task: .punch,
        events: (0..<4).map {
          ReferenceEvent(onset: TraceInstant(nanoseconds: $0 * 2_000_000_000 + 1_000_000_000))
        })
    ]
    let stated = ["saturation": "80"]
    switch sensor {
    case .stated: trace.set(.vector(raw), for: .acceleration, attributes: stated)
    case .seen: trace.set(.vector(raw), for: .acceleration)
    case .absurd:
      trace.set(.vector(raw), for: .acceleration, attributes: ["saturation": "5"])
    case .withoutGravity, .unknown: break
    }
    trace.set(
      .vector(user), for: .userAcceleration,
      attributes: sensor == .withoutGravity ? stated : [:])
    return trace
  }

  private struct Document: Decodable {
    struct Summary: Decodable {
      struct Figure: Decodable { var value: Double? }
      var figures: [String: Figure]
    }
    var summaries: [Summary]
  }

  @Test(arguments: [(0, 2), (1, 2), (2, 2), (3, 0), (4, 2)])
  func whatIsAtTheEndOfTheRangeIsMarked(sensor: Int, expected: Double) throws {
    let bench = try StepBench()
    try NativeTrace.write(
      Self.trace(Sensor.allCases[sensor]), to: bench.scratch.path("hard.h5"))
    let outcome = try bench.run("run hard.h5 --detector punch -o r.h5 --format json")
    let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
    let figures = try #require(document.summaries.first).figures
    #expect(figures["true_positives"]?.value == 4)
    #expect(figures["clipped_detections"]?.value == expected)
    try bench.run("rerun r.h5")
  }
}
