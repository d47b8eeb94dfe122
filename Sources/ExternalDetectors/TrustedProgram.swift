import Diagnostics
import Foundation

/// A program that may be started. Only ``ProgramTrust`` makes one, and no process of an `exec:` detector
/// starts without one.
package struct TrustedProgram: Sendable {
  let command: ExecCommandLine

  fileprivate init(_ command: ExecCommandLine) { self.command = command }
}

/// The programs that a command may start: those that its command line or a suite names, and with
/// `--allow-programs` those of a file. No other file names one, see SECURITY.md.
package struct ProgramTrust: Sendable {
  private var named: Set<ExecCommandLine> = []

  package init() {}

  package mutating func trust(_ command: ExecCommandLine) { named.insert(command) }

  /// - Throws: bad data with the program that would have been started.
  package func program(_ command: ExecCommandLine) throws -> TrustedProgram {
    try require([command], unless: "the command line or a suite names them")
    return TrustedProgram(command)
  }

  /// - Parameters:
  ///   - place: the file that names the programs, for the message.
  ///   - condition: when they are started, for the message.
  /// - Throws: bad data with all programs that would have been started.
  package func require(
    _ commands: [ExecCommandLine], place: String = "", unless condition: String
  ) throws {
    var known = named
    let others = commands.filter { known.insert($0).inserted }
    guard !others.isEmpty else { return }
    var failure = Failure(
      .badData, place: place,
      "expected no programs, unless \(condition); check what would be started: ")
    // Whole, however long: what is cut off would be started unseen.
    failure.description += others.map(\.shown).joined(separator: "; ")
    throw failure
  }
}

extension ExecCommandLine {
  /// The program, its arguments and its folder, without characters that hide others.
  fileprivate var shown: String {
    Self.escaped(text) + " in the folder "
      + Self.escaped(folder)
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { shown, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      case .spaceSeparator where scalar != " ", _ where PrintedText.isHidden(scalar):
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
  }
}
