import Harness
import TraceModel

/// Profiles of a day with hours that are none or too many, doubled and strange activities, and damaged
/// bytes. What suites and profiles share is in ``SuiteInputs``.
struct DayInputs: Inputs {
  let ending = ".yml"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var lines = [
      "schema: \(generator.isTrue(oneIn: 50) ? generator.word() : "shadowbox-day/1")",
      "activities:",
    ]
    if generator.isTrue(oneIn: 10) { lines.insert("name: \(generator.word())", at: 1) }
    for index in 0..<generator.count(30) {
      let name = generator.isTrue(oneIn: 100) ? generator.word() : "a\(index)"
      let hours =
        generator.isTrue(oneIn: 60)
        ? generator.pick([
          generator.number(), "[1]", "{b: 1}", "", "nan", ".inf", "-1", "0x1", "*a", "&a 1", "1 h",
        ]) : "0.\(generator.below(100))"
      lines.append("  \(name): \(hours)")
    }
    if generator.isTrue(oneIn: 30) { lines.append("other: 1") }
    if generator.isTrue(oneIn: 30) { lines.append("  a0: 23.5") }
    var bytes = Array(lines.joined(separator: "\n").utf8)
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    Harness.fault(inDay: path)
  }
}
