import Foundation
import Pacing
import TraceModel

/// One question to a child and its answer: bytes go and come as each side is ready for them, so that
/// neither waits for the other with a full pipe before it.
final class ExecConversation {
  /// Reads a line of the answer; true = it was the last.
  typealias Reader = (String) throws(ExecFault) -> Bool

  private let process: ExecProcess
  private let place: String
  /// What the answer is called.
  private let what: String
  /// The line that ends it.
  private let lastLine: String
  private let timeLimit: Duration
  private let read: Reader
  private var outgoing: [UInt8] = []
  private var gone = 0
  private var incoming: [UInt8] = []
  private var lines = 0
  private var isComplete = false
  /// The child has closed its input.
  private var isDeaf = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Bytes that are gathered before they are sent.
  private static let packet = 1 << 16
  private static let longestLine = 4096

  /// - Parameters:
  ///   - place: for messages.
  ///   - what: the answer is called, and the line that ends it.
  ///   - timeLimit: how long nothing may move while the child is waited for.
  init(
    _ process: ExecProcess, place: String, what: String, lastLine: String, timeLimit: Duration,
    read: @escaping Reader
  ) {
    self.process = process
    self.place = place
    self.what = what
    self.lastLine = lastLine
    self.timeLimit = timeLimit
    self.read = read
  }

  /// Adds to what is sent, and sends it when there is enough.
  func send(_ write: (inout [UInt8]) -> Void) throws {
    write(&outgoing)
    if outgoing.count >= Self.packet { try exchange(untilAnswered: false) }
  }

  /// Sends the rest and reads the answer to its end.
  ///
  /// - Parameter mayStayUnread: whether a child may answer that has not read all of its input. One
  ///   that ends after such an answer is found by the next question, which says how it ended.
  func finish(mayStayUnread: Bool = false) throws {
    try exchange(untilAnswered: true)
    guard mayStayUnread || gone == outgoing.count else {
      throw failure(ExecFault(expected: "all input to be read before \(lastLine)", found: "less"))
    }
  }

  private func exchange(untilAnswered: Bool) throws {
    var watch = Stopwatch()
    // From one that reads no more there is nothing to come but the end, or too early an answer.
    while !isComplete, untilAnswered || isDeaf || gone < outgoing.count {
      // When the time is over, once more: it may be this program that had no processor.
      let left = max(timeLimit - watch.elapsed, .zero)
      let ready = process.wait(toWrite: !isDeaf && gone < outgoing.count, for: left)
      var hasMoved = false
      if ready.output { hasMoved = try receive() }
      if ready.input, transmit() { hasMoved = true }
      if hasMoved {
        watch = Stopwatch()
      } else if left == .zero {
        throw silence
      }
    }
    if gone == outgoing.count {
      outgoing.removeAll(keepingCapacity: true)
      gone = 0
    }
  }

  private func transmit() -> Bool {
    guard let count = process.write(outgoing[gone...]) else {
      isDeaf = true
      return false
    }
    gone += count
    return count > 0
  }

  private func receive() throws -> Bool {
    guard let count = process.read(into: &buffer) else { throw death }
    for byte in buffer[..<count] {
      guard !isComplete else {
        throw failure(
          ExecFault(expected: "nothing after \(lastLine)", found: "more"), line: lines + 1)
      }
      if byte == UInt8(ascii: "\n") {
        try takeLine()
      } else {
        incoming.append(byte)
        guard incoming.count <= Self.longestLine else {
          throw failure(
            ExecFault(
              expected: "a line of at most \(Self.longestLine) bytes", found: "a longer one"),
            line: lines + 1)
        }
      }
    }
    return count > 0
  }

  private func takeLine() throws {
    // A program that writes text on Windows ends its lines so.
    if incoming.last == UInt8(ascii: "\r") { incoming.removeLast() }
    let line = incoming
    incoming.removeAll(keepingCapacity: true)
    lines += 1
    do throws(ExecFault) {
      isComplete = try read(Self.text(line))
    } catch {
      throw failure(error, line: lines)
    }
  }

  /// What is neither text nor a tab would go on into tables, files and terminals.
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

  // MARK: Failures

  private func failure(_ fault: ExecFault, line: Int? = nil) -> CommandError {
    CommandError(
      .childFailed,
      "\(place)\(line.map { ": line \($0) of its \(what)" } ?? ""): expected \(fault.expected), found "
        + fault.found + (fault.remedy.isEmpty ? "" : "; " + fault.remedy))
  }

  private var wholeAnswer: String { "its \(what) up to the line \(lastLine)" }

  /// A line that was begun and is not ended.
  private var openLine: String {
    incoming.isEmpty
      ? ""
      : " after \(ExecFault.quoted(String(decoding: incoming, as: UTF8.self))) without an end of the "
        + "line"
  }

  private var silence: CommandError {
    // Who holds its streams open may not be who was started.
    if process.hasEnded { return ended(" while another program holds its streams open") }
    let seconds = number(Double(timeLimit.nanoseconds) / 1e9)
    if isDeaf {
      return failure(
        ExecFault(
          expected: wholeAnswer,
          found: "that it has closed its input, and nothing for \(seconds) s\(openLine)",
          remedy: saidAtLast ?? ""))
    }
    if gone < outgoing.count {
      return failure(
        ExecFault(
          expected: "it to read its input", found: "that it has read nothing for \(seconds) s",
          remedy: "it has to read all lines as they come; --detector-timeout gives it longer"))
    }
    return failure(
      ExecFault(
        expected: wholeAnswer, found: "nothing for \(seconds) s\(openLine)",
        remedy: "it has to flush its output after \(lastLine); --detector-timeout gives it longer"))
  }

  private var saidAtLast: String? {
    process.lastWords.isEmpty ? nil : "it said at last: " + process.lastWords
  }

  /// It writes no more.
  private var death: CommandError { ended("") }

  private func ended(_ circumstance: String) -> CommandError {
    let found: String
    var remedy = ""
    switch process.end(closingInput: false, within: .seconds(1)) {
    case .exited(let status):
      found = "that it has ended with exit status \(status)"
      if status == 0 { remedy = "it has to go on until its input ends" }
    case .killed(let signal):
      found = "that it was killed by signal \(signal) (\(String(cString: strsignal(signal))))"
    case .stayed: found = "that it has closed its output"
    }
    return failure(
      ExecFault(
        expected: wholeAnswer, found: found + circumstance + openLine,
        remedy: saidAtLast ?? remedy))
  }
}
