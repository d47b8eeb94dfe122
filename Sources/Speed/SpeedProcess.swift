import ChildProcesses
import Diagnostics
import Files
import Foundation

/// A program that measures its speed on demand.
final class SpeedProcess {
  let side: SpeedSide
  private let child: ChildProcess
  private var unread: [UInt8] = []
  private var errors: [UInt8] = []
  private var hasErrors = true
  private let limit: Int

  private static let longestLine = 1 << 20
  private static let longestErrors = 1 << 14

  /// - Parameter counter: the command that counts instructions and runs a copy of the program.
  init(
    _ side: SpeedSide, samples: Int, plan: SpeedPlan, under counter: InstructionCounter.Start? = nil
  ) throws {
    self.side = side
    limit = plan.secondsForAnswer * 1000
    let own = [SpeedMessages.argument, "\(samples)"] + side.arguments
    do {
      child = try ChildProcess(
        counter?.words[0] ?? side.executable, words: (counter?.words ?? [side.executable]) + own,
        in: side.folder, input: .pipe, variables: counter?.variables ?? [:], leadsGroup: true)
    } catch let error as ChildProcess.LaunchError {
      throw Failure(
        .childFailed,
        "\(side.name): \(side.executable): expected a program that can be started, found "
          + "\"\(error.reason)\"")
    }
  }

  /// Returns the program's first line.
  func ready() throws -> SpeedReady {
    let ready = try answer(SpeedReady.self, to: "its start")
    guard ready.schema == SpeedMessages.schema else {
      throw Failure(
        .badData,
        "\(side.name): \(side.executable): expected \(SpeedMessages.schema), found \(ready.schema); "
          + "use builds that measure in the same way")
    }
    return ready
  }

  func ask<Answer: Decodable>(_ request: SpeedRequest, _ type: Answer.Type) throws -> Answer {
    let line = Array(request.line.utf8)
    let count = child.input.map { Foundation.write($0, line, line.count) }
    // A line fits into an empty pipe.
    guard count == line.count else {
      throw death(of: "a program that reads \"\(request.line.dropLast())\"")
    }
    return try answer(type, to: "\"\(request.line.dropLast())\"")
  }

  /// Ends the program's input and waits for the program to end.
  func end() { _ = child.end(within: .seconds(10)) }

  private func answer<Answer: Decodable>(_ type: Answer.Type, to what: String) throws -> Answer {
    let line = try line(what)
    guard let answer = SpeedMessages.message(type, of: line) else {
      child.kill()
      let text = String(decoding: line.prefix(200), as: UTF8.self)
      throw Failure(
        .childFailed,
        "\(side.name): \(side.executable): expected an answer to \(what), found \"\(text)\"")
    }
    return answer
  }

  private func line(_ what: String) throws -> ArraySlice<UInt8> {
    var waited = 0
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = unread[..<end]
        unread.removeSubrange(...end)
        return line
      }
      guard unread.count < Self.longestLine else { throw death(of: "a line in answer to \(what)") }
      var watched = [
        pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasErrors ? child.errors ?? -1 : -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&watched, 2, 1000)
      if count == 0 {
        waited += 1000
        guard waited < limit else {
          child.kill()
          throw Failure(
            .childFailed,
            "\(side.name): \(side.executable): expected an answer to \(what) within \(limit / 1000) s, "
              + "found none")
        }
      }
      if watched[1].revents != 0 { readErrors() }
      if watched[0].revents != 0, !readOutput() { throw death(of: "an answer to \(what)") }
    }
  }

  /// Returns false if the program has closed its output.
  private func readOutput() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = read(child.output, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    unread += buffer[..<count]
    return true
  }

  private func readErrors() {
    guard let descriptor = child.errors else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      errors = (errors + buffer[..<count]).suffix(Self.longestErrors)
    } else if count == 0 || errno != EINTR {
      hasErrors = false
    }
  }

  /// Returns the failure of a program that has ended, with its last line.
  private func death(of expected: String) -> Failure {
    let ending = child.end(within: .milliseconds(500)) { [self] in
      // Reads the rest of the pipe. The program and its children have ended.
      for _ in 0..<8 {
        var watched = pollfd(fd: child.errors ?? -1, events: Int16(POLLIN), revents: 0)
        guard hasErrors, poll(&watched, 1, 0) > 0 else { break }
        readErrors()
      }
    }
    ExitDuties.waitForTheEnd()
    let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n")
    let words = lines.last { $0.hasPrefix("error: ") }.map { $0.dropFirst(7) } ?? lines.last ?? ""
    let place = "\(side.name): \(side.executable): "
    if words.contains(SpeedMessages.argument) {
      return Failure(
        .badData,
        place
          + "expected a build that can measure its speed, found an older one; use a newer base, or "
          + "leave timing out")
    }
    // The program has reported a problem of its input.
    let kinds: [Int32: Failure.Kind] = [64: .wrongUse, 65: .badData, 74: .fileError]
    if case .exited(let status) = ending, let kind = kinds[status], !words.isEmpty {
      return Failure(kind, "\(side.name): \(words)")
    }
    let how =
      switch ending {
      case .exited(let status): "that it ended with exit status \(status)"
      case .killed(let signal): "that it was killed by \(String(cString: strsignal(signal)))"
      case .tookTooLong: "that it has closed its output"
      }
    return Failure(
      .childFailed,
      place + "expected \(expected), found \(how)"
        + (words.isEmpty ? "" : "; its last line is \"\(words)\""))
  }
}
