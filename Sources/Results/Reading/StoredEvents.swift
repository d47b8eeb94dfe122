import Foundation

/// Events as the child process sends them: a column is the bytes of its values, because a number in
/// JSON takes ten times as long. Both processes are the same program on one machine.
extension ResultsContents.Events {
  private struct Stored: Codable {
    /// Texts by their positions among the different ones.
    struct Texts: Codable {
      var different: [String]
      var positions: Data
    }

    var count: Int
    var integers: [String: Data]
    var numbers: [String: Data]
    var texts: [String: Texts]
  }

  package init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    count = stored.count
    integers = stored.integers.mapValues { $0.values() }
    numbers = stored.numbers.mapValues { $0.values() }
    texts = try stored.texts.mapValues { column in
      try column.positions.values(of: Int32.self).map { position in
        guard column.different.indices.contains(Int(position)) else {
          throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "a text that is not there"))
        }
        return column.different[Int(position)]
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    let texts = texts.mapValues { texts in
      // By bytes: two spellings of an accent are two labels.
      var positions: [[UInt8]: Int32] = [:]
      var different: [String] = []
      let column = texts.map { text in
        let bytes = Array(text.utf8)
        if let known = positions[bytes] { return known }
        let position = Int32(clamping: different.count)
        different.append(text)
        positions[bytes] = position
        return position
      }
      return Stored.Texts(different: different, positions: Data(valuesOf: column))
    }
    try Stored(
      count: count, integers: integers.mapValues { Data(valuesOf: $0) },
      numbers: numbers.mapValues { Data(valuesOf: $0) }, texts: texts
    ).encode(to: encoder)
  }
}

extension Data {
  fileprivate init(valuesOf values: [some BitwiseCopyable]) {
    self = values.withUnsafeBytes { Data($0) }
  }

  fileprivate func values<Value: BitwiseCopyable & Numeric>(
    of type: Value.Type = Value.self
  )
    -> [Value]
  {
    var values = [Value](repeating: 0, count: count / MemoryLayout<Value>.stride)
    _ = values.withUnsafeMutableBytes { copyBytes(to: $0) }
    return values
  }
}
