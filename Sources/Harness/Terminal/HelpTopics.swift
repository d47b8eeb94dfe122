import ArgumentParser
import Diagnostics

/// What `shadowbox help` knows besides the commands, and the check that a command's name is known.
enum HelpTopics {
  private static let topics = ["exit-codes": ExitStatus.table]

  /// Prints the topic that the arguments ask for.
  ///
  /// - Returns: whether they ask for one.
  /// - Throws: wrong use with the nearest name, if a command or a topic is not known.
  static func print(_ arguments: [String]) throws -> Bool {
    guard let first = arguments.first, !first.hasPrefix("-") else { return false }
    let commands = RootCommand.configuration.subcommands.map { $0._commandName }
    guard first == "help" else {
      guard commands.contains(first) || hidden.contains(first) else {
        throw Failure.unknown("command", first, known: commands + ["help"])
      }
      return false
    }
    guard let topic = arguments.dropFirst().first, !topic.hasPrefix("-") else { return false }
    if let text = topics[topic] {
      try StandardOutput.write(text)
      return true
    }
    guard commands.contains(topic) else {
      throw Failure.unknown(
        "help topic", topic, known: commands + topics.keys.sorted())
    }
    return false
  }

  /// Commands of the argument parser itself.
  private static let hidden = ["generate-completion-script"]
}
