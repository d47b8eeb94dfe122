import ArgumentParser
import Diagnostics
import TraceModel

/// How a command ended.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case regression = 2
  case timingInvalid = 3
  case improvement = 4
  case dataLost = 5
  case wrongUse = 64
  case badData = 65
  case childFailed = 70
  case fileError = 74
  case interrupted = 130

  /// The most severe first.
  private static let precedence: [ExitStatus] = [
    .fileError, .badData, .wrongUse, .childFailed, .regression, .dataLost, .timingInvalid,
    .improvement,
  ]

  static func mostSevere(_ several: [ExitStatus]) -> ExitStatus {
    precedence.first(where: several.contains) ?? .done
  }

  var meaning: String {
    switch self {
    case .done: "success"
    case .regression:
      "a regression (gate), a difference (compare --fail-on-difference), a broken rule (shrink, --fail-on)"
    case .improvement: "an improvement (gate --fail-on-improvement)"
    case .timingInvalid: "the timing of a paced replay or of bench is invalid"
    case .dataLost: "finished, but some data were lost; each loss is listed"
    case .wrongUse: "wrong use of a command or an option"
    case .badData: "bad or too few data; with validate: errors found"
    case .childFailed: "a child process failed"
    case .fileError: "a file or a device cannot be read or written"
    case .interrupted: "interrupted"
    }
  }

  static let help = "Exit codes: shadowbox help exit-codes"

  static var table: String {
    let rows = allCases.map { status in
      let code = "\(status.rawValue)"
      return String(repeating: " ", count: 5 - code.count) + code + "  " + status.meaning
    }
    return "EXIT CODES:\n" + rows.joined(separator: "\n")
      + "\n\nIf several apply, a command returns the first of "
      + precedence.map { "\($0.rawValue)" }.joined(separator: ", ") + ".\n"
  }

  init(_ kind: Failure.Kind) {
    self =
      switch kind {
      case .wrongUse: .wrongUse
      case .badData: .badData
      case .fileError: .fileError
      case .childFailed: .childFailed
      case .interrupted: .interrupted
      }
  }

  /// Ends the command with this status, unless it is success.
  func end() throws {
    if self != .done { throw ExitCode(rawValue) }
  }
}

extension Failure {
  /// The failure of one of several files; nil = the error is not about a file.
  init?(reported error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as TraceError: self.init(error)
    default: return nil
    }
  }

  /// Returns the failure of one of several files as a value: it does not stop the work on the others.
  /// - Throws: an error that is not about a file.
  static func catching<Value>(_ body: () throws -> Value) throws -> Result<Value, Failure> {
    do {
      return .success(try body())
    } catch {
      guard let failure = Failure(reported: error) else { throw error }
      return .failure(failure)
    }
  }
}

extension Result where Failure == Diagnostics.Failure {
  var failure: Diagnostics.Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

/// The topics of `shadowbox help` besides the commands, and the check of the commands' names.
enum HelpTopics {
  /// Prints the topic that the arguments ask for.
  ///
  /// - Returns: false if they ask for no topic.
  /// - Throws: wrong use with the nearest name, if a command or a topic is not known.
  static func print(_ arguments: [String]) throws -> Bool {
    let words = arguments.prefix(2).prefix { !$0.hasPrefix("-") }
    let commands = RootCommand.configuration.subcommands.map { $0._commandName }
    switch (words.first, words.dropFirst().first) {
    case (nil, _), ("help", nil), ("generate-completion-script", _): return false
    case ("help", "exit-codes"):
      try StandardOutput.write(ExitStatus.table)
      return true
    case ("help", let topic?):
      guard commands.contains(topic) else {
        throw Failure.unknown("help topic", topic, known: commands + ["exit-codes"])
      }
    case (let command?, _):
      guard commands.contains(command) else {
        throw Failure.unknown("command", command, known: commands + ["help"])
      }
      try checkSubcommand(of: command, words.dropFirst().first)
    }
    return false
  }

  /// Checks the word after the name of a command that has subcommands.
  private static func checkSubcommand(of command: String, _ word: String?) throws {
    let type = RootCommand.configuration.subcommands.first { $0._commandName == command }
    let known = type?.configuration.subcommands.map { $0._commandName } ?? []
    guard let word, !known.isEmpty, !known.contains(word), word != "help" else { return }
    throw Failure.unknown("command", "\(command) \(word)", known: known.map { "\(command) \($0)" })
  }
}
