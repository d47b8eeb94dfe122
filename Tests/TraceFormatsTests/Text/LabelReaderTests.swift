import Testing
import TraceModel

@testable import TraceFormats

/// Onset and offset in ms, class, original label, hand.
private func summary(_ events: [ReferenceEvent]) -> [String] {
  events.map {
    "\($0.onset.nanoseconds / 1_000_000)-\($0.offset.nanoseconds / 1_000_000) \($0.label) "
      + "\($0.originalLabel) \($0.hand.name)"
  }
}

@Suite struct LabelReaderTests {
  @Test(
    arguments: [
      // Text, id, events.
      (
        "filename\tonset\toffset\tevent_label\na\t2.5\t2.75\tjab\nb\t1\t1\thook\na.csv\t0.71\t0.71\tLead Hook\n",
        "a", ["710-710 hook Lead Hook lead", "2500-2750 straight jab unknown"]
      ),
      ("onset\tevent_label\n1\tcross\n", "a", ["1000-1000 straight cross unknown"]),
      ("event_label,offset,onset\ncross,2,1\n", nil, ["1000-2000 straight cross unknown"]),
      ("onset\n-0.5\n", nil, ["-500--500   unknown"]),
      ("filename\tonset\na\t1\n", "c", []), ("", nil, []),
      ("onset\toffset\tevent_label\n", nil, []),
      (
        "1.000000\t2.5\tright upper\r\n\\\t100\t200\r\n0.5\t0.5\t\n", nil,
        ["500-500   unknown", "1000-2500 uppercut right upper right"]
      ), ("3\t4\n", nil, ["3000-4000   unknown"]),
    ] as [(String, String?, [String])])
  func readsEvents(text: String, id: String?, expected: [String]) throws {
    for chunk in [1, 2, 5, 1000] {
      #expect(summary(try LabelReader.read(source(text, chunk: chunk), for: id)) == expected)
    }
  }

  /// A file is read once for many recordings. A damaged row affects only its own recording; a row
  /// without a name belongs to all.
  @Test(
    arguments: [
      ("filename\tonset\na\t1\nb\tsoon\na\t3\n", "a", [1, 3], ""),
      ("filename\tonset\na\t1\nb\tsoon\na\t3\n", "b", [], "l.tsv:3: expected a time in seconds"),
      ("filename\tonset\na\t1\nb\n", "a", [1], ""),
      ("filename\tonset\na\t1\nb\n", "b", [], "l.tsv:3: expected 2 cells"),
      ("onset\tfilename\n1\ta\n2\n3\tb\n", "b", [], "l.tsv:3: expected 2 cells"),
      ("onset\n2\n1\n", "a", [1, 2], ""), ("filename\tonset\na.csv\t1\n", "a.csv", [1], ""),
      ("filename\tonset\na.csv\t1\n", "a", [1], ""), ("", "a", [], ""),
      ("filename\tonset\nx/a.wav\t1\n", "a", [1], ""),
      ("filename\tonset\nx/a.wav\t1\ny/a.wav\t2\n", "x/a", [1], ""),
      ("filename\tonset\nx/a\t1\na\t2\na.csv\t3\n", "a", [2, 3], ""),
      (
        "filename\tonset\nx/a\t1\ny/a\t2\n", "a", [],
        "l.tsv: expected labels of one recording a, found x/a, y/a; name the trace with --id"
      ), ("filename\tonset\nx/a\t1\n", "y/a", [], ""),
      ("filename\tonset\nwalk.2024\t1\nwalk.2025\t2\n", "walk.2025", [2], ""),
      ("filename\tonset\nwalk.2024\t1\nwalk.2025\t2\n", "walk", [], ""),
    ] as [(String, String, [Int64], String)])
  func rowsBelongToTheirRecordings(
    text: String, id: String, onsets: [Int64], fault: String
  ) throws {
    let all = try LabelEvents(source(text, name: "l.tsv"))
    for origin: Int64 in [0, -7_000_000_000] {
      let found = message {
        let events = try all.events(for: id, origin: origin)
        #expect(
          events.map(\.onset.nanoseconds) == onsets.map { $0 * 1_000_000_000 - origin })
      }
      #expect(fault.isEmpty ? found == nil : found?.hasPrefix(fault) == true, "\(found ?? "")")
    }
  }

  /// Audacity has no quotes, and a comma may be in a label.
  @Test func audacityLabelsAreTakenAsTheyAre() throws {
    let text = "0\t1\ta,b;c,d\n1\t2\t\"x\n2\t3\t\"y\"z\n"
    let found = try LabelReader.read(source(text, name: "l.tsv"), for: nil)
    #expect(found.map(\.originalLabel) == ["a,b;c,d", "\"x", "\"y\"z"])
  }

  @Test func subtractsTheOrigin() throws {
    let events = try LabelReader.read(source("onset\n1\n"), for: nil, origin: -2_000_000)
    #expect(events.map(\.onset.nanoseconds) == [1_002_000_000])
  }

  @Test(arguments: [
    (
      "start\tend\n1\t2\n",
      "l.tsv:1: expected a column \"onset\", or Audacity labels, found \"start end\"; name the columns filename, onset, offset, event_label"
    ),
    ("onset\toffset\n1\t2\n2\tx\n", "l.tsv:3: expected a time in seconds, found \"x\""),
    ("onset\toffset\n1\n", "l.tsv:2: expected 2 cells, found 1; check the separators in the line"),
    (
      "onset\toffset\n2\t1.5\n",
      "l.tsv:2: expected an offset that is not before the onset, found 1.5 after 2"
    ), ("1\t2\tjab\nx\t3\tjab\n", "l.tsv:2: expected a time in seconds, found \"x\""),
    (
      "1\t2\tjab\n1\n",
      "l.tsv:2: expected start, end and label separated by tabs, found 1 cells"
    ),
    ("onset\n1e30\n", "l.tsv:2: expected a time in seconds, found \"1e30\""),
    (
      "filename\tonset\na\t1\nb\t2\n",
      "l.tsv:3: expected labels of one file, found labels of \"b\" too; name the trace"
    ),
    (
      "onset\tl\n1\t\"a\"b\n",
      "l.tsv:2: expected a separator after the closing quote, found \"b\"; double a quote inside "
        + "quotes"
    ),
  ])
  func refusesWhatCannotBeRead(text: String, expected: String) {
    let found = message { _ = try LabelReader.read(source(text, name: "l.tsv"), for: nil) }
    #expect(found == expected)
  }
}

@Suite struct PunchLabelTests {
  @Test(
    arguments: [
      ("jab", "straight", .unknown), ("Cross", "straight", .unknown),
      ("thrust", "straight", .unknown), ("Left Straight", "straight", .left),
      ("Preliminary_Lead_Hook", "hook", .lead), ("leadhook", "hook", .lead),
      ("rearupper", "uppercut", .rear), ("UPPERCUT", "uppercut", .unknown),
      ("right rear uppercut", "uppercut", .right), ("left-right hook", "hook", .unknown),
      ("rightnopunch", "unknown", .right), ("", "unknown", .unknown), ("kick", "unknown", .unknown),
      ("ho", "unknown", .unknown),
    ] as [(String, String, Hand)])
  func classifies(name: String, label: String, hand: Hand) {
    let found = PunchLabel.classify(name)
    #expect(found.label == label && found.hand == hand)
  }
}
