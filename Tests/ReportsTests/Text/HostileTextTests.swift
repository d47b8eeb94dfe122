import Diagnostics
import Foundation
import TestSupport
import Testing
import TraceModel

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

/// What stdout and stderr receive.
@Suite struct PrintedTextTests {
  @Test(arguments: [
    ("a::b #1 ##", "a::b #1 ##"), ("::error::x", "\\u{3a}:error::x"),
    ("a\n \u{A0}::error::x\n", "a\n \u{A0}\\u{3a}:error::x\n"), ("::\u{301}", "\\u{3a}:\u{301}"),
    ("a ##[error]", "a \\u{23}#[error]"), ("###vso[x]", "#\\u{23}#vso[x]"),
    ("[##..] [", "[##..] ["),
    ("a\r::b\u{2029}\u{2066}\u{200B}", "a\\u{d}::b\\u{2029}\\u{2066}\\u{200b}"),
    // Emoji and words of Persian, Hindi, Mongolian and Japanese.
    ("👩‍❤️‍👨 ☎︎ 1️⃣ ©️", "👩‍❤️‍👨 ☎︎ 1️⃣ ©️"),
    ("می\u{200C}خواهم क्\u{200D}ष", "می\u{200C}خواهم क्\u{200D}ष"),
    ("ᠠ\u{180B} 葛\u{E0100}城", "ᠠ\u{180B} 葛\u{E0100}城"),
    // What hides between letters.
    ("a\u{FE0F}1\u{FE0F}2", "a\\u{fe0f}1\\u{fe0f}2"),
    ("é\u{200D}\u{200C}\u{200D}", "é\u{200D}\\u{200c}\\u{200d}"),
    ("❤️\u{FE0E}葛\u{E0100}\u{E0101}", "❤️\\u{fe0e}葛\u{E0100}\\u{e0101}"),
    ("p\u{E0141}\u{3164}\u{115F}\u{FFA0}x", "p\\u{e0141}\\u{3164}\\u{115f}\\u{ffa0}x"),
    ("\u{34F}\u{17B4}\u{2800}\u{1D173}", "\\u{34f}\\u{17b4}\\u{2800}\\u{1d173}"),
    ("a\u{200E}\u{200F}b\u{AD}", "a\\u{200e}\\u{200f}b\\u{ad}"),
    ("🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴🇫🇷", "🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴🇫🇷"), ("🏴\u{E0061}\u{E007F}", "🏴\\u{e0061}\\u{e007f}"),
  ])
  func textsForPeople(text: String, printed: String) {
    #expect(PrintedText.text(text) == printed)
  }

  /// Each code point that Unicode 16 lists as ignorable or that shows nothing, in every text of people.
  @Test func invisibleCharactersAreShown() {
    let ranges: [ClosedRange<UInt32>] = [
      0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
      0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x2800...0x2800, 0x3164...0x3164,
      0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
      0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]
    for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
      let text = "a\(scalar)b"
      let shown = "a\\u{\(String(scalar.value, radix: 16))}b"
      #expect(PrintedText.text(text) == shown && XMLText.escaped(text) == shown, "\(shown)")
    }
  }

  @Test(arguments: [
    ("a,\"b\nc\"\nd\n", "a,\"b\\nc\"\nd\n"), ("\"a\"\"\n::x\"\n", "\"a\"\"\\n::x\"\n"),
    ("::x,1\n", "\\u{3a}:x,1\n"), ("a\t\"\n", "a\\u{9}\"\\n"),
  ])
  func csvHasALinePerRow(text: String, printed: String) {
    #expect(PrintedText.csv(text) == printed)
  }

  /// JSON has the same values.
  @Test func jsonKeepsItsValues() throws {
    let names = ["a\u{9B}\u{202E}##[error]", "\u{E0001}\u{7F}::x\n", "##[\u{2028}"]
    let text = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    let printed = PrintedText.json(text)
    #expect(!printed.contains("##[") && printed.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    #expect(try JSONDecoder().decode([String].self, from: Data(printed.utf8)) == names)
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func nothingElseGetsThrough(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "::", ":", "##", "#", "[", "vso", "\n", " ", "\r", "\u{1B}", "\"", ",", "\u{85}", "x",
    ]
    let text = (0..<20).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    for printed in [PrintedText.text(text), PrintedText.csv(text)] {
      let lines = printed.split(separator: "\n")
      #expect(!lines.contains { $0.drop(while: \.isWhitespace).hasPrefix("::") }, "\(printed)")
      #expect(printed.firstRange(of: /##[a-z]*\[/) == nil, "\(printed)")
      #expect(printed.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
    }
  }

  /// A character that follows or precedes a mark is another one in Swift, but not for who reads the text.
  @Test(arguments: ["<", ":", ",", "%", "\n", "\u{2028}", "\"", "|", "@"])
  func marksHideNothing(character: String) throws {
    let text = "a\u{600}\(character)\u{301}b"
    func has(_ text: String) -> Bool {
      text.unicodeScalars.contains(character.unicodeScalars.first!)
    }
    if "<\n\u{2028}".contains(character) { #expect(try !has(PageFile.json([text]))) }
    if "<\"\n".contains(character) {
      #expect(!has(XMLText.attribute(text).replacing("&", with: "")))
    }
    if "|<\"@".contains(character) { #expect(!has(MarkdownText.escaped(text))) }
    if ":,\n".contains(character) {
      let line = Annotation(level: .error, title: text, message: "").line
      #expect(!has(String(line.dropFirst("::error".count).dropLast(2))), "\(line)")
    }
  }
}
