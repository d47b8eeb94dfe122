import Files
import TraceModel

/// An input whose first bytes can be examined before they are read: the format decides the reader,
/// and a pipe cannot be opened twice.
final class PeekedInput: ByteInput {
  private let input: any ByteInput
  private var head: [UInt8] = []
  /// The number of bytes of the head that have been read.
  private var position = 0
  private var isAtEnd = false

  init(_ input: any ByteInput) { self.input = input }

  /// Returns the first `count` bytes, or all if there are fewer.
  ///
  /// - Precondition: nothing has been read.
  func peek(_ count: Int) throws(TraceError) -> ArraySlice<UInt8> {
    precondition(position == 0)
    while head.count < count, !isAtEnd {
      var chunk = [UInt8](repeating: 0, count: count - head.count)
      let read = try input.read(into: &chunk, at: 0)
      head += chunk[..<read]
      isAtEnd = read == 0
    }
    return head.prefix(count)
  }

  /// - Throws: if the file has changed since it was opened.
  func requireUnchanged() throws(TraceError) {
    if let file = input as? FileInput { try file.requireUnchanged() }
  }

  var packedBytes: Int? { input.packedBytes }

  func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int {
    guard position < head.count else {
      return isAtEnd ? 0 : try input.read(into: &buffer, at: start)
    }
    let count = min(buffer.count - start, head.count - position)
    for offset in 0..<count { buffer[start + offset] = head[position + offset] }
    position += count
    return count
  }
}
