import ChildProcesses
import Digests
package import Diagnostics
import Foundation
package import Evaluation

/// The command line after `exec:`: a program and its arguments, started without a shell.
package struct ExecCommandLine: Hashable, Sendable {
  package static let prefix = AnyDetector.externalPrefix

  /// The text with the prefix.
  package let text: String
  package let words: [String]
  /// The working directory of the program, and the base of its path: absolute and without links, so that
  /// what is shown is what the system starts.
  package let folder: String
  /// The folder as it was named.
  private let named: String

  /// - Throws: wrong use if there is no program, or if a quotation mark is not closed.
  package init(_ text: String, relativeTo folder: String) throws {
    self.text = text
    named = folder
    self.folder = Self.resolved(folder)
    guard let words = Self.words(of: text.dropFirst(Self.prefix.count)), !words.isEmpty else {
      throw Failure(
        .wrongUse,
        "\(text): expected exec:program with its arguments, e.g. exec:./my-detector or "
          + "'exec:python3 detector.py'; put words with spaces in quotation marks")
    }
    self.words = words
  }

  package static func isOne(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// Splits a text at white space outside of ' and "; returns nil if a quotation mark is not closed.
  package static func words(of text: some StringProtocol) -> [String]? {
    var words: [String] = []
    var word: String?
    var mark: Character?
    for character in text {
      if character == mark {
        mark = nil
      } else if mark == nil, character == "'" || character == "\"" {
        mark = character
        word = word ?? ""
      } else if mark == nil, character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let whole = word { words.append(whole) }
    return mark == nil ? words : nil
  }

  /// Returns the absolute path of the program.
  /// - Throws: a failed child if there is no executable file.
  package func executable() throws -> String {
    let name = words[0]
    if name.utf8.contains(UInt8(ascii: "/")) { return try checked(path(of: name), name) }
    guard let file = ProgramRun.candidates(named: name).first(where: Self.isExecutable) else {
      throw failure("found no \(name) in PATH; write ./\(name) for a file in the folder")
    }
    return file
  }

  /// The absolute path of a file, with its links and `..`: only the system follows them right.
  private func path(of name: String) -> String {
    name.utf8.first == UInt8(ascii: "/")
      ? name : folder + "/" + (name.utf8.starts(with: "./".utf8) ? String(name.dropFirst(2)) : name)
  }

  /// A folder that does not exist stays as it is; starting a program in it fails.
  private static func resolved(_ folder: String) -> String {
    guard let path = realpath(folder, nil) else { return folder }
    defer { free(path) }
    return String(cString: path)
  }

  /// Returns the program and the files among the arguments, also after `=`.
  /// - Throws: a failed child if there is no program; a file error.
  package func files() throws -> [ProgramRecord.File] {
    let program = try executable()
    // The program may be executable but not readable.
    let digest = access(program, R_OK) == 0 ? try FileDigest.sha256(of: program) : ""
    var files = [ProgramRecord.File(name: words[0], sha256: digest)]
    for word in words.dropFirst() {
      let name = word.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      for name in [word, name] where !files.contains(where: { $0.name == name }) {
        let path = path(of: name)
        guard FileDigest.isRegularFile(path), access(path, R_OK) == 0 else { continue }
        files.append(ProgramRecord.File(name: name, sha256: try FileDigest.sha256(of: path)))
      }
    }
    return files
  }

  private func checked(_ path: String, _ name: String) throws -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw failure(
        "found no file \(name)\(named == "." ? "" : " in \(named)"); "
          + "the path is relative to the suite's folder, else to the working directory")
    }
    guard !isFolder.boolValue else { throw failure("found the folder \(name)") }
    guard Self.isExecutable(path) else {
      throw failure(
        "found \(name) without permission to execute; run chmod +x \(name), or name its "
          + "interpreter, e.g. 'exec:python3 \(name)'")
    }
    return path
  }

  /// By their bytes: two files may have names that are equal as strings.
  package static func == (left: ExecCommandLine, right: ExecCommandLine) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
      && left.folder.utf8.elementsEqual(right.folder.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  private static func isExecutable(_ path: String) -> Bool {
    FileDigest.isRegularFile(path) && access(path, X_OK) == 0
  }

  package func failure(_ found: String) -> Failure {
    Failure(.childFailed, "\(text): expected an executable program, \(found)")
  }
}
