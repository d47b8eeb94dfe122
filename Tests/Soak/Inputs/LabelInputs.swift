import Diagnostics
import TraceFormats
import TraceModel

/// Tables of labels and Audacity's label tracks.
struct LabelInputs: Inputs {
  let ending = ".tsv"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var lines: [String] = []
    let separator = generator.pick(["\t", "\t", ","])
    let isTable = generator.isTrue(oneIn: 2)
    if isTable {
      var names = ["filename", "onset", "offset", "event_label"]
      names.swapAt(generator.below(4), generator.below(4))
      if generator.isTrue(oneIn: 6) { names.append(generator.pick(names + ["extra"])) }
      lines.append(names.joined(separator: separator))
    }
    var time = 0.0
    for _ in 0..<generator.count(60) {
      time += Double(generator.below(100)) / 50
      var cells = ["\(time)", "\(time + Double(generator.below(9)) / 10)", label(&generator)]
      if isTable { cells.insert(generator.pick(["a", "a", "b", "a.csv"]), at: 0) }
      switch generator.below(400) {
      case 0: cells[generator.below(cells.count)] = generator.number()
      case 1: cells.swapAt(generator.below(cells.count), generator.below(cells.count))
      case 2: cells.removeLast()
      case 3: cells.append("\"")
      default: break
      }
      lines.append(cells.joined(separator: separator))
      // Audacity's frequencies of a label.
      if !isTable, generator.isTrue(oneIn: 8) {
        lines.append("\\\t100\t\(generator.isTrue(oneIn: 30) ? generator.number() : "200")")
      }
    }
    var bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    if generator.isTrue(oneIn: 3000) {
      bytes.insert(contentsOf: [UInt8](repeating: 0x22, count: 3 << 19), at: 0)
    }
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  private func label(_ generator: inout SeededGenerator) -> String {
    generator.isTrue(oneIn: 40)
      ? generator.word()
      : generator.pick(["jab", "cross", "lead hook", "rear uppercut", "left thrust", "1", "2b"])
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    message {
      let origin: Int64 = generator.pick([0, 0, -5, .max, .min, 1_651_398_603_000_000_000])
      _ = try LabelReader.read(path, for: generator.pick(["a", "input", nil]), origin: origin)
      _ = try LabelFile.read(path)
    }
  }
}
