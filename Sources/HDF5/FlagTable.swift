/// The names of a column's codes, as in CF's `flag_values` and `flag_meanings`.
package struct FlagTable: Sendable, Equatable {
  package private(set) var names: [Int32: String]

  package init(_ names: [Int32: String]) { self.names = names }

  /// Creates a table of texts: code 0 for the empty text, the others in order.
  package init(texts: some Sequence<String>) {
    let sorted = Set(texts).subtracting([""]).sorted()
    names = [0: ""]
    for (position, text) in sorted.enumerated() { names[Int32(position + 1)] = text }
  }

  package var codes: [Int32] { names.keys.sorted() }

  /// `flag_meanings`: the names in the order of ``codes``.
  package var meanings: String {
    codes.compactMap { names[$0] }.map(Self.word).joined(separator: " ")
  }

  /// The code of each name; the smaller one if two codes share a name.
  package var codesByName: [String: Int32] {
    Dictionary(zip(codes.compactMap { names[$0] }, codes)) { first, _ in first }
  }

  /// Returns the table from two attributes, or an error.
  package static func reading(codes: [Int32], meanings: String) -> Result<FlagTable, FlagError> {
    let words = meanings.split(separator: " ")
    guard words.count == codes.count, Set(codes).count == codes.count else {
      return .failure(FlagError(found: "\(words.count) meanings for \(codes.count) values"))
    }
    var names: [Int32: String] = [:]
    for (code, word) in zip(codes, words) {
      guard let name = Self.name(word) else {
        return .failure(FlagError(found: "the meaning '\(word)'"))
      }
      names[code] = name
    }
    return .success(FlagTable(names))
  }

  /// The word that stands for the empty name.
  static let unlabelled = "unlabelled"

  /// Encodes a name as a word of `flag_meanings`. CF allows letters, digits and `_ - . + @`. Every
  /// other byte becomes `+` and its two hexadecimal digits, as do ambiguous ones: a `+`, and the
  /// start of a name that is itself `unlabelled`.
  static func word(_ name: String) -> String {
    if name.isEmpty { return unlabelled }
    if name == unlabelled { return escape(UInt8(ascii: "u")) + unlabelled.dropFirst() }
    return name.utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : escape($0) }.joined()
  }

  /// Decodes a word of `flag_meanings`; nil if it is invalid.
  static func name(_ word: some StringProtocol) -> String? {
    if word == unlabelled { return "" }
    var bytes: [UInt8] = []
    var rest = word.utf8[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "+") {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.@".utf8)
  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func escape(_ byte: UInt8) -> String {
    String(
      decoding: [UInt8(ascii: "+"), digits[Int(byte >> 4)], digits[Int(byte & 15)]], as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    digits.firstIndex(of: byte).map { UInt8($0) }
  }
}

/// The error for an invalid table of flags.
package struct FlagError: Error, Equatable {
  package var found: String
}
