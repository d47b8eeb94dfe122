import Foundation
import TestSupport
import Testing
import TraceModel

/// `sweep` and `tune` on recordings whose number of punches is known, but not their times.
@Suite struct CountTuningCommandTests {
  /// Per person as many strong jerks as stated, and weak ones that are none: only a threshold between
  /// the two finds the stated numbers.
  private func people(strong: [Int], weak: Int = 4) throws -> Scratch {
    let scratch = try Scratch()
    for (person, count) in strong.enumerated() {
      var generator = SeededGenerator(seed: UInt64(person + 1))
      var rows: [String] = []
      let peaks =
        (0..<count).map { _ in 9 + Double.random(in: 0...2, using: &generator) }
        + (0..<weak).map { _ in 5 + Double.random(in: 0...1, using: &generator) }
      let order = peaks.shuffled(using: &generator)
      for row in 0..<(200 * (peaks.count + 1)) {
        let phase = row % 200 - 100
        let jerk = (0..<20).contains(phase) && row / 200 < order.count
        let x = jerk ? order[row / 200] * sin(Double.pi * Double(phase) / 20) : 0
        rows.append("\(Double(row) / 100),\(x),\(Double(person + 1) / 1000),0")
      }
      try scratch.write("t,x,y,z\n" + rows.joined(separator: "\n") + "\n", to: "p\(person).csv")
      let outcome = try Program.run(
        [
          "convert", "p\(person).csv", "--map", "time=t,x=x[g],y=y[g],z=z[g]", "--channel",
          "user_acceleration", "--count", "\(count)", "--subject", "p\(person)", "-o",
          "traces/p\(person).h5",
        ], in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    return scratch
  }

  @Test(arguments: ["cost:1:1", "f1"])
  func tuneFindsTheStatedNumbers(objective: String) throws {
    let scratch = try people(strong: [5, 8, 6, 7])
    let outcome = try Program.run(
      [
        "tune", "traces", "--detector", "punch/magnitude", "--threshold", "threshold=20..120",
        "--objective", objective, "--resamples", "100", "--format", "json", "-o", "a.json",
        "--no-cache",
      ], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try outcome.object
    func counts(_ name: String) throws -> [String: [String: Any]] {
      let part = try #require(json[name] as? [String: Any], "\(name)")
      return try #require(part["figures"] as? [String: [String: Any]], "\(name): \(part.keys)")
    }
    // Each of four people is scored with what was tuned without them.
    for part in ["resubstitution", "cross_validated"] {
      let figures = try counts(part)
      #expect(figures["true_positives"]?["value"] as? Double == 26, "\(part)")
      #expect(figures["false_positives"]?["value"] as? Double == 0, "\(part)")
    }
    let recordings = try #require(json["recordings"] as? [[String: Any]])
    #expect(recordings.allSatisfy { $0["is_counted"] as? Bool == true })
    #expect(outcome.output.contains("of 4 of 4 traces only the number of events is known"))
    let parameters = try scratch.text(of: "a.json")
    #expect(parameters.contains("threshold"))
  }

  @Test func sweepTellsWhatItRestsOn() throws {
    let scratch = try people(strong: [5, 8, 6])
    let outcome = try Program.run(
      [
        "sweep", "traces", "--detector", "punch/magnitude", "--threshold", "threshold=20..120",
        "-o", "s.h5",
      ], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = outcome.output.replacing("\n", with: " ")
    #expect(text.contains("of 3 of 3 traces only the number"), "\(outcome.output)")
    #expect(text.contains("19 references"))
  }

  @Test func aTraceWithNeitherIsRefused() throws {
    let scratch = try people(strong: [5])
    _ = try Program.run(
      ["convert", "traces/p0.h5", "-o", "bare/b.h5", "--without", "visit"], in: scratch.url)
    _ = try Program.run(
      [
        "convert", "p0.csv", "--map", "time=t,x=x[g],y=y[g],z=z[g]", "--channel",
        "user_acceleration", "-o", "bare/c.h5",
      ], in: scratch.url)
    let outcome = try Program.run(["sweep", "bare/c.h5", "--detector", "punch"], in: scratch.url)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("--count where only the number"), "\(outcome.errors)")
  }
}
