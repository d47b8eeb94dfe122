import CPictures
import ChildProcesses
import Diagnostics
import Files
import Foundation
import Results

/// What a picture shows: plain words and numbers. Python places them and computes no figure.
package struct Picture: Sendable {
  /// The Python module that draws it.
  package enum Kind: String, Sendable { case recall, tuning, history, replay }

  let kind: Kind
  let document: JSONObject

  init(_ kind: Kind, _ document: JSONObject) { (self.kind, self.document) = (kind, document) }
}

extension Picture.Kind {
  fileprivate var modules: [picture_module] {
    switch self {
    case .recall: [picture_common, picture_recall]
    case .tuning: [picture_common, picture_recall, picture_tuning]
    case .history: [picture_common, picture_history]
    case .replay: [picture_common, picture_replay]
    }
  }
}

/// Draws pictures with Python's matplotlib. The modules that draw are part of this program.
///
/// ```swift
/// let drawer = try PictureDrawer()               // before the long work: fails early
/// let path = try outputFiles.checked(path, .picture)
/// …
/// try drawer.draw(result.picture(), to: path)
/// ```
package struct PictureDrawer {
  /// The interpreter, which has matplotlib.
  package let python: String
  private let limit: Duration

  /// Finds Python: the interpreter in the variable `SHADOWBOX_PYTHON` and no other; without the
  /// variable the first with matplotlib of `.venv/bin/python` in the folder of this program or one
  /// above it, and `python3` in the absolute folders of `PATH`. Nothing in the working directory is
  /// run: it may hold what somebody else sent.
  ///
  /// - Parameter limit: a drawing that takes longer is stopped.
  /// - Throws: ``Failure`` with the next step if there is no interpreter with matplotlib.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: String? = Bundle.main.executablePath, limit: Duration = .seconds(300)
  ) throws {
    self.limit = limit
    let named = environment["SHADOWBOX_PYTHON"].flatMap { $0.isEmpty ? nil : $0 }
    let candidates =
      named.map { [URL(filePath: $0).path] } ?? Self.candidates(environment, executable)
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

  /// Draws a picture and renames it into place; until then an old file stays.
  package func draw(
    _ picture: Picture, to path: String, of outputFiles: OutputFiles = OutputFiles()
  ) throws {
    let folder = try TemporaryFolder()
    for module in picture.kind.modules {
      let source = Data(bytes: module.start, count: module.size)
      let name = String(cString: module.name) + ".py"
      try source.write(to: URL(filePath: folder.path).appending(path: name))
    }
    // Not even the folder of a script is searched with -I.
    let script = """
      import sys; sys.path.insert(0, sys.argv[2]); import common, \(picture.kind.rawValue) as kind
      common.write(kind.draw, sys.argv[1])
      """
    let format = URL(fileURLWithPath: path).pathExtension.lowercased()
    let (ending, image, message) = try Self.run(
      python, [script, format, folder.path], Data(jsonText(picture.document).utf8), limit, folder)
    try check(ending, image, message)
    try outputFiles.makeParent(of: path)
    let file = try AtomicFile(path: path)
    try file.write(bytes: image)
    try file.commit()
  }

  private func check(_ ending: ChildProcess.Ending, _ image: Data, _ message: String) throws {
    let beginning = "\(python): expected it to draw a picture, found that it"
    switch ending {
    case .exited(0) where !image.isEmpty: break
    case .exited(0): throw Failure(.childFailed, "\(beginning) drew nothing: \(message)")
    case .exited(let status):
      throw Failure(.childFailed, "\(beginning) ended with \(status): \(message)")
    case .killed(let signal):
      throw Failure(.childFailed, "\(beginning) was ended by signal \(signal): \(message)")
    case .tookTooLong:
      throw Failure(
        .childFailed, "\(beginning) took longer than \(limit) and was ended; is the machine busy?")
    }
  }

  /// Runs a script with its arguments; it reads `input` and writes an answer. Where it makes temporary
  /// files, e.g. because matplotlib cannot write to the home folder, they are in `folder`.
  private static func run(
    _ python: String, _ script: [String], _ input: Data, _ limit: Duration,
    _ folder: TemporaryFolder
  ) throws -> (ChildProcess.Ending, output: Data, message: String) {
    // A file, not a pipe: an interpreter that reads nothing must not block the writer.
    let request = URL(filePath: folder.path).appending(path: "request")
    do {
      try input.write(to: request)
      let handle = try FileHandle(forReadingFrom: request)
      // -I and another folder: no module, and no setting of matplotlib, comes from the working
      // directory or from variables of Python.
      let child = try ProgramRun(
        python, ["-I", "-B", "-c"] + script, in: "/", input: .file(handle.fileDescriptor),
        variables: ["TMPDIR": folder.path], limit: limit)
      let output = try FileHandle(fileDescriptor: child.output).readToEnd() ?? Data()
      let ending = child.finish()
      // The last line of a traceback has the error.
      let message = child.message.split(separator: "\n").last.map(String.init)
      return (ending, output, message ?? "it said nothing")
    } catch {
      throw Failure(.childFailed, "\(python): cannot be run: \(reason(of: error))")
    }
  }

  // MARK: The interpreter

  private static func candidates(
    _ environment: [String: String], _ executable: String?
  ) -> [String] {
    var installed: [String] = []
    var program = executable.map { URL(filePath: $0).resolvingSymlinksInPath() }
    let owner = program.flatMap(Self.owner)
    while let above = program?.deletingLastPathComponent(), above.path != "/" {
      // Anybody may have made it in a folder such as /tmp.
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

  /// The reason why an interpreter cannot draw; nil = it can.
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
