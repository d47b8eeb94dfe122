import Testing

@Suite struct SwiftTokensTests {
  @Test(arguments: [
    ("", []),
    ("let a = b", ["let", "a", "=", "b"]),
    ("a // print(b)\nc", ["a", "c"]),
    ("a /* x /* y */ print */ b", ["a", "b"]),
    ("/* never closed print(", []),
    (#"f("print(x)")"#, ["f", "(", ")"]),
    (#"f("a \" print(x)") g"#, ["f", "(", ")", "g"]),
    (#"f("a \(b(c)) d") e"#, ["f", "(", "b", "(", "c", ")", ")", "e"]),
    (#"f("a \(g("print \(h)")) d")"#, ["f", "(", "g", "(", "h", ")", ")"]),
    ("f(\"\"\"\n  print \"x\" \\(y)\n  \"\"\") z", ["f", "(", "y", ")", "z"]),
    (##"f(#"print \(x) " "#) z"##, ["f", "(", ")", "z"]),
    (##"f(#"print \#(x)"#) z"##, ["f", "(", "x", ")", "z"]),
    (#""https://example.org" a"#, ["a"]),
    ("#if canImport(Glibc)", ["#", "if", "canImport", "(", "Glibc", ")"]),
    ("x._y1", ["x", ".", "_y1"]),
    ("\"lost\nprint(a)", ["print", "(", "a", ")"]),
  ])
  func tokens(source: String, expected: [String]) {
    #expect(swiftTokens(of: source).map { String($0.text) } == expected)
  }

  @Test func linesAreCountedThroughCommentsAndStrings() {
    let source = "a\n/* \n\n */ b \"\"\"\n x\n \"\"\" c // d\ne\r\nf"
    let lines = swiftTokens(of: source).map { "\($0.text)\($0.line)" }
    #expect(lines == ["a1", "b4", "c6", "e7", "f8"])
  }
}
