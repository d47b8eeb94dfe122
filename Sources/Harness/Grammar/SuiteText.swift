import Diagnostics
import Yams

/// A suite's text, before and where it is no YAML.
struct SuiteText {
  let path: String
  let text: String

  /// Refuses aliases. A few lines of them can stand for more than any memory holds, and merely to
  /// compare such a key would take for ever ("billion laughs").
  ///
  /// An alias is a `*` at the beginning of a word that is not within quotes. In the middle of plain
  /// text that is none; but nobody can miss it there.
  func requireNoAliases() throws {
    var previous: UInt8 = 0x0A
    var line = 1
    for (byte, next) in zip(text.utf8, text.utf8.dropFirst()) {
      if byte == UInt8(ascii: "*"), Self.beforeWords.contains(previous), Self.isOfName(next) {
        throw Failure(
          .badData,
          "\(path):\(line): expected no alias (*), which a suite may not hold; write out what it "
            + "stands for, and put a file pattern that begins with * in quotes")
      }
      if byte == 0x0A { line += 1 }
      previous = byte
    }
  }

  private static let beforeWords = Set("\n\r\t []{},:?-".utf8)

  private static func isOfName(_ byte: UInt8) -> Bool {
    // What may begin the name of an alias: libyaml wants letters, digits, - and _; be wider.
    byte > 0x20 && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "/")
      && byte != UInt8(ascii: "*")
  }

  /// What the YAML library says, in one line: its own words come with as much of the text as it has.
  func failure(_ error: any Error) -> Failure {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let what = [context?.text, problem].compactMap { $0 }.joined(separator: ": ")
      return Failure(.badData, "\(path):\(mark.line): not YAML: \(what)")
    case .reader(let problem, let offset, _, _):
      let before = text.utf8.prefix(offset ?? 0)
      return Failure(
        .badData, "\(path):\(before.count { $0 == 0x0A } + 1): not YAML: \(problem)")
    case .duplicatedKeysInMapping(let duplicates, let context):
      return Failure(
        .badData,
        "\(path):\(context.mark.line): keys must be unique, these are there twice: "
          + duplicates.joined(separator: ", "))
    default:
      return Failure(.badData, "\(path): not a YAML file: \(error)")
    }
  }
}
