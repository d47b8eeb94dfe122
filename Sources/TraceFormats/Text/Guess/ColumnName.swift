/// A column's name, split into words and the unit that it states.
///
/// `accX (m/s²)`, `acc_x_m/s2` and `Acc-X [m/s^2]` all have the key `acc_x` and the unit `m/s2`.
struct ColumnName {
  /// The name in the header line.
  let text: String
  /// The words in lower case, joined by `_`, without the unit.
  let key: String
  /// The unit in the spelling of a mapping; nil = none is stated.
  let unit: String?
  /// Whether brackets state something else than a known unit: `speed (mph)`, `time (-08:00)`.
  let statesOther: Bool

  init(_ text: String) {
    self.text = text
    let bare = text.prefix { $0 != "(" && $0 != "[" }
    var words = Self.words(bare, splitsCapitals: true)
    var unit: String?
    var statesOther = false
    if bare.endIndex != text.endIndex {
      let inside = text[bare.endIndex...].prefix { $0 != ")" && $0 != "]" }
      unit = Self.unit(Self.words(inside, splitsCapitals: false))
      statesOther = unit == nil
    } else {
      unit = Self.removeUnit(from: &words)
    }
    (self.unit, self.statesOther) = (unit, statesOther)
    key = words.joined(separator: "_")
  }

  /// Takes the unit off the end of a name, longest spelling first; a name is never a unit alone.
  private static func removeUnit(from words: inout [String]) -> String? {
    for count in [3, 2, 1] where words.count > count {
      if let unit = unit(Array(words.suffix(count))) {
        words.removeLast(count)
        return unit
      }
    }
    return nil
  }

  private static func unit(_ words: [String]) -> String? { units[words.joined(separator: "_")] }

  /// The runs of letters and digits; `accX` has two where capitals split.
  private static func words(_ text: Substring, splitsCapitals: Bool) -> [String] {
    var words: [String] = []
    var word = ""
    var previous: Unicode.Scalar?
    let scalars = Array(text.unicodeScalars.map { spelledOut[$0] ?? [$0] }.joined())
    for (index, scalar) in scalars.enumerated() {
      let next = scalars.indices.contains(index + 1) ? scalars[index + 1] : nil
      let splits = splitsCapitals && startsWord(scalar, after: previous, before: next)
      if splits || !scalar.properties.isAlphabetic && scalar.properties.numericType == nil {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        word += scalar.properties.lowercaseMapping
      }
      previous = scalar
    }
    return word.isEmpty ? words : words + [word]
  }

  /// A capital after a small letter, and the last capital of several before a small letter.
  private static func startsWord(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    guard let previous, scalar.properties.isUppercase else { return false }
    return previous.properties.isLowercase
      || previous.properties.isUppercase && next?.properties.isLowercase == true
  }

  private static let spelledOut: [Unicode.Scalar: [Unicode.Scalar]] = [
    "²": ["2"], "µ": ["u"], "μ": ["u"], "°": ["d", "e", "g"],
  ]

  /// The spellings of units, as words joined by `_`, and what a mapping calls them.
  private static let units: [String: String] = {
    let spellings: [String: [String]] = [
      "s": ["s", "sec", "secs", "second", "seconds"],
      "ms": ["ms", "msec", "millis", "milliseconds"],
      "us": ["us", "usec", "micros", "microseconds"],
      "ns": ["ns", "nsec", "nanos", "nanoseconds"],
      "g": ["g", "gs"], "mg": ["mg"],
      "m/s2": ["m_s2", "m_s_2", "ms2", "mps2", "m_s_s", "ms_2"],
      "rad/s": ["rad_s", "rads", "radps", "rad_sec"],
      "deg/s": ["deg_s", "degs", "dps", "deg_sec", "degrees_s"],
      "deg": ["deg", "degree", "degrees"], "rad": ["rad", "radians"],
      "semicircles": ["semicircle", "semicircles"],
      "m": ["m", "meter", "meters", "metre", "metres"], "km": ["km"],
      "ft": ["ft", "feet"], "mi": ["mi", "miles"],
      "m/s": ["m_s", "mps", "meters_per_second"], "km/h": ["km_h", "kmh", "kph", "kmph", "km_hr"],
      "Pa": ["pa"], "hPa": ["hpa", "h_pa", "mbar"], "kPa": ["kpa", "k_pa"],
    ]
    let pairs = spellings.flatMap { unit, words in words.map { ($0, unit) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()
}
