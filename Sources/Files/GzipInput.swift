private import CZlib
package import TraceModel

/// The bytes of gzip data (RFC 1952), unpacked while they are read. Several members in a row are
/// one file, as for gzip; zeros after the last one are padding.
///
/// Memory is bounded by the two buffers, and what is unpacked by the ``ReaderBudget``.
package final class GzipInput: ByteInput {
  private let input: any ByteInput
  private let name: String
  private static let chunkSize = 1 << 18
  private let stream: UnsafeMutablePointer<z_stream>
  private var packed = [UInt8](repeating: 0, count: GzipInput.chunkSize)
  /// The bytes of `packed` that are not unpacked yet.
  private var unread = 0..<0
  /// The number of packed bytes before `packed`.
  private var offset = 0
  private var state = State.betweenMembers(isFirst: true)
  private var unpacked = 0

  private enum State: Equatable {
    case betweenMembers(isFirst: Bool)
    case inMember
    case finished
  }

  /// - Parameter name: the file, for messages.
  package init(_ input: any ByteInput, name: String) throws(TraceError) {
    (self.input, self.name) = (input, name)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard czlib_inflate_gzip(stream) == Z_OK else {
      throw TraceError(
        .inputOutput, place: name, expected: "memory to unpack gzip data", found: "too little")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Returns the unpacked bytes of gzip data in memory, or nil if there are more than `limit`. At
  /// most this many bytes and one buffer are unpacked.
  /// - Parameter name: what the data are, for messages.
  package static func unpacked(
    _ bytes: [UInt8], limit: Int, name: String
  ) throws(TraceError) -> [UInt8]? {
    let input = try GzipInput(MemoryInput(bytes, chunk: chunkSize), name: name)
    var buffer = [UInt8](repeating: 0, count: GzipInput.chunkSize)
    var unpacked: [UInt8] = []
    while case let count = try input.read(into: &buffer, at: 0), count > 0 {
      guard unpacked.count + count <= limit else { return nil }
      unpacked += buffer[..<count]
    }
    return unpacked
  }

  /// Whether these are the first bytes of gzip data.
  package static func recognises(_ head: some Collection<UInt8>) -> Bool {
    head.starts(with: [0x1F, 0x8B])
  }

  package func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int {
    precondition(start < buffer.count, "without room the reading would never end")
    var count = 0
    while count == 0 {
      switch state {
      case .finished: return 0
      case .betweenMembers(let isFirst): try startMember(isFirst: isFirst)
      case .inMember:
        if unread.isEmpty, try !refill() {
          throw damage("the end of the gzip data", found: "the end of the file")
        }
        count = try inflate(into: &buffer, at: start)
      }
    }
    unpacked += count
    try ReaderBudget.requireUnpacked(unpacked, from: consumed, name)
    return count
  }

  package var packedBytes: Int? { consumed }

  /// Gzip data in an archive are packed twice.
  private var consumed: Int { input.packedBytes ?? offset + unread.lowerBound }

  private func startMember(isFirst: Bool) throws(TraceError) {
    // Padding is allowed only after a member.
    while !isFirst, let byte = try nextByte(), byte == 0 {
      unread = (unread.lowerBound + 1)..<unread.upperBound
    }
    guard let byte = try nextByte() else {
      state = .finished
      return
    }
    guard byte == 0x1F else { throw damage("gzip data", found: "other bytes after it") }
    inflateReset(stream)
    state = .inMember
  }

  /// Nil at the end of the file.
  private func nextByte() throws(TraceError) -> UInt8? {
    if unread.isEmpty, try !refill() { return nil }
    return packed[unread.lowerBound]
  }

  private func refill() throws(TraceError) -> Bool {
    offset += unread.upperBound
    let count = try input.read(into: &packed, at: 0)
    unread = 0..<count
    return count > 0
  }

  private func inflate(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int {
    let free = buffer.count - start
    let status = packed.withUnsafeMutableBufferPointer { packed in
      buffer.withUnsafeMutableBufferPointer { buffer in
        guard let input = packed.baseAddress, let output = buffer.baseAddress else {
          return Z_BUF_ERROR
        }
        stream.pointee.next_in = input + unread.lowerBound
        stream.pointee.avail_in = UInt32(unread.count)
        stream.pointee.next_out = output + start
        stream.pointee.avail_out = UInt32(clamping: free)
        return CZlib.inflate(stream, Z_NO_FLUSH)
      }
    }
    let rest = Int(stream.pointee.avail_in)
    unread = (unread.upperBound - rest)..<unread.upperBound
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: state = .betweenMembers(isFirst: false)
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
      throw damage("intact gzip data", found: "\"\(reason)\"")
    }
    return Int(UInt32(clamping: free) - stream.pointee.avail_out)
  }

  private func damage(_ expected: String, found: String) -> TraceError {
    TraceError(
      place: name, expected: expected, found: "\(found) at byte \(offset + unread.lowerBound)",
      remedy: "copy the file again: it is truncated or damaged")
  }
}
