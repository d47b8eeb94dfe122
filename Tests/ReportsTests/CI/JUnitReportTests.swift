import Diagnostics
import Evaluation
import Foundation
@testable import Reports
import Testing
import TraceModel
import TestSupport

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct JUnitReportTests {
  /// What a parser finds: the elements with their attributes and texts.
  private final class Document: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []
    var text = ""

    init?(_ xml: String) {
      super.init()
      let parser = XMLParser(data: Data(xml.utf8))
      parser.delegate = self
      guard parser.parse() else { return nil }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      elements.append((name, attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func count(_ name: String) -> Int { elements.count { $0.name == name } }

    func sum(of attribute: String) -> Int {
      elements.filter { $0.name == "testsuite" }
        .reduce(0) { $0 + (Int($1.attributes[attribute] ?? "") ?? 0) }
    }
  }

  /// The text as an independent reader returns it; characters outside XML are escaped.
  private func shown(_ text: String) -> String {
    text.unicodeScalars.map { scalar -> String in
      let value = scalar.value
      let isForbidden =
        PrintedText.isHidden(scalar) && ![9, 13].contains(value)
        || [0xFFFE, 0xFFFF].contains(value)
      return isForbidden ? "\\u{\(String(value, radix: 16))}" : String(scalar)
    }
    .joined()
  }

  @Test(.longer) func anyTextIsWellFormed() throws {
    var generator = SeededGenerator(seed: 3)
    let alphabet =
      (0...0x300).compactMap(Unicode.Scalar.init) + [
        "\u{2028}", "\u{202E}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFF}", "\u{10FFFF}", "😀",
        "]", ">",
      ]
    for round in 0..<LongTests.count(quick: 300, long: 5000) {
      var text = ""
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        text.unicodeScalars.append(alphabet.randomElement(using: &generator) ?? "x")
      }
      let xml = XMLElement("a", [("b", text)], children: [XMLElement("c", text: text)]).document
      let document = try #require(Document(xml), "round \(round): \(xml.debugDescription)")
      #expect(document.elements[0].attributes["b"] == shown(text), "round \(round)")
      #expect(
        document.text.trimmingCharacters(in: .whitespacesAndNewlines)
          == shown(text).trimmingCharacters(in: .whitespacesAndNewlines), "round \(round)")
    }
  }

  @Test(.longer) func countsMatchTheCases() throws {
    for seed in 0..<LongTests.count(quick: 20, long: 200) {
      var samples = CISamples(seed: UInt64(seed))
      let gate = samples.gate()
      for xml in [gate.junit, gate.comparison.junit, gate.comparison.head.junit] {
        let document = try #require(Document(xml), "seed \(seed)")
        #expect(document.sum(of: "tests") == document.count("testcase"))
        #expect(document.sum(of: "failures") == document.count("failure"))
        #expect(document.sum(of: "errors") == document.count("error"))
        #expect(document.sum(of: "skipped") == document.count("skipped"))
        let cases = document.elements.filter { $0.name == "testcase" }
          .map { [$0.attributes["classname"], $0.attributes["name"]] }
        #expect(Set(cases).count == cases.count, "readers merge cases of one name")
        let suites = document.elements.filter { $0.name == "testsuite" }
        #expect(Set(suites.map { $0.attributes["name"] }).count == suites.count)
      }
    }
  }

  /// A trace that loses references fails only with a check of its entry.
  @Test func agreesWithTheVerdict() throws {
    let strict = try #require(Document(CISamples.regression().junit))
    #expect(strict.count("failure") == 21, "the check and 20 traces")
    #expect(strict.count("testcase") == 21)
    let lax = CISamples.regression(bound: -0.5)
    #expect(lax.verdict == .pass)
    let document = try #require(Document(lax.junit))
    #expect(document.count("failure") == 0)
    #expect(document.text.contains("lost at 7.000 s: jab <7>"))
  }

  @Test func nothingMeasuredIsAnError() throws {
    let gate = CISamples.empty
    for xml in [gate.junit, gate.comparison.junit, gate.comparison.head.junit] {
      let document = try #require(Document(xml))
      #expect(document.count("error") == 1)
      #expect(document.count("testcase") == 1)
    }
  }

  @Test func aCasePerTraceAndFigure() throws {
    var samples = CISamples(seed: 1, isHostile: false)
    let results = samples.results([("e", "a"), ("e", "b"), ("f", "a")], hits: 8)
    let document = try #require(Document(results.junit))
    #expect(document.count("testcase") == 3 * 7)
    #expect(document.text.contains("false_alarms_per_hour 2/h"))
    var unscored = results
    unscored.runs[0].figures = [:]
    #expect(try #require(Document(unscored.junit)).count("skipped") == 1)
  }

  /// Comparing each with those before it would take minutes.
  @Test(.longer, .longRun, .timeLimit(.minutes(1))) func manyCasesOfOneNameAreNumbered() throws {
    let names = Array(repeating: "a", count: 20_000) + ["a #20000", "b"]
    let report = JUnitReport(
      name: "n", suites: [.init(name: "s", cases: names.map { .init(className: "c", name: $0) })])
    let found = try #require(Document(report.xml)).elements.compactMap {
      $0.name == "testcase" ? $0.attributes["name"] : nil
    }
    #expect(Set(found).count == names.count)
    #expect(
      found[..<3] == ["a", "a #2", "a #3"] && found[19_999...] == ["a #20000", "a #20000 #2", "b"])
  }

  @Test func incomparablePartsAreNamed() throws {
    var samples = CISamples(seed: 1, isHostile: false)
    let base = samples.results([("e", "a"), ("e", "b")], hits: 8)
    var head = base
    head.runs[1].traceSHA256 = "11"
    let comparison = ResultComparison(from: base, to: head)
    let document = try #require(Document(comparison.junit))
    #expect(document.count("testcase") == 2)
    #expect(document.count("error") == 1)
    let gate = GateReport(
      suite: "s", base: CISamples.empty.base, head: CISamples.empty.head, comparison: comparison,
      checks: AccuracyGate(comparison, .standard, allowsDifferent: true).checks, seconds: 1)
    let allowed = try #require(Document(gate.junit))
    #expect(allowed.count("error") == 0)
    #expect(allowed.count("skipped") == 1)
  }
}
