import TestSupport
import Testing

/// Help, and suggestions for mistyped names.
@Suite struct HelpTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func exitCodesAreListedOnce() throws {
    let outcome = try Program.run(["help", "exit-codes"], in: scratch.url)
    #expect(outcome.status == 0)
    let codes = outcome.output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(codes == [0, 2, 3, 4, 5, 64, 65, 70, 74, 130])
    #expect(outcome.output.contains("74, 65, 64, 70, 2, 5, 3, 4"))
    let top = try Program.run(["--help"], in: scratch.url)
    #expect(top.output.contains("Exit codes: shadowbox help exit-codes"))
    #expect(!top.output.contains("130"))
  }

  @Test(arguments: [
    (["relpay", "x.h5"], "unknown command \"relpay\"; did you mean replay?"),
    (["validat"], "did you mean validate?"),
    (["nonsense"], "unknown command \"nonsense\"; known: run"),
    (["help", "exit-code"], "unknown help topic \"exit-code\"; did you mean exit-codes?"),
    (["help", "synt"], "did you mean synth?"),
    (["run", "--thread", "2"], "Did you mean '--threads'?"),
    (["replay", "a.h5", "--detecter", "punch"], "Did you mean '--detector'?"),
  ])
  func namesTheNearest(arguments: [String], message: String) throws {
    let outcome = try Program.run(arguments, in: scratch.url)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func helpOfACommandStays() throws {
    let outcome = try Program.run(["help", "trim"], in: scratch.url)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("USAGE: shadowbox trim"))
  }
}
