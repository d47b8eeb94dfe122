import Harness
import TraceModel

/// Files of scenarios for `synth`.
struct ScenarioInputs: Inputs {
  let ending = ".yml"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var lines = [
      "schema: \(generator.isTrue(oneIn: 50) ? generator.word() : "shadowbox-scenarios/1")",
      "scenarios:",
    ]
    for index in 0...generator.count(8) {
      lines += generator.isTrue(oneIn: 3) ? standard(index, &generator) : own(index, &generator)
    }
    if generator.isTrue(oneIn: 40) { lines.append("other: 1") }
    var bytes = Array(lines.joined(separator: "\n").utf8)
    if generator.isTrue(oneIn: 4) { generator.damage(&bytes) }
    return bytes
  }

  private func standard(_ index: Int, _ generator: inout SeededGenerator) -> [String] {
    let kind = generator.isTrue(oneIn: 40) ? generator.word() : "walking"
    return ["  - scenario: \(kind)", "    seed: \(index)"]
      + people(&generator)
      + (generator.isTrue(oneIn: 3) ? ["    duration: \(amount("20 s", &generator))"] : [])
  }

  private func own(_ index: Int, _ generator: inout SeededGenerator) -> [String] {
    var lines = ["  - name: \(generator.isTrue(oneIn: 80) ? generator.word() : "a\(index)")"]
    lines += people(&generator)
    if generator.isTrue(oneIn: 5) { lines.append("    hand: \(amount("left", &generator))") }
    if generator.isTrue(oneIn: 5) {
      lines.append("    sample_rate: \(amount("50 Hz", &generator))")
    }
    if generator.isTrue(oneIn: 5) { lines.append("    hold_to_arm: \(amount("true", &generator))") }
    lines.append("    steps:")
    for _ in 0...generator.count(6) {
      if generator.isTrue(oneIn: 2) {
        lines.append("      - punch: \(amount("3", &generator))")
        if generator.isTrue(oneIn: 2) {
          lines.append("        techniques: \(amount("[jab, hook]", &generator))")
        }
        if generator.isTrue(oneIn: 4) {
          lines.append("        force: \(amount("light", &generator))")
        }
      } else {
        let motion = generator.pick([
          "stand", "walk", "run", "stairs", "handle", "clap", "exercise",
        ])
        lines.append("      - \(motion): \(amount("2.5 s", &generator))")
      }
    }
    return lines
  }

  private func people(_ generator: inout SeededGenerator) -> [String] {
    switch generator.below(4) {
    case 0: ["    subject: \(amount("7", &generator))"]
    case 1: ["    subjects: \(amount("1..4", &generator))"]
    case 2: ["    subjects: \(amount("[1, 3]", &generator))"]
    default: []
    }
  }

  /// Mostly what is expected.
  private func amount(_ usual: String, _ generator: inout SeededGenerator) -> String {
    guard generator.isTrue(oneIn: 40) else { return usual }
    return generator.pick([
      generator.number(), "[1]", "{b: 1}", "", "nan", ".inf s", "-1 s", "0x1", "*a", "&a 1", "1 h",
      "9..1", "1..", "..", "99999999999999999999", "1e300 s", "500",
    ])
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    Harness.fault(inScenarios: path)
  }
}
