import TraceModel

/// Bytes in memory.
package final class MemoryInput: ByteInput {
  private let bytes: [UInt8]
  private let chunk: Int
  private var position = 0

  package init(_ bytes: [UInt8], chunk: Int) {
    precondition(chunk > 0)
    self.bytes = bytes
    self.chunk = chunk
  }

  package func read(into buffer: inout [UInt8], at start: Int) -> Int {
    let count = min(chunk, buffer.count - start, bytes.count - position)
    for offset in 0..<count { buffer[start + offset] = bytes[position + offset] }
    position += count
    return count
  }
}
