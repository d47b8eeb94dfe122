private import CZlib
package import TraceModel

/// Packs bytes in memory as gzip data (RFC 1952), at the highest compression.
package enum GzipOutput {
  /// - Throws: if there is no memory for it.
  package static func packed(_ bytes: [UInt8], name: String) throws(TraceError) -> [UInt8] {
    var stream = z_stream()
    guard czlib_deflate_gzip(&stream) == Z_OK else { throw shortage(name) }
    defer { deflateEnd(&stream) }
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 18)
    // zlib counts with 32 bits.
    guard bytes.count <= Int(UInt32.max), packed.count <= Int(UInt32.max) else {
      throw TraceError(place: name, expected: "less than 4 GB", found: "\(bytes.count) bytes")
    }
    var bytes = bytes
    let status = bytes.withUnsafeMutableBufferPointer { input in
      packed.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw shortage(name) }
    packed.removeLast(packed.count - Int(stream.total_out))
    return packed
  }

  private static func shortage(_ name: String) -> TraceError {
    TraceError(.inputOutput, place: name, expected: "memory to pack gzip data", found: "too little")
  }
}
