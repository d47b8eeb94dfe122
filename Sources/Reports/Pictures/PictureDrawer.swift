import CPictures
import ChildProcesses
import Diagnostics
import Files
import Foundation
import Results

/// The texts and numbers of a picture. Python only places them.
package struct Picture: Sendable {
  /// The Python module that draws it.
  package enum Kind: String, Sendable { case recall, tuning, history, replay }

  let kind: Kind
  let document: JSONObject

  init(_ kind: Kind, _ document: JSONObject) { (self.kind, self.document) = (kind, document) }

  fileprivate var modules: [picture_module] {
    switch kind {
    case .recall: [picture_common, picture_recall]
    case .tuning: [picture_common, picture_recall, picture_tuning]
    case .history: [picture_common, picture_history]
    case .replay: [picture_common, picture_replay]
    }
  }
}

/// Draws pictures with Python's matplotlib. The Python modules are part of this program.
///
/// ```swift
/// let drawer = try PictureDrawer()               // before the long work: fails early
/// let path = try outputFiles.checked(path, .picture)
/// …
/// try drawer.draw(result.picture(), to: path)
/// ```
package struct PictureDrawer {
  package let python: String
  private let limit: Duration

  /// Finds Python: the interpreter in the variable `SHADOWBOX_PYTHON`, or the first with matplotlib of
  /// `.venv/bin/python` in the folder of this program or above it, and `python3` in the absolute folders
  /// of `PATH`. Never an interpreter of the working directory, which may contain files of other people.
  ///
  /// - Parameter limit: the longest time for a drawing.
  /// - Throws: ``Failure`` with the next step if no interpreter has matplotlib.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: String? = Bundle.main.executablePath, limit: Duration = .seconds(300)
  ) throws {
    self.limit = limit
    let named = environment["SHADOWBOX_PYTHON"].flatMap { $0.isEmpty ? nil : $0 }
    let candidates =
      named.map { [TracePath.absolute($0)] } ?? Self.candidates(environment, executable)
    var failures: [String] = []
    for candidate in candidates where FileManager.default.isExecutableFile(atPath: candidate) {
      guard let failure = try Self.failure(of: candidate) else {
        python = candidate
        return
      }
      failures.append("\(candidate) (\(failure))")
    }
    let found =
      !failures.isEmpty
      ? failures.joined(separator: ", ")
      : named.map { "SHADOWBOX_PYTHON=\($0), which is no program that you may run" } ?? "no python3"
    throw Failure(
      .fileError,
      "a picture needs Python with matplotlib: found \(found); run \"make .venv/installed\", or "
        + "\"python3 -m venv .venv && .venv/bin/pip install matplotlib\" and name its interpreter in "
        + "SHADOWBOX_PYTHON, or ask for no picture")
  }

  /// Draws a picture and renames it into place. If that fails, an old file stays.
  package func draw(
    _ picture: Picture, to path: String, of outputFiles: OutputFiles = OutputFiles()
  ) throws {
    let folder = try TemporaryFolder()
    for module in picture.modules {
      let source = Data(bytes: module.start, count: module.size)
      let name = String(cString: module.name) + ".py"
      _ = try folder.write(source, to: name)
    }
    // With -I Python does not search the folder of a script.
    let script = """
      import sys; sys.path.insert(0, sys.argv[2]); import common, \(picture.kind.rawValue) as kind
      common.write(kind.draw, sys.argv[1])
      """
    let format = TracePath.ending(of: path)
    let (ending, image, message) = try Self.run(
      python, [script, format, folder.path], Data(jsonText(picture.document).utf8), limit, folder)
    try check(ending, image, message)
    try outputFiles.write(image, to: path)
  }

  private func check(_ ending: ChildProcess.Ending, _ image: Data, _ message: String) throws {
    let found =
      switch ending {
      case .exited(0): image.isEmpty ? "no output: \(message)" : ""
      case .exited(let status): "exit code \(status): \(message)"
      case .killed(let signal): "an end by signal \(signal): \(message)"
      case .tookTooLong: "no picture after \(limit); is the machine busy?"
      }
    guard found.isEmpty else {
      throw Failure(.childFailed, "\(python): expected a picture, found \(found)")
    }
  }

  /// Runs a script, which reads `input` and writes an answer. Its home folder, and that of its temporary
  /// files, is `folder`: matplotlib creates some.
  private static func run(
    _ python: String, _ script: [String], _ input: Data, _ limit: Duration,
    _ folder: TemporaryFolder
  ) throws -> (ChildProcess.Ending, output: Data, message: String) {
    // A file, because an interpreter that reads nothing would block the writer of a pipe.
    let request = try folder.write(input, to: "request")
    do {
      let handle = try FileHandle(forReadingFrom: fileURL(request))
      let child = try HelperProgram.python.start(
        python, ["-c"] + script, input: .file(handle.fileDescriptor),
        variables: ["HOME": folder.path, "TMPDIR": folder.path], limit: limit)
      let output = try FileHandle(fileDescriptor: child.output).readToEnd() ?? Data()
      let ending = child.finish()
      // The last line of a traceback has the error.
      let message = child.message.split(separator: "\n").last.map(String.init)
      return (ending, output, message ?? "without a message")
    } catch {
      throw Failure(.childFailed, "\(python): cannot be run: \(reason(of: error))")
    }
  }

  // MARK: The interpreter

  private static func candidates(
    _ environment: [String: String], _ executable: String?
  ) -> [String] {
    var installed: [String] = []
    var program = executable.map { fileURL(resolvedPath($0)) }
    let owner = program.flatMap(Self.owner)
    while let above = program?.deletingLastPathComponent(), above.path != "/" {
      // In a folder such as /tmp anyone may have created it.
      let environment = above.appending(path: ".venv")
      if let made = Self.owner(of: environment), [0, geteuid(), owner].contains(made) {
        installed.append(environment.appending(path: "bin/python").path)
      }
      program = above
    }
    return installed + ProgramRun.candidates(named: "python3", path: environment["PATH"])
  }

  private static func owner(of file: URL) -> uid_t? {
    var facts = stat()
    return lstat(file.path, &facts) == 0 ? facts.st_uid : nil
  }

  /// Why an interpreter cannot draw; nil = it can.
  private static func failure(of python: String) throws -> String? {
    let folder = try TemporaryFolder()
    let answer = Result { try run(python, ["import matplotlib"], Data(), .seconds(60), folder) }
    switch answer {
    case .success((.exited(0), _, _)): return nil
    case .success((.tookTooLong, _, _)): return "it did not answer"
    case .success((_, _, let message)): return message
    case .failure: return "it cannot be run"
    }
  }
}
