import Foundation
import TraceFormats
import TraceModel

/// What the parent asks for: two numbers and the path.
struct ReadingRequest {
  var path: String
  /// Bytes.
  var memory: Int
}

/// What the child answers, as JSON; the columns of a trace follow it as they lie in memory.
struct ReadingReply: Codable {
  struct Failure: Codable {
    var isBadData: Bool
    var place: String
    var expected: String
    var found: String
    var remedy: String

    init(_ error: TraceError) {
      isBadData = error.kind == .badData
      place = error.place
      expected = error.expected
      found = error.found
      remedy = error.remedy
    }

    var error: TraceError {
      TraceError(
        isBadData ? .badData : .inputOutput, place: place, expected: expected, found: found,
        remedy: remedy)
    }
  }

  var failure: Failure?
  /// Without its reference track, whose columns follow those of the channels.
  var header: TraceHeader?
  var trackCount: Int?
  var unread: [String] = []

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}

/// One end of a pipe, read and written whole.
struct PipeEnd {
  let descriptor: Int32

  /// False = the other end is gone.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    transfer(bytes.count) { done in
      Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
    }
  }

  /// False = the other end is gone.
  func read(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    transfer(bytes.count) { done in
      Foundation.read(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
    }
  }

  private func transfer(_ count: Int, _ call: (Int) -> Int) -> Bool {
    var done = 0
    while done < count {
      let moved = call(done)
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { return false }
      done += moved
    }
    return true
  }

  func write(_ number: Int) -> Bool {
    withUnsafeBytes(of: number) { write($0) }
  }

  func write(_ data: some Collection<UInt8>) -> Bool {
    write(data.count) && Array(data).withUnsafeBytes { write($0) }
  }

  func number() -> Int? {
    var number = 0
    let isWhole = withUnsafeMutableBytes(of: &number) { read(into: $0) }
    return isWhole ? number : nil
  }

  /// Nil = the other end is gone, or announces more than `limit` bytes.
  func bytes(limit: Int) -> [UInt8]? {
    guard let count = number(), count >= 0, count <= limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let isWhole = bytes.withUnsafeMutableBytes { read(into: $0) }
    return isWhole ? bytes : nil
  }
}

extension TraceError {
  /// The other end of a pipe is gone, which the process that is left tells in its own way.
  static var closedPipe: TraceError {
    TraceError(.inputOutput, place: "reader", expected: "the other process", found: "a closed pipe")
  }
}
