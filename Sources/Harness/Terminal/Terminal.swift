import Diagnostics
import Evaluation
import Foundation
import Reports

/// Diagnostics, which go to stderr. Data go to stdout, so that a pipe receives only those.
struct Terminal: WorkObserver {
  private let isQuiet: Bool
  /// Whether a line that changes in place is visible.
  let showsProgress: Bool

  init(quiet: Bool = false, noProgress: Bool = false) {
    isQuiet = quiet
    showsProgress = !quiet && !noProgress && isatty(STDERR_FILENO) == 1
  }

  func say(_ message: String) {
    if !isQuiet { warn(message) }
  }

  /// Prints a warning, even with --quiet.
  func warn(_ message: String) { report(onOneLine(message)) }

  /// Prints a text of several lines, each of whose names is in its line.
  func report(_ text: String) { Console.report(text + "\n") }

  func warnWrapped(_ message: String, on screen: Screen?) {
    report(screen?.wrapped(onOneLine(message), indent: 2) ?? onOneLine(message))
  }

  func sayWrapped(_ message: String, on screen: Screen?) {
    if !isQuiet { warnWrapped(message, on: screen) }
  }

  func progress(_ done: Int, of total: Int, _ what: String) {
    guard total > 0 else { return }
    let width = 28
    let filled = width * done / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    showLive("[\(bar)] \(done)/\(total) \(what)")
  }

  /// Shows the progress of work whose length in time is known.
  func progress(_ elapsed: Duration, of duration: Duration, _ what: String) {
    let steps = Self.steps(of: elapsed, duration)
    progress(steps.done, of: steps.total, what)
  }

  /// The whole seconds that have passed, and those of the whole work.
  static func steps(of elapsed: Duration, _ duration: Duration) -> (done: Int, total: Int) {
    let total = max(1, Int(seconds(duration).rounded(.up)))
    return (min(total, Int(seconds(elapsed))), total)
  }

  /// Prints a line that the next one replaces.
  func showLive(_ text: String) {
    if showsProgress { Console.report(onOneLine(text), staysOpen: true) }
  }

  func endProgress() { Console.report("") }
}

/// Stdout. A reader that closes its end (`| head`) is not an error: it has what it wanted.
enum StandardOutput {
  /// - Returns: false if the reader has closed its end.
  @discardableResult
  static func write(_ text: String, as format: OutputFormat = .table) throws -> Bool {
    let printed =
      switch format {
      case .table where OutputTerminal.isThere:
        PrintedText.withoutCommands(Screen.escapingAllButStyles(text))
      case .table: PrintedText.text(text)
      case .json: PrintedText.json(text)
      case .csv: PrintedText.csv(text)
      }
    guard let failure = Console.write(printed) else { return true }
    if failure == EPIPE { return false }
    throw fileError("standard output: \(String(cString: strerror(failure)))")
  }
}

enum StandardStreams {
  /// A file that is opened while a standard stream is closed would get its number, and receive what
  /// is printed. Each closed stream is replaced by one that fails like a closed one.
  static func openThoseThatAreClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is that of the closed stream.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The terminal behind stdout, if there is one.
enum OutputTerminal {
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// How results are laid out on stdout.
  static var screen: Screen {
    var size = winsize()
    let hasSize = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Screen(
      terminalWidth: hasSize ? Int(size.ws_col) : nil, isTerminal: isThere,
      environment: ProcessInfo.processInfo.environment)
  }
}
