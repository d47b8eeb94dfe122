import Foundation
import Testing

/// Ten million damaged bytes for each reader: no crash, no hang, no message that nobody can read, and
/// no more than 256 MiB. `make soak` does the same for longer and from another seed.
@Suite struct FuzzTests {
  @Test(arguments: ["csv", "gpx", "labels", "native", "suite"])
  func tenMillionBytes(reader: String) throws {
    let scratch = try Scratch()
    let soak = URL(filePath: Program.executable).deletingLastPathComponent().appending(path: "soak")
    let outcome = try Program.launch(
      soak.path, ["--reader", reader, "--bytes", "10000000", "--seed", "4", "--keep", "kept"],
      in: scratch.url)
    print(outcome.output, terminator: "")
    let kept = FileManager.default.temporaryDirectory.appending(path: "shadowbox-soak-\(reader)")
    if outcome.status != 0 {
      try? FileManager.default.removeItem(at: kept)
      try? FileManager.default.moveItem(at: scratch.url.appending(path: "kept"), to: kept)
    }
    #expect(
      outcome.status == 0, "\(outcome.output)\(outcome.errors)kept in \(kept.path)")
    // There must be damage that the reader gets over, and damage that it does not.
    let pattern = /(\d+) bytes in (\d+) files, (\d+) read, (\d+) refused, 0 faults/
    let found = try #require(outcome.output.firstMatch(of: pattern), "\(outcome.output)")
    #expect(try #require(Int(found.1)) >= 10_000_000)
    let (files, accepted) = (try #require(Int(found.2)), try #require(Int(found.3)))
    #expect(accepted > files / 20 && accepted < files)
  }

  /// A case is made again from its seed and number.
  @Test func aCaseIsMadeAgain() throws {
    let scratch = try Scratch()
    let soak = URL(filePath: Program.executable).deletingLastPathComponent().appending(path: "soak")
    for keep in ["one", "other"] {
      let outcome = try Program.launch(
        soak.path, ["--reader", "csv", "--seed", "7", "--only", "12", "--keep", keep],
        in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.output)")
    }
    let name = "csv-7-12.csv"
    #expect(try scratch.bytes(of: "one/\(name)") == scratch.bytes(of: "other/\(name)"))
  }
}
