import Foundation
import Reports

/// The terminal behind stdout, if there is one.
enum OutputTerminal {
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// How results are laid out on stdout.
  static var screen: Screen { screen(ProcessInfo.processInfo.environment) }

  static func screen(_ environment: [String: String]) -> Screen {
    var size = winsize()
    let hasSize = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Screen(
      terminalWidth: hasSize ? Int(size.ws_col) : nil, isTerminal: isThere,
      environment: environment)
  }

  /// In columns.
  static func width(_ environment: [String: String]) -> Int { screen(environment).width }
}
