import Diagnostics
import Files
package import Foundation
import TraceModel

/// What the parent asks for, as JSON.
struct ReadingRequest: Codable {
  var path: String
  /// The name of the reader; empty = that of traces.
  var reader: String
  /// Bytes.
  var memory: Int
}

/// What the child answers, as JSON. The columns of a trace follow as they lie in memory, the contents
/// of another file as JSON.
package struct ReadingReply: Codable {
  var failure: TraceError?
  /// Without its reference track, whose columns follow those of the channels.
  var header: TraceHeader?
  var trackCount: Int?
  var unread: [String] = []

  package static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  package static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}

/// One end of a pipe. What is read or written is transferred whole.
struct PipeEnd {
  let descriptor: Int32

  /// False = the other end is closed.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    movesAll(bytes.count) { done in
      Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
    }
  }

  /// False = the other end is closed.
  func read(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    movesAll(bytes.count) { done in
      Foundation.read(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
    }
  }

  func write(_ data: Data) -> Bool {
    withUnsafeBytes(of: data.count) { write($0) } && data.withUnsafeBytes { write($0) }
  }

  /// Nil = the other end is closed.
  private func data() -> Data? {
    var count = 0
    guard withUnsafeMutableBytes(of: &count, { read(into: $0) }), count >= 0 else { return nil }
    var data = Data(count: count)
    return data.withUnsafeMutableBytes { read(into: $0) } ? data : nil
  }

  func send(_ message: some Encodable) throws -> Bool {
    write(try ReadingReply.encoder.encode(message))
  }

  /// Nil = the other end is closed.
  func message<Message: Decodable>(_ type: Message.Type = Message.self) throws -> Message? {
    try data().map { try ReadingReply.decoder.decode(type, from: $0) }
  }
}

extension TraceError {
  /// The other end of the pipe is closed; the remaining process reports that in its own way.
  static var closedPipe: TraceError {
    TraceError(.inputOutput, place: "reader", expected: "the other process", found: "a closed pipe")
  }
}
