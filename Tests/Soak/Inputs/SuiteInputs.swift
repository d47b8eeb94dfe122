import Diagnostics
import Foundation
import Harness
import TraceModel

/// Suites with unknown and doubled keys, values of wrong types, anchors, aliases that multiply, and
/// deeply nested collections.
struct SuiteInputs: Inputs {
  let ending = ".yml"

  /// - Parameter folder: the folder of the suites; a trace is written there for them.
  init(folder: String) throws {
    try Data().write(to: URL(filePath: folder + "/a.h5"))
  }

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var lines = [
      "schema: \(generator.isTrue(oneIn: 100) ? scalar(&generator) : "shadowbox-suite/1")",
      "traces:",
      "  all: [a.h5]",
    ]
    if generator.isTrue(oneIn: 12) { lines.append("  more: \(value(&generator, depth: 3))") }
    if generator.isTrue(oneIn: 12) { lines += bomb(&generator) }
    lines.append("entries:")
    for index in 0..<generator.count(8) {
      lines.append("  - name: e\(generator.isTrue(oneIn: 300) ? 0 : index)")
      lines.append("    detector: \(generator.isTrue(oneIn: 200) ? scalar(&generator) : "punch")")
      lines.append("    traces: \(generator.isTrue(oneIn: 200) ? "*a" : "[all]")")
      lines += options(&generator).map { "    " + $0 }
    }
    for _ in 0..<generator.below(2) where generator.isTrue(oneIn: 4) {
      let index = generator.below(lines.count)
      lines.insert(
        generator.pick([lines[index], "---", "...", "%YAML 9.9", "\t- a", "? &a"]), at: index)
    }
    if generator.isTrue(oneIn: 100) { lines.append(deep(&generator)) }
    if generator.isTrue(oneIn: 1000) {
      lines.append("name: \"" + String(repeating: "x", count: generator.below(1 << 21)) + "\"")
    }
    var bytes = Array(lines.joined(separator: "\n").utf8)
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  /// Mostly right ones, each once.
  private func options(_ generator: inout SeededGenerator) -> [String] {
    let known = [
      "tolerance: 150 ms", "gravity_filter: lowpass", "preset: hitThat",
      "policy: {confirm_after: 3 s, cancel: 0.1, seed: 1}", "gravity_filter: {time_constant: 1 s}",
      "parameters: {threshold: 2g, refractory: 100 ms}",
    ]
    var lines = known.filter { _ in generator.isTrue(oneIn: 4) }
    if generator.isTrue(oneIn: 12) {
      let key = generator.pick([
        "tolerance", "gravity_filter", "policy", "preset", "parameters", "traces", "<<", "nam",
      ])
      lines.append("\(key): " + value(&generator, depth: 4))
    }
    return lines
  }

  private func scalar(_ generator: inout SeededGenerator) -> String {
    switch generator.below(6) {
    case 0: generator.number() + generator.pick(["", " s", "ms", "g", " m/s2", " parsecs"])
    case 1: "\"\(generator.word())\\u0000\""
    case 2:
      generator.pick([
        "~", "null", "!!binary aGk=", "!!set {a}", "!!int x", "&a b", "*a", "|\n    x",
      ])
    default: generator.word()
    }
  }

  private func value(_ generator: inout SeededGenerator, depth: Int) -> String {
    guard depth > 0 else { return scalar(&generator) }
    switch generator.below(4) {
    case 0:
      let items = (0..<generator.below(4)).map { _ in value(&generator, depth: depth - 1) }
      return "[\(items.joined(separator: ", "))]"
    case 1:
      let pairs = (0..<generator.below(4)).map { _ in
        "\(value(&generator, depth: depth - 2)): \(value(&generator, depth: depth - 1))"
      }
      return "{\(pairs.joined(separator: ", "))}"
    default: return scalar(&generator)
    }
  }

  /// The "billion laughs": each anchor names the one before it several times.
  private func bomb(_ generator: inout SeededGenerator) -> [String] {
    let levels = generator.below(40)
    var lines = ["  b0: &b0 [a.h5, a.h5]"]
    for level in 1..<(levels + 2) {
      let references = [String](repeating: "*b\(level - 1)", count: 9).joined(separator: ", ")
      lines.append("  b\(level): &b\(level) [\(references)]")
    }
    let last = "*b\(levels + 1)"
    lines.append(
      generator.pick([
        "  c: \(last)", "  ? \(last)\n  : x", "  <<: \(last)", "  ? [\(last)]\n  : \(last)",
      ]))
    return lines
  }

  private func deep(_ generator: inout SeededGenerator) -> String {
    let depth = generator.below(20_000)
    return switch generator.below(4) {
    case 0: "x: " + String(repeating: "[", count: depth)
    case 1: "x: " + String(repeating: "{a: ", count: depth)
    case 2: String(repeating: "- ", count: depth)
    default: "x: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    Harness.fault(inSuite: path)
  }
}
