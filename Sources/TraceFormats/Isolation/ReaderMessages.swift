import Diagnostics
package import Foundation
package import TraceModel

/// What the parent asks for.
package struct ReadingRequest {
  package var path: String
  /// The name of the reader; empty = that of traces.
  package var reader = ""
  /// Bytes.
  package var memory: Int
}

/// What the child answers, as JSON. The columns of a trace follow it as they lie in memory, the contents of
/// another file as JSON.
package struct ReadingReply: Codable {
  package struct Failure: Codable {
    package var isBadData: Bool
    package var place: String
    package var expected: String
    package var found: String
    package var remedy: String

    package init(_ error: TraceError) {
      isBadData = error.kind == .badData
      place = error.place
      expected = error.expected
      found = error.found
      remedy = error.remedy
    }

    package var error: TraceError {
      TraceError(
        isBadData ? .badData : .inputOutput, place: place, expected: expected, found: found,
        remedy: remedy)
    }
  }

  package var failure: Failure?
  /// Without its reference track, whose columns follow those of the channels.
  package var header: TraceHeader?
  package var trackCount: Int?
  package var unread: [String] = []

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

/// One end of a pipe, read and written whole.
package struct PipeEnd {
  package let descriptor: Int32

  /// False = the other end is gone.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    transfer(bytes.count) { done in
      Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
    }
  }

  /// False = the other end is gone.
  package func read(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
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

  package func write(_ number: Int) -> Bool {
    withUnsafeBytes(of: number) { write($0) }
  }

  package func write(_ data: some Collection<UInt8>) -> Bool {
    write(data.count) && Array(data).withUnsafeBytes { write($0) }
  }

  package func number() -> Int? {
    var number = 0
    let isWhole = withUnsafeMutableBytes(of: &number) { read(into: $0) }
    return isWhole ? number : nil
  }

  /// Nil = the other end is gone, or announces more than `limit` bytes.
  package func bytes(limit: Int) -> [UInt8]? {
    guard let count = number(), count >= 0, count <= limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let isWhole = bytes.withUnsafeMutableBytes { read(into: $0) }
    return isWhole ? bytes : nil
  }
}

extension TraceError {
  /// The other end of the pipe is closed; the remaining process reports that in its own way.
  package static var closedPipe: TraceError {
    TraceError(.inputOutput, place: "reader", expected: "the other process", found: "a closed pipe")
  }
}
