import Diagnostics
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import History

@Suite struct HistoryLinesTests {
  private let folder: Folder
  private let lines: String

  init() throws {
    folder = try Folder()
    lines = try HistoryLines.text(of: Samples.filled(folder.path("source.sqlite")))
  }

  private func add(_ text: String, to store: HistoryStore) throws -> HistoryLines.Count {
    try HistoryLines.add(HistoryLines.content(of: Data(text.utf8), from: "h.jsonl"), to: store)
  }

  @Test func everythingComesBack() throws {
    let store = try Samples.store(folder.path("a.sqlite"))
    #expect(try add(lines, to: store) == .init(runs: 8, trials: 2, known: 0))
    #expect(try HistoryLines.text(of: store) == lines)
    #expect(try store.runs() == (0..<8).map { Samples.run($0) })
    #expect(try add(lines, to: store) == .init(runs: 0, trials: 0, known: 10))
    #expect(try HistoryLines.text(of: store) == lines)
    #expect(lines.split(separator: "\n").count == 11)
  }

  /// The histories of several machines, in any order, give one history.
  @Test func theOrderOfPartsDoesNotMatter() throws {
    let parts = lines.split(separator: "\n")
    let head = "\(parts[0])\n"
    let halves = [
      head + parts[1...6].joined(separator: "\n"),
      head + parts[4...].joined(separator: "\r\n") + "\r\n\n",
    ]
    for (name, order) in [("ab", halves), ("ba", halves.reversed())] {
      let store = try Samples.store(folder.path("\(name).sqlite"))
      for half in order { _ = try add(half, to: store) }
      #expect(try HistoryLines.text(of: store) == lines)
    }
  }

  @Test(arguments: [
    ("", ":1: expected {\"schema\""), ("x", ":1: expected {\"schema\""),
    ("{\"schema\":\"shadowbox-history-lines/2\"}", "found schema shadowbox-history-lines/2"),
  ])
  func theHeadIsChecked(text: String, message: String) throws {
    let store = try Samples.store(folder.path("a.sqlite"))
    let error = #expect(throws: Failure.self) { try add(text, to: store) }
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  /// A line that is damaged, its number, and what is found.
  @Test(arguments: [
    ("{", "expected one object of JSON"), ("[]", "expected"), ("{}", "found neither or both"),
    ("{\"run\":{}}", "run: expected id"), ("{\"trial\":{\"id\":\"t\"}}", "trial: expected"),
    ("NAME=1", "run.figures.1.value: expected a number, found another type"),
    ("TIME", "run.time: expected a time such as 2026-11-23T09:07:29Z, found yesterday"),
    ("KIND", "run.figures.1.kind"), ("TWICE", "expected each figure once"),
    (
      "{\"trial\":{\"alarms\":5,\"id\":\"t\",\"kind\":\"timing\",\"machine\":\"m\",\"runs\":3,\"suite\":\"s\",\"time\":\"2026-01-01\"}}",
      "found 5 in 3"
    ),
    (
      "{\"trial\":{\"alarms\":0,\"id\":\"t\",\"kind\":\"timing\",\"machine\":\"m\",\"runs\":9223372036854775807,\"suite\":\"s\",\"time\":\"2026-01-01\"}}",
      "found 0 in 9223372036854775807"
    ),
  ])
  func damagedLinesAreNamed(line: String, message: String) throws {
    let run = String(lines.split(separator: "\n")[1])
    let changed =
      switch line {
      case "NAME=1": run.replacing("\"value\":0.9}", with: "\"value\":\"high\"}")
      case "TIME": run.replacing("1970-01-01T00:00:00.000Z", with: "yesterday")
      case "KIND": run.replacing("\"kind\":\"accuracy\"", with: "\"kind\":\"other\"")
      case "TWICE": run.replacing("ns_per_sample", with: "recall")
      default: line
      }
    #expect(changed != run)
    let store = try Samples.store(folder.path("a.sqlite"))
    let error = #expect(throws: Failure.self) { try add(lines + changed + "\n", to: store) }
    let text = error?.description ?? ""
    #expect(error?.kind == .badData && text.hasPrefix("h.jsonl:12: "), "\(text)")
    #expect(text.contains(message) && text.hasSuffix("nothing is imported"), "\(text)")
    #expect(try store.runs().isEmpty && store.trials().isEmpty)
  }

  /// All damaged lines are named, up to a number.
  @Test func severalDamagedLines() throws {
    let store = try Samples.store(folder.path("a.sqlite"))
    let text = lines + String(repeating: "x\n", count: 12)
    let error = #expect(throws: Failure.self) { try add(text, to: store) }
    let found = error?.description.split(separator: "\n").map(String.init) ?? []
    #expect(found.count == 12)
    #expect(found[0].hasPrefix("h.jsonl:12:") && found[9].hasPrefix("h.jsonl:21:"))
    #expect(found[10] == "and 2 more lines")
  }

  /// Another run of the same id ends the import, with nothing added.
  @Test func aConflictAddsNothing() throws {
    let store = try Samples.store(folder.path("a.sqlite"))
    try store.append(Samples.run(7), Samples.figures(1))
    let error = #expect(throws: Failure.self) { try add(lines, to: store) }
    #expect(error?.description.hasPrefix("h.jsonl:9: run run-7 is in the history already") == true)
    #expect(try store.runs().count == 1)
  }

  /// Any change of any bytes adds all of what it reads, or nothing.
  @Test(.longer) func damagedBytes() throws {
    var generator = SeededGenerator(seed: 6)
    let original = Array(lines.utf8)
    var (added, refused) = (0, 0)
    let store = try Samples.store(folder.path("a.sqlite"))
    for round in 0..<LongTests.count(quick: 200, long: 2000) {
      var bytes = original
      for _ in 0..<[1, 3, 30][round % 3] {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default:
          bytes.insert(
            "\"{}[],:0\n\\".utf8.randomElement(using: &generator) ?? 0, at: place)
        }
      }
      _ = try store.prune(keeping: 0, olderThan: nil)
      do {
        let count = try HistoryLines.add(
          HistoryLines.content(of: Data(bytes), from: "h.jsonl"), to: store)
        #expect(try store.runs().count == count.runs)
        added += 1
      } catch let failure as Failure {
        #expect(failure.description.contains("h.jsonl:"), "\(failure)")
        #expect(try store.runs().isEmpty)
        refused += 1
      }
    }
    print("damaged lines: \(added) added, \(refused) refused")
    #expect(refused > 0)
  }
}
