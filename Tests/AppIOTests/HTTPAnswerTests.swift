import Testing
import TraceModel

@testable import AppIO

@Suite struct HTTPAnswerTests {
  private func head(_ lines: [String], needsLength: Bool) throws(TraceError) -> HTTPAnswer {
    var answer = HTTPAnswer(place: "a", limit: 10, needsLength: needsLength)
    for line in lines + [""] { try answer.take(line: (line + "\r\n").utf8) }
    return answer
  }

  /// Without a length, whoever ends the connection ends the answer.
  @Test(arguments: [
    (["HTTP/1.1 200 OK"], false), (["HTTP/1.0 200 OK"], false),
    (["HTTP/1.1 200 OK", "Content-Length: 2"], true),
    (["HTTP/1.1 200 OK", "Transfer-Encoding: Chunked"], true), (["HTTP/1.1 204 None"], true),
    (["HTTP/1.1 102 Wait", "Content-Length: 2", "", "HTTP/1.1 200 OK"], false),
  ])
  func answersOverTLSNeedALength(lines: [String], isEnough: Bool) throws {
    _ = try head(lines, needsLength: false)
    guard !isEnough else {
      _ = try head(lines, needsLength: true)
      return
    }
    let error = try #require(throws: TraceError.self) { try head(lines, needsLength: true) }
    #expect(error.found == "neither a length nor chunks")
  }

  /// The two limits of headers are exact, and count every line with its break.
  @Test func headersAreCounted() throws {
    let size = "HTTP/1.1 200 OK\r\nX-A: \r\n\r\n".utf8.count
    let longest = String(repeating: "a", count: HTTPLimits.headerSize - size)
    _ = try head(["HTTP/1.1 200 OK", "X-A: " + longest], needsLength: false)
    #expect(throws: TraceError.self) {
      try head(["HTTP/1.1 200 OK", "X-A: a" + longest], needsLength: false)
    }
    let most = [String](repeating: "X-A: a", count: HTTPLimits.headerLines - 2)
    var answer = try head(["HTTP/1.1 200 OK"] + most, needsLength: false)
    #expect(throws: TraceError.self) { try answer.take(line: "X-Sum: 1\r\n".utf8) }
  }
}
