import ChildProcesses
import Clocks
import Diagnostics
import Foundation
import TraceModel

/// A request to a child process and its answer. Bytes move in both directions whenever possible, so
/// that full pipes cannot block both sides.
package final class ExecConversation {
  /// Parses a line of the answer; returns true for the last one.
  package typealias Reader = (String) throws(ExecFault) -> Bool

  private let process: ExecProcess
  private let place: String
  /// The name of the answer, for messages.
  private let what: String
  /// The line that ends it.
  private let lastLine: String
  private let timeLimit: Duration
  private let limitsWhole: Bool
  private let read: Reader
  /// The bytes that are not sent yet.
  private var outgoing: [UInt8] = []
  private var incoming: [UInt8] = []
  private var lines = 0
  private var isComplete = false
  /// Whether the child process has closed its input.
  private var isDeaf = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// The number of bytes that are buffered before sending.
  private static let packet = 1 << 16
  private static let longestLine = 4096

  /// - Parameters:
  ///   - place: the place for messages.
  ///   - what: the name of the answer.
  ///   - lastLine: the line that ends the answer.
  ///   - timeLimit: the longest wait until the child reads input or writes a line.
  ///   - limitsWhole: whether the time limit is for the whole answer.
  package init(
    _ process: ExecProcess, place: String, what: String, lastLine: String, timeLimit: Duration,
    limitsWhole: Bool = false, read: @escaping Reader
  ) {
    (self.process, self.place, self.what, self.lastLine) = (process, place, what, lastLine)
    (self.timeLimit, self.limitsWhole, self.read) = (timeLimit, limitsWhole, read)
  }

  /// Lets `write` add bytes to the buffer, and sends it when it is full.
  package func send(_ write: (inout [UInt8]) -> Void) throws {
    write(&outgoing)
    if outgoing.count >= Self.packet { try exchange(untilAnswered: false) }
  }

  /// Sends the remaining bytes and reads the answer to its end.
  ///
  /// - Parameter mayStayUnread: whether a child may answer before it has read all of its input. If it
  ///   then ends, the next request reports how.
  package func finish(mayStayUnread: Bool = false) throws {
    try exchange(untilAnswered: true)
    guard mayStayUnread || outgoing.isEmpty else {
      throw failure(
        expected: "all input to be read before \(lastLine)", found: "unread input",
        remedy: "read to the line end first")
    }
  }

  private func exchange(untilAnswered: Bool) throws {
    var watch = Stopwatch()
    // A child that has closed its input can only end, or answer too early.
    while !isComplete, untilAnswered || isDeaf || !outgoing.isEmpty {
      // At the time limit, try once more: this program itself may have been suspended.
      let left = max(timeLimit - watch.elapsed, .zero)
      let ready = process.wait(toWrite: !isDeaf && !outgoing.isEmpty, for: left)
      var hasMoved = false
      if ready.output { hasMoved = try receive() }
      if ready.input, transmit() { hasMoved = true }
      if hasMoved, !limitsWhole {
        watch = Stopwatch()
      } else if left == .zero, !isComplete {
        throw silence
      }
    }
  }

  private func transmit() -> Bool {
    guard let count = process.write(outgoing) else {
      isDeaf = true
      return false
    }
    outgoing.removeFirst(count)
    return count > 0
  }

  private func receive() throws -> Bool {
    guard let count = process.read(into: &buffer) else { throw ended("") }
    let before = lines
    for byte in buffer[..<count] {
      guard !isComplete else {
        throw failure(expected: "no output after \(lastLine)", found: "more", line: lines + 1)
      }
      if byte == UInt8(ascii: "\n") {
        try takeLine()
      } else {
        incoming.append(byte)
        guard incoming.count <= Self.longestLine else {
          throw failure(
            expected: "a line of at most \(Self.longestLine) bytes", found: "a longer one",
            line: lines + 1)
        }
      }
    }
    // Only whole lines count as progress.
    return lines > before
  }

  private func takeLine() throws {
    // Lines of Windows programs end with CR LF.
    if incoming.last == UInt8(ascii: "\r") { incoming.removeLast() }
    let line = incoming
    incoming.removeAll(keepingCapacity: true)
    lines += 1
    do throws(ExecFault) {
      isComplete = try read(Self.text(line))
    } catch {
      throw failure(
        expected: error.expected, found: error.found, remedy: error.remedy, line: lines)
    }
  }

  /// Returns the line as text. Control characters are errors, because lines are shown in tables and
  /// terminals.
  private static func text(_ line: [UInt8]) throws(ExecFault) -> String {
    guard let text = String(validating: line, as: UTF8.self),
      !text.unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control && $0 != "\t"
      })
    else {
      throw ExecFault(
        expected: "a line of UTF-8 without control characters",
        line: String(decoding: line, as: UTF8.self))
    }
    return text
  }

  private func failure(
    expected: String, found: String, remedy: String = "", line: Int? = nil
  ) -> Failure {
    Failure(
      .childFailed, place: place + (line.map { ": line \($0) of its \(what)" } ?? ""),
      "expected \(expected), found \(found)" + (remedy.isEmpty ? "" : "; " + remedy))
  }

  private var wholeAnswer: String { "its \(what) up to the line \(lastLine)" }

  /// Describes an incomplete last line.
  private var openLine: String {
    incoming.isEmpty
      ? ""
      : " after \(ExecFault.quoted(String(decoding: incoming, as: UTF8.self))) without a line end"
  }

  private var silence: Failure {
    // If the child has ended, another process holds its streams open.
    if process.hasEnded { return ended(" while another program holds its streams open") }
    let seconds = number(Double(timeLimit.nanoseconds) / 1e9)
    if isDeaf {
      return failure(
        expected: wholeAnswer, found: "a closed input and no output for \(seconds) s\(openLine)",
        remedy: saidAtLast ?? "")
    }
    if !outgoing.isEmpty {
      return failure(
        expected: "it to read its input", found: "nothing read for \(seconds) s",
        remedy: "read all lines as they arrive, or set a longer --detector-timeout")
    }
    return failure(
      expected: wholeAnswer,
      found: (limitsWhole && lines > 0 ? "\(lines) of its lines in" : "no output for")
        + " \(seconds) s\(openLine)",
      remedy: "flush the output after \(lastLine), or set a longer --detector-timeout")
  }

  private var saidAtLast: String? {
    process.lastWords.isEmpty ? nil : "its last line on stderr: " + process.lastWords
  }

  /// The failure of a child that has closed its output.
  private func ended(_ circumstance: String) -> Failure {
    let found: String
    var remedy = ""
    switch process.end(closingInput: false, within: .seconds(1)) {
    case .exited(let status):
      found = "exit status \(status)"
      if status == 0 { remedy = "run until the end of the input" }
    case .killed(let signal):
      found = "an end by signal \(signal) (\(String(cString: strsignal(signal))))"
    case .tookTooLong: found = "a closed output"
    }
    return failure(
      expected: wholeAnswer, found: found + circumstance + openLine, remedy: saidAtLast ?? remedy)
  }
}
