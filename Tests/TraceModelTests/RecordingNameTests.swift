import Testing
import TraceModel

@Suite struct RecordingNameTests {
  /// Two sides of a table, and the pairs, those by letter.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let left: [String]
    let right: [String]
    /// As `left=right`; a name that could be several: as `?name`.
    let expected: [String]

    init(_ name: String, _ left: [String], _ right: [String], _ expected: [String]) {
      (testDescription, self.left, self.right) = (name, left, right)
      self.expected = expected
    }
  }

  private static let cases = [
    Case("equal", ["b", "a"], ["a", "b"], ["a=a", "b=b"]),
    Case(
      "equal files in folders", ["siteA/rec1", "siteB/rec1", "rec2"], ["siteA/rec1", "rec2"],
      ["rec2=rec2", "siteA/rec1=siteA/rec1"]),
    Case("an ending on one side", ["a.wav", "b.wav"], ["b", "a"], ["a.wav=a", "b.wav=b"]),
    Case(
      "other endings", ["a.wav", "b.wav"], ["a.csv", "b.txt"], ["a.wav=a.csv", "b.wav=b.txt"]),
    Case("an unknown ending on one side", ["a.acc"], ["a"], ["a.acc=a"]),
    Case("unknown endings that differ", ["walk.left"], ["walk.right"], []),
    Case("numbers are no ending", ["walk.2024"], ["walk.2025", "walk"], []),
    Case(
      "a dot and an ending", ["walk.2024", "walk.2025"], ["walk.2025.csv", "walk.2024.csv"],
      ["walk.2024=walk.2024.csv", "walk.2025=walk.2025.csv"]),
    Case("an ending twice", ["a"], ["a.labels.csv"], ["a=a.labels.csv"]),
    Case("a folder on one side", ["audio/a.wav"], ["a.csv"], ["audio/a.wav=a.csv"]),
    Case("a part of the folders", ["x/y/a"], ["y/a", "z/a"], ["x/y/a=y/a"]),
    Case("backslashes", ["x\\a.wav"], ["x/a"], ["x\\a.wav=x/a"]),
    Case("a dot as folder", ["./a"], ["a.csv"], ["./a=a.csv"]),
    Case("other folders everywhere", ["audio/a", "audio/b"], ["out/b"], ["audio/b=out/b"]),
    Case(
      "other folders beside equal ones", ["siteA/a", "siteB/b"], ["siteA/a", "siteC/b"],
      ["siteA/a=siteA/a"]),
    Case("either folder", ["siteA/a", "siteB/a"], ["a"], ["?a"]),
    Case("the folder that is left", ["siteA/a", "siteB/a"], ["siteA/a", "a"], ["?a"]),
    Case("either other folder", ["siteA/a", "siteB/a"], ["out/a"], ["?out/a"]),
    Case("either ending", ["a.wav", "a.mp4"], ["a"], ["?a"]),
    Case("either ending on the right", ["a"], ["a.wav", "a.mp4"], ["?a"]),
    Case("more on the right", ["a"], ["a", "siteB/a"], ["a=a"]),
    Case("nothing alike", ["a"], ["b"], []), Case("nothing", [], ["b"], []),
  ]

  private func pairs(_ left: [RecordingName], _ right: [RecordingName]) -> [String] {
    do throws(AmbiguousName) {
      let found = try RecordingPairs(left.map { [$0] }, right.map { [$0] })
      return found.pairs.map { "\(left[$0].whole)=\(right[$1].whole)" }.sorted()
    } catch {
      return ["?\(error.name)"]
    }
  }

  @Test(arguments: cases) func namesPair(example: Case) {
    let (left, right) = (
      example.left.map { RecordingName($0) }, example.right.map { RecordingName($0) }
    )
    #expect(pairs(left, right) == example.expected)
    let turned = example.expected.map { pair in
      pair.hasPrefix("?") ? pair : pair.split(separator: "=").reversed().joined(separator: "=")
    }
    #expect(pairs(right, left) == turned.sorted())
    // The order within a side does not matter.
    #expect(pairs(left.reversed(), right.reversed()) == example.expected)
  }

  /// The folder that all files of a side are in is no part of their names.
  @Test(arguments: [
    Case("one folder each", ["truth/a.csv"], ["found/a.txt"], ["truth/a.csv=found/a.txt"]),
    Case(
      "sites", ["truth/A/r.csv", "truth/B/r.csv"], ["found/B/r.csv", "found/A/r.csv"],
      ["truth/A/r.csv=found/A/r.csv", "truth/B/r.csv=found/B/r.csv"]),
    Case(
      "one of the sites", ["truth/A/r.csv", "truth/B/r.csv"], ["found/B/r.csv"],
      ["truth/B/r.csv=found/B/r.csv"]),
    Case("neither of the sites", ["truth/A/r.csv", "truth/B/r.csv"], ["r.csv"], ["?r.csv"]),
    Case(
      "another site", ["t/A/r.csv", "t/B/r.csv"], ["f/A/r.csv", "f/C/r.csv"],
      ["t/A/r.csv=f/A/r.csv"]),
  ])
  func filesPair(example: Case) {
    let (left, right) = (
      RecordingName.ofFiles(example.left), RecordingName.ofFiles(example.right)
    )
    #expect(pairs(left, right) == example.expected)
  }

  @Test func filesPairWithNames() {
    let names = ["A/r.wav", "B/r.wav", "a/b"].map { RecordingName($0) }
    let files = RecordingName.ofFiles(["found/A/r.csv", "found/B/r.csv", "found/b.csv"])
    #expect(
      pairs(names, files) == [
        "A/r.wav=found/A/r.csv", "B/r.wav=found/B/r.csv", "a/b=found/b.csv",
      ])
  }

  @Test(arguments: [
    ("a/b.wav", false, "b"), ("a/b", true, "a/b"), ("walk.2024", false, "walk.2024"),
    ("walk.left", false, "walk"), (".csv", false, ".csv"), ("", false, ""),
  ])
  func namesHaveTitles(name: String, isID: Bool, title: String) {
    #expect(RecordingName(name, isID: isID).title == title)
  }

  @Test func manyNamesTakeLittleTime() throws {
    let left = (0..<20_000).map { [RecordingName("site\($0)/rec.wav")] }
    let right = (0..<20_000).reversed().map { [RecordingName("site\($0)/rec.wav")] }
    #expect(try RecordingPairs(left, right).pairs.count == 20_000)
  }
}
