import Foundation

/// The terminal behind standard output, if there is one.
enum OutputTerminal {
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// In characters: as the terminal says, else as `COLUMNS` says, else 80.
  static func width(_ environment: [String: String]) -> Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }
}
