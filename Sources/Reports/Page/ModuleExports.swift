/// What a module of WebAssembly (core specification 2.0, section 5.5) needs and gives, read without
/// running it: a page calls nothing of a module that lacks a function or asks for one.
struct ModuleExports: Equatable {
  /// The parameters and results of each function; empty for a memory.
  private(set) var signatures: [String: [UInt8]] = [:]
  private(set) var imports = 0
  /// Whether code runs as soon as the module is loaded.
  private(set) var startsItself = false
  /// In pages of 64 KiB.
  private(set) var memory = 0

  private enum Section: UInt8 {
    case type = 1
    case imports, function, table, memory, exports = 7, start
  }

  /// The most types, functions, memories and exports: many times those of a page.
  private static let most = 100_000

  /// Returns nil for bytes that are no module, and for more than the page needs.
  init?(_ code: [UInt8]) {
    guard code.starts(with: [0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0]) else { return nil }
    var reader = Reader(bytes: code[8...])
    var sections: [UInt8: ArraySlice<UInt8>] = [:]
    func section(_ section: Section) -> ArraySlice<UInt8>? { sections[section.rawValue] }
    while !reader.bytes.isEmpty {
      guard let id = reader.byte(), id <= 13, let part = reader.part(),
        id == 0 || sections.updateValue(part, forKey: id) == nil
      else { return nil }
    }
    func list<Item>(_ id: Section, _ item: (inout Reader) -> Item?) -> [Item]? {
      guard let part = section(id) else { return [] }
      var reader = Reader(bytes: part)
      // Each item has a byte at least, so that a forged count costs nothing, and a packed one little.
      guard let count = reader.number(), count <= min(part.count, Self.most) else { return nil }
      var items: [Item] = []
      for _ in 0..<count {
        guard let item = item(&reader) else { return nil }
        items.append(item)
      }
      return items
    }
    guard let types = list(.type, { $0.signature() }),
      let functions = list(.function, { $0.number() }),
      let memories = list(.memory, { $0.memory() }),
      let exports = list(.exports, { $0.export() })
    else { return nil }
    // Of several, each could grow to its own limit.
    guard [Section.table, .memory].allSatisfy({ section($0)?.first ?? 0 <= 1 }) else { return nil }
    imports = section(.imports).map { $0.first == 0 ? 0 : 1 } ?? 0
    startsItself = section(.start) != nil
    memory = memories.max() ?? 0
    for (name, kind, index) in exports {
      switch kind {
      case 0:
        // With imports, which are refused, the functions would count from these.
        guard functions.indices.contains(index), types.indices.contains(functions[index]) else {
          return nil
        }
        signatures[name] = types[functions[index]]
      case 2: signatures[name] = []
      default: break
      }
    }
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func byte() -> UInt8? { bytes.popFirst() }

    /// An unsigned number of at most 32 bits (LEB128).
    mutating func number() -> Int? {
      var result = 0
      for shift in stride(from: 0, through: 28, by: 7) {
        guard let byte = byte() else { return nil }
        result |= Int(byte & 0x7F) << shift
        if byte < 0x80 { return result <= Int(UInt32.max) ? result : nil }
      }
      return nil
    }

    /// As many bytes as a number before them says.
    mutating func part() -> ArraySlice<UInt8>? {
      guard let count = number(), count <= bytes.count else { return nil }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }

    mutating func signature() -> [UInt8]? {
      guard byte() == 0x60, let parameters = part(), let results = part() else { return nil }
      return [UInt8(truncatingIfNeeded: parameters.count)] + parameters + [0] + results
    }

    /// The pages at the beginning.
    mutating func memory() -> Int? {
      guard let flags = byte(), flags <= 1, let least = number() else { return nil }
      return flags == 0 || number() != nil ? least : nil
    }

    mutating func export() -> (name: String, kind: UInt8, index: Int)? {
      guard let name = part(), let kind = byte(), let index = number() else { return nil }
      return (String(decoding: name, as: UTF8.self), kind, index)
    }
  }
}
