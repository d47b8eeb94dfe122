/// The links of a group, made from names that people chose: escaped, short and unique.
///
/// A name is its own link, except for characters that HDF5 would read as a path or that are not printable:
/// they are escaped as in a URL. A long name is cut, and ends with a digest of the whole. A link from
/// which ``name(of:)`` cannot read the name needs an attribute with it.
package struct HDF5Names {
  /// The longest link in bytes. netCDF reads no longer ones than 255, with what is appended: the number
  /// here, and the end of a column's name.
  static let longest = 200

  private var taken: Set<String>

  /// - Parameter taken: the links that the group has besides.
  package init(taken: some Sequence<String> = []) { self.taken = Set(taken) }

  /// Returns a new link for a name: with a number if another member has it.
  /// - Parameter endings: what the links of the name end with, if there are several.
  package mutating func next(_ name: String, endings: [String] = [""]) -> String {
    let plain = Self.link(name)
    var link = plain
    var number = 1
    while endings.contains(where: { taken.contains(link + $0) }) {
      number += 1
      link = "\(plain)_\(number)"
    }
    taken.formUnion(endings.map { link + $0 })
    return link
  }

  /// Returns the link of a name that has no other name beside it.
  package static func link(_ name: String) -> String {
    // A `%` without digits is not an escape, so no other name has this link.
    guard !name.isEmpty else { return "%" }
    if name == "." || name == ".." { return "%2E" + name.dropFirst() }
    let escaped = name.unicodeScalars.map(escape)
    guard escaped.reduce(0, { $0 + $1.utf8.count }) > longest else { return escaped.joined() }
    let end = "~" + hexadecimal(digest(of: name))
    var rest = longest - end.utf8.count
    let beginning = escaped.prefix { character in
      rest -= character.utf8.count
      return rest >= 0
    }
    return beginning.joined() + end
  }

  /// Returns the name of a link that is neither cut nor numbered.
  package static func name(of link: String) -> String {
    if link == "%" { return "" }
    var bytes: [UInt8] = []
    var rest = link.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let code = UInt8(String(decoding: Array(digits), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? link
  }

  /// Returns a name as the text of an attribute, which cannot contain NUL.
  package static func text(_ name: String) -> String {
    name.utf8.contains(0) ? String(decoding: name.utf8.filter { $0 != 0 }, as: UTF8.self) : name
  }

  private static func escape(_ character: Unicode.Scalar) -> String {
    guard
      character.value < 0x20 || character.value == 0x7F || "%/".unicodeScalars.contains(character)
    else { return String(character) }
    return "%" + String(hexadecimal(UInt64(character.value)).suffix(2))
  }

  /// FNV-1a of 64 bits.
  private static func digest(of name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
