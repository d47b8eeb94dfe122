import Evaluation
import Diagnostics
import Foundation
import Synchronization

/// Diagnostics, which go to stderr. Data go to stdout, so that a pipe receives only those.
final class Terminal: WorkObserver {
  private let isQuiet: Bool
  private let showsProgress: Bool
  private let state = Mutex(State())

  private struct State {
    var isLineOpen = false
  }

  init(quiet: Bool = false, noProgress: Bool = false) {
    isQuiet = quiet
    showsProgress = !quiet && !noProgress && isatty(STDERR_FILENO) == 1
  }

  func say(_ message: String, terminator: String = "\n") {
    guard !isQuiet else { return }
    warn(message, terminator: terminator)
  }

  /// Prints a warning, with --quiet too.
  func warn(_ message: String) { warn(message, terminator: "\n") }

  func warn(_ message: String, terminator: String) {
    state.withLock { state in
      write((state.isLineOpen ? "\r\u{1B}[K" : "") + message + terminator)
      state.isLineOpen = false
    }
  }

  func progress(_ done: Int, of total: Int, _ what: String) {
    guard showsProgress, total > 0 else { return }
    let width = 28
    let filled = width * done / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    state.withLock { state in
      write("\r\u{1B}[K[\(bar)] \(done)/\(total) \(what)")
      state.isLineOpen = true
    }
  }

  /// Whether a line that changes in place is visible.
  var showsLiveLine: Bool { showsProgress }

  /// Prints a line that the next one replaces.
  func showLive(_ text: String) {
    guard showsProgress else { return }
    state.withLock { state in
      write("\r\u{1B}[K" + text)
      state.isLineOpen = true
    }
  }

  func endProgress() {
    state.withLock { state in
      if state.isLineOpen { write("\r\u{1B}[K") }
      state.isLineOpen = false
    }
  }

  /// Diagnostics that cannot be written are lost.
  private func write(_ text: String) {
    _ = writeAll(text, to: STDERR_FILENO)
  }
}

/// Stdout. A reader that has closed its end (`| head`) has what it wanted: that is no error.
enum StandardOutput {
  /// - Returns: false if the reader has closed its end.
  @discardableResult
  static func write(_ text: String) throws -> Bool {
    guard let failure = writeAll(text, to: STDOUT_FILENO) else { return true }
    if failure == EPIPE { return false }
    throw Failure(.fileError, "standard output: \(String(cString: strerror(failure)))")
  }
}

enum StandardStreams {
  /// A file that is opened while a standard stream is closed would get its number and so what is
  /// printed. Each closed stream is replaced by one that fails like a closed one.
  static func openThoseThatAreClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is that of the closed stream.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Writes all of `text`, and returns the error number where that fails.
private func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
