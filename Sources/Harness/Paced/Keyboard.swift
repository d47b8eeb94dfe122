import ChildProcesses
import Foundation
import Replay

/// Reads single keys of the terminal while something plays.
///
/// The terminal's own state is put back when the keyboard goes, and when the program is interrupted.
final class Keyboard: Sendable {
  static let help =
    "keys: space pauses, arrows left and right jump 10 s, up and down change the rate, q stops"

  private let saved: termios
  /// For the signal's handler. Set once, before the handler is.
  nonisolated(unsafe) private static var singleKeys = termios()

  /// Whether there is a terminal to read keys from; in the background it is somebody else's.
  static var isThere: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
      && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// nil where there is none.
  init?(_ act: @escaping @Sendable (PlaybackControl) -> Void) {
    var state = termios()
    guard Keyboard.isThere, tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
    saved = state
    state.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
    Keyboard.singleKeys = state
    // The shell that a stopped program goes back to takes the terminal's state back too.
    signal(SIGCONT) { _ in tcsetattr(STDIN_FILENO, TCSANOW, &Keyboard.singleKeys) }
    let saved = saved
    ExitDuties.add {
      var state = saved
      tcsetattr(STDIN_FILENO, TCSANOW, &state)
    }
    let thread = Thread {
      var bytes = [UInt8](repeating: 0, count: 256)
      while true {
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return }
        for control in Keyboard.controls(in: bytes[..<count]) { act(control) }
      }
    }
    thread.start()
  }

  deinit {
    signal(SIGCONT, SIG_DFL)
    var state = saved
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
  }

  /// What the keys mean whose bytes came together; keys without a meaning are left out.
  static func controls(in bytes: some Collection<UInt8>) -> [PlaybackControl] {
    var rest = Array(bytes)[...]
    var controls: [PlaybackControl] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: " "): controls.append(.togglePause)
      case UInt8(ascii: "q"): controls.append(.stop)
      case UInt8(ascii: "+"): controls.append(.changeRate(by: 2))
      case UInt8(ascii: "-"): controls.append(.changeRate(by: 0.5))
      case 0x1B where rest.first == UInt8(ascii: "["):
        rest.removeFirst()
        switch rest.popFirst() {
        case UInt8(ascii: "A"): controls.append(.changeRate(by: 2))
        case UInt8(ascii: "B"): controls.append(.changeRate(by: 0.5))
        case UInt8(ascii: "C"): controls.append(.seek(by: .seconds(10)))
        case UInt8(ascii: "D"): controls.append(.seek(by: .seconds(-10)))
        default: break
        }
      default: break
      }
    }
    return controls
  }
}
