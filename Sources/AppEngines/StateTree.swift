/// A saved state as a tree of named values, for the migration of states of older versions: their
/// types do not exist any more.
///
/// Numbers keep their value: whole numbers of 64 bits are exact, others are doubles.
public enum StateTree: Hashable, Sendable, Codable {
  case null
  case boolean(Bool)
  case whole(Int64)
  /// A whole number above the range of `Int64`.
  case large(UInt64)
  case number(Double)
  case text(String)
  case list([StateTree])
  case object([String: StateTree])

  public init(from decoder: any Decoder) throws {
    if let fields = try? decoder.container(keyedBy: Key.self) {
      self = .object(
        try Dictionary(
          uniqueKeysWithValues: fields.allKeys.map {
            ($0.stringValue, try fields.decode(StateTree.self, forKey: $0))
          }))
    } else if var items = try? decoder.unkeyedContainer() {
      var list: [StateTree] = []
      while !items.isAtEnd { list.append(try items.decode(StateTree.self)) }
      self = .list(list)
    } else {
      self = try StateTree(single: decoder.singleValueContainer())
    }
  }

  private init(single value: any SingleValueDecodingContainer) throws {
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let whole = try? value.decode(Int64.self) {
      self = .whole(whole)
    } else if let large = try? value.decode(UInt64.self) {
      self = .large(large)
    } else if let text = try? value.decode(String.self) {
      // Before the doubles: a decoder may read the text `nan` as a number.
      self = .text(text)
    } else {
      self = .number(try value.decode(Double.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let fields):
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in fields { try container.encode(value, forKey: Key(name)) }
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(item) }
    case .null: try encode(to: encoder) { try $0.encodeNil() }
    case .boolean(let value): try encode(to: encoder) { try $0.encode(value) }
    case .whole(let value): try encode(to: encoder) { try $0.encode(value) }
    case .large(let value): try encode(to: encoder) { try $0.encode(value) }
    case .number(let value): try encode(to: encoder) { try $0.encode(value) }
    case .text(let value): try encode(to: encoder) { try $0.encode(value) }
    }
  }

  private func encode(
    to encoder: any Encoder, _ write: (inout any SingleValueEncodingContainer) throws -> Void
  ) throws {
    var container = encoder.singleValueContainer()
    try write(&container)
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// A field of an object; nil = there is none. Setting a field of something else changes nothing.
  public subscript(_ name: String) -> StateTree? {
    get {
      if case .object(let fields) = self { fields[name] } else { nil }
    }
    set {
      guard case .object(var fields) = self else { return }
      fields[name] = newValue
      self = .object(fields)
    }
  }

  /// The items of a list; nil = it is none.
  public var items: [StateTree]? {
    get {
      if case .list(let items) = self { items } else { nil }
    }
    set {
      if let newValue { self = .list(newValue) }
    }
  }

  /// Returns a list with each item changed; something else is returned as it is.
  package func mapped(_ change: (inout StateTree) -> Void) -> StateTree {
    guard var items else { return self }
    for index in items.indices { change(&items[index]) }
    return .list(items)
  }

  /// The state of a new ``StampClock``.
  package static func stampClock(patience: Int64) -> StateTree {
    .object([
      "correction": .whole(0), "leastLag": .whole(.min), "patience": .whole(patience),
    ])
  }

  /// The state of a new ``SendBudget``.
  /// - Parameter refill: in seconds.
  package static func sendBudget(capacity: Int64, refill: Int64) -> StateTree {
    .object([
      "capacity": .whole(capacity), "refill": .whole(refill * 1_000_000_000), "used": .whole(0),
    ])
  }

  /// Gives a field that is missing a value.
  public mutating func complete(_ name: String, with value: StateTree) {
    if self[name] == nil { self[name] = value }
  }
}
