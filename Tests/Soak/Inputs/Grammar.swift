import Diagnostics
import TraceModel

/// Building blocks of grammars.
extension SeededGenerator {
  mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int(next() % UInt64(bound))
  }

  mutating func isTrue(oneIn count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// Usually few, sometimes many.
  mutating func count(_ usual: Int) -> Int {
    isTrue(oneIn: 40) ? below(usual * 20) : below(usual) + 1
  }

  /// A number as people and programs write it, sometimes out of a type's range.
  mutating func number() -> String {
    switch below(16) {
    case 0: pick(["NaN", "nan", "inf", "-Infinity", "", " ", "+", "-", ".", "e", "0x1p3", "1_000"])
    case 1: pick(["1e308", "1e309", "-1e999", "5e-324", "1e-400", "1e9999999999999999999"])
    case 2: pick(["9223372036854775807", "-9223372036854775808", "9223372036854775808"])
    case 3: pick(["18446744073709551616", "4294967296", "-2147483649"])
    case 4:
      isTrue(oneIn: 20)
        ? String(repeating: pick(["9", "0", "0."]), count: below(400)) + "1" : "0.000000000000001"
    case 5: "\(below(100)),\(below(1000))"
    case 6: "\(Double(below(20_000)) / 100 - 100)e\(below(30) - 15)"
    case 7, 8: "\(below(2000) - 1000)"
    default: "\(Double(below(2_000_000)) / 1000 - 1000)"
    }
  }

  mutating func date() -> String {
    if isTrue(oneIn: 6) {
      return pick([
        "0000-00-00T00:00:00Z", "9999-12-31T23:59:60Z", "2262-04-11T23:47:16.854775807Z",
        "2262-04-12T00:00:00Z", "1677-09-21T00:12:43Z", "1677-01-01T00:00:00Z",
        "2024-02-30T00:00:00Z",
        "2024-02-29", "now", "2022-05-01T10:00:03.123456789123456789Z", "2022-05-01T24:00:00+99:99",
      ])
    }
    let second = below(60)
    return "2022-05-01T10:\(10 + below(50)):\(second < 10 ? "0" : "")\(second)"
      + pick(["Z", ".5Z", "+02:00", "", "-11:30", ".000000001Z"])
  }

  mutating func word() -> String {
    pick([
      "jab", "lead hook", "x", "time", "é", "💥", "a\u{301}", "\u{202E}", "\u{0}", "\u{1B}[31m",
      "#1",
      "a,b", "a\"b", "a;b", "null", "true", "~", "a\tb", "", " ", "\u{FEFF}", "&amp;",
      "naïve\u{2028}line",
    ])
  }

  /// Damages text byte by byte, here and there.
  mutating func damage(_ bytes: inout [UInt8]) {
    for _ in 0..<below(4) where !bytes.isEmpty {
      let position = below(bytes.count)
      let end = min(bytes.count, position + below(60))
      switch below(8) {
      case 0: bytes[position] = UInt8(truncatingIfNeeded: next())
      case 1: bytes.removeSubrange(position..<end)
      case 2: bytes.insert(contentsOf: bytes[position..<end], at: below(bytes.count))
      case 3: bytes.removeSubrange(position...)
      case 4: bytes.insert(contentsOf: [0xFF, 0xC0, 0x80].prefix(1 + below(3)), at: position)
      case 5: bytes.insert(pick([0x22, 0x0A, 0x0D, 0x2C, 0x3C, 0x26, 0x00, 0x09]), at: position)
      case 6: bytes.swapAt(position, below(bytes.count))
      default: bytes.insert(contentsOf: Array(number().utf8), at: position)
      }
    }
  }
}
