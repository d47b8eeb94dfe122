import Evaluation
@testable import Reports
import Testing
import TestSupport

@Suite struct MarkdownTests {
  @Test(arguments: [
    ("punch/default", "punch/default"),
    ("false_alarms_per_hour", "false_alarms_per_hour"),
    ("a|b", "a&#124;b"),
    ("`x`", "&#96;x&#96;"),
    ("<b>&", "&#60;b&#62;&#38;"),
    ("a\nb", "a&#92;nb"),
    ("\u{1B}[0m", "&#92;u&#123;1b&#125;&#91;0m"),
    ("_x_", "&#95;x&#95;"),
    ("http://a", "http&#58;//a"),
    ("-0.01", "-0.01"),
    ("- x", "&#45; x"),
    ("1. x", "1&#46; x"),
    ("    x ", "&#32;   x&#32;"),
    ("", ""),
  ])
  func escapes(text: String, expected: String) {
    #expect(MarkdownText.escaped(text) == expected)
  }

  @Test func cutsLongNames() {
    let text = MarkdownText.escaped(String(repeating: "ä", count: 300))
    #expect(text == String(repeating: "ä", count: 200) + "…")
  }

  @Test func verdictComesFirst() throws {
    let lines = CISamples.regression().markdown(limit: summaryLimit).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "<!-- shadowbox-summary/1 -->")
    #expect(lines[1] == "## FAIL: 1 of 1 check beyond the bounds")
    let empty = CISamples.empty.markdown(limit: summaryLimit)
    #expect(empty.contains("## ERROR: nothing was checked"))
    let same = CISamples.regression().comparison.base
    let comparison = ResultComparison(from: same, to: same).markdown(limit: summaryLimit)
    #expect(comparison.contains("## No difference in 20 runs"))
  }

  @Test func flipsAreCounted() {
    let text = CISamples.regression().markdown(limit: summaryLimit)
    #expect(text.contains("### 40 detections that differ"))
    #expect(text.contains("| punch/default (synthetic) | 20 of 20 | 40 | 0 | 0 | 40 | 0 |"))
    #expect(text.contains("<details><summary>Every flip (40)</summary>"))
    let comparison = CISamples.regression().comparison.markdown(limit: summaryLimit)
    #expect(comparison.contains("## 40 detections and 0 measurements that differ, in 20 runs"))
  }

  /// The smallest effect of a timing check is a ratio, and part of its reason.
  @Test func onlyChecksForNewPeopleStateTheirEffect() {
    var gate = CISamples.regression()
    gate.checks[0].detectableEffect = 0.02
    #expect(!gate.markdown(limit: summaryLimit).contains("probability of 0.8"))
    gate.checks[0].population = .newPeople
    let text = gate.markdown(limit: summaryLimit)
    #expect(
      text.contains("fails with a probability of 0.8 where the truth is 0.02 beyond the bound"))
  }

  @Test func measurementsAreListed() {
    var samples = CISamples(seed: 1, isHostile: false)
    var base = samples.results([("track", "a")], hits: 5)
    base.runs[0].measurements = ["distance": 100, "only_before": 1]
    var head = base
    head.runs[0].measurements = ["distance": 101]
    let text = ResultComparison(from: base, to: head).markdown(limit: summaryLimit)
    #expect(text.contains("## 0 detections and 2 measurements that differ, in 1 run\n"))
    #expect(text.contains("| track (synthetic) | a | distance | 100 | 101 |"))
    #expect(text.contains("| track (synthetic) | a | only_before | 1 | - |"))
  }

  /// Any limit holds to the byte, and the note counts the rows that are left out.
  @Test(.longer) func cutAtTheByte() {
    let gate = CISamples.regression()
    let whole = gate.markdown(limit: .max)
    #expect(gate.markdown(limit: whole.utf8.count) == whole)
    let note = "**Cut at 1,024 KiB, the largest summary.**"
    #expect(!whole.contains(note))
    let cut = gate.markdown(limit: whole.utf8.count - 1)
    #expect(cut.contains(note))
    #expect(cut.utf8.count < whole.utf8.count)
    for limit in stride(from: 0, to: whole.utf8.count, by: LongTests.count(quick: 97, long: 7)) {
      let text = gate.markdown(limit: limit)
      #expect(text.utf8.count <= limit)
      #expect(text.isEmpty || text.hasSuffix("\n"))
      // No block stays open.
      #expect(text.components(of: "<details>") == text.components(of: "</details>"))
    }
  }

  @Test func theNoteCountsTheRowsThatAreShown() throws {
    let gate = CISamples.regression()
    let whole = gate.markdown(limit: .max)
    let text = gate.markdown(limit: whole.utf8.count - 500)
    let match = try #require(text.firstMatch(of: /(\d+) of 40 flips/))
    let shown = text.split(separator: "\n").count { $0.contains(" | lost | true_positive | ") }
    #expect(Int(match.1) == shown)
    #expect(shown > 0 && shown < 40)
  }

  /// A summary of many flips reaches the limit, and no more.
  @Test func aHugeSummaryIsCut() {
    var samples = CISamples(seed: 1, isHostile: false)
    let names = (0..<2500).map {
      (entry: "entry", trace: "trace-\($0)" + String(repeating: "y", count: 100))
    }
    let comparison = ResultComparison(
      from: samples.results(names, hits: 10), to: samples.results(names, hits: 4))
    let text = comparison.markdown(limit: summaryLimit)
    #expect(text.utf8.count <= 1_048_576)
    #expect(text.utf8.count > 1_048_576 - 400)
    #expect(text.contains("of 15,000 flips"))
  }

  /// Names never change the shape of a table.
  @Test(.longer) func tablesKeepTheirShape() {
    for seed in 0..<LongTests.count(quick: 20, long: 200) {
      var samples = CISamples(seed: UInt64(seed))
      let gate = samples.gate()
      for text in [
        gate.markdown(limit: summaryLimit), gate.comparison.markdown(limit: summaryLimit),
        gate.comparison.head.markdown(limit: summaryLimit),
      ] {
        var bars = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
          guard line.hasPrefix("|") else {
            bars = 0
            continue
          }
          let own = line.count { $0 == "|" }
          #expect(bars == 0 || own == bars, "seed \(seed): \(line)")
          bars = own
        }
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      }
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
