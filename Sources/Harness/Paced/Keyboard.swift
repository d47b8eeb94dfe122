import Files
import Foundation
import Replay

/// Reads single keys from the terminal during a playback.
///
/// The state of the terminal is restored at the end and on an interruption.
final class Keyboard: Sendable {
  static let help =
    "keys: space = pause, left/right = jump 10 s, up/down = change the rate, q = stop"

  private let saved: termios
  /// The terminal state for the signal handler, set once before the handler is installed.
  nonisolated(unsafe) private static var singleKeys = termios()

  /// Whether there is a terminal to read keys from; a background process has none.
  static var isThere: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// Creates a keyboard; nil if there is no terminal.
  init?(_ act: @escaping @Sendable (PlaybackControl) -> Void) {
    var state = termios()
    guard Keyboard.isThere, tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
    saved = state
    state.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
    Keyboard.singleKeys = state
    // The shell resets the state of the terminal while the program is stopped.
    signal(SIGCONT) { _ in tcsetattr(STDIN_FILENO, TCSANOW, &Keyboard.singleKeys) }
    let saved = saved
    ExitDuties.add {
      var state = saved
      tcsetattr(STDIN_FILENO, TCSANOW, &state)
    }
    let isStarted = SystemThread.start {
      var bytes = [UInt8](repeating: 0, count: 256)
      while true {
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return }
        for control in Keyboard.controls(in: bytes[..<count]) { act(control) }
      }
    }
    if !isStarted { return nil }
  }

  deinit {
    signal(SIGCONT, SIG_DFL)
    var state = saved
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
  }

  /// Returns the controls for a sequence of bytes; other keys are ignored.
  static func controls(in bytes: some Collection<UInt8>) -> [PlaybackControl] {
    var rest = Array(bytes)[...]
    var controls: [PlaybackControl] = []
    while let byte = rest.popFirst() {
      var key = [byte]
      if byte == 0x1B, rest.first == UInt8(ascii: "[") {
        key += rest.prefix(2)
        rest = rest.dropFirst(2)
      }
      if let control = keys[String(decoding: key, as: UTF8.self)] { controls.append(control) }
    }
    return controls
  }

  private static let keys: [String: PlaybackControl] = [
    " ": .togglePause, "q": .stop, "+": .changeRate(by: 2), "-": .changeRate(by: 0.5),
    "\u{1B}[A": .changeRate(by: 2), "\u{1B}[B": .changeRate(by: 0.5),
    "\u{1B}[C": .seek(by: .seconds(10)), "\u{1B}[D": .seek(by: .seconds(-10)),
  ]
}
