import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Reports

/// Texts from files must not move a terminal's cursor, ring its bell or set its title.
@Suite struct HostileTextTests {
  @Test(arguments: [
    ("plain é 李\n", "plain é 李\n"), ("a\u{1B}[2J\u{7}", "a\\u{1b}[2J\\u{7}"),
    ("\u{9B}31m\u{7F}\t\r", "\\u{9b}31m\\u{7f}\\u{9}\\u{d}"), ("", ""),
  ])
  func controlCharactersAreShown(text: String, shown: String) {
    #expect(escapingControls(text) == shown)
  }

  /// Of a whole output only the program's own styles stay.
  @Test func onlyOwnStylesReachATerminal() {
    let screen = Screen(isStyled: true)
    let own = screen.heading("title") + "\n" + screen.bad("bad") + "\n"
    #expect(Screen.escapingAllButStyles(own) == own)
    #expect(Screen.escapingAllButStyles("\u{1B}]0;t\u{7}") == "\\u{1b}]0;t\\u{7}")
    #expect(
      Screen.escapingAllButStyles("a\u{1B}[2Jb\u{1B}[1mc\u{1B}[")
        == "a\\u{1b}[2Jb\u{1B}[1mc\\u{1b}[")
  }
}
