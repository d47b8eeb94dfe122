import Testing
import TraceModel

@testable import TraceFormats

@Suite struct LabelFileTests {
  private func file(_ text: String, needs: [LabelField] = [.onset]) throws -> LabelFile {
    try LabelFile(source(text, name: "l.csv"), path: "l.csv", needs: needs)
  }

  @Test func readsEveryColumn() throws {
    let found = try file(
      "trace,onset_ns,offset,emitted,label,original_label,kind,place,value,subject,note\n"
        + "a,1500000000,2.5,1.75,hook,Lead Hook,punch,gym,9.5,ann,x\nb,2,,,,,,,,,\n")
    #expect(found.unread == ["note"])
    var first = LabelRow(line: 2)
    first.file = "a"
    (first.onset, first.offset, first.emitted) = (1_500_000_000, 2_500_000_000, 1_750_000_000)
    (first.label, first.original, first.kind) = ("hook", "Lead Hook", "punch")
    (first.place, first.value, first.subject) = ("gym", 9.5, "ann")
    #expect(found.rows.first == first)
    let second = try #require(found.rows.last)
    #expect((second.onset, second.offset, second.emitted) == (2, nil, nil))
    #expect(second.value.isNaN)
    #expect(second.line == 3)
  }

  @Test func prefersOneOfTwoNames() throws {
    let found = try file("label,event_label,onset,onset_ns\nb,a,1,7\n")
    #expect(found.rows.map(\.label) == ["a"])
    #expect(found.rows.map(\.onset) == [1_000_000_000])
    #expect(found.unread == ["label", "onset_ns"])
  }

  @Test func readsAudacityLabels() throws {
    let found = try file("1\t2\tdog\n\\\t100\t200\n3\t3\n")
    #expect(found.rows.map(\.line) == [1, 3])
    #expect(found.rows.map(\.offset) == [2_000_000_000, 3_000_000_000])
    #expect(found.columns == [.onset, .offset, .label])
    #expect(try file("").rows.isEmpty)
  }

  @Test(
    arguments: [
      ("onset,label\n\n1,a\n,b\n", [.onset], "l.csv:4: expected a time in seconds, found \"\""),
      ("onset_ns\n1s\n", [.onset], "l.csv:2: expected a time in nanoseconds, found \"1s\""),
      (
        "file,onset\nZ\u{FC}rich,1\nZu\u{308}rich,2\n", [.onset],
        "l.csv:3: expected one spelling of a recording's name, found Zu\\u{308}rich after "
          + "Z\\u{fc}rich; spell it as the file's name is"
      ),
      ("onset,value\n1,inf\n", [.onset], "l.csv:2: expected a number, found \"inf\""),
      ("onset,value\n1,1e999\n", [.onset], "l.csv:2: expected a number, found \"1e999\""),
      ("a,b\n", [.quantity], "l.csv:1: expected a column \"quantity\", found \"a b\""),
    ] as [(String, [LabelField], String)])
  func refuses(text: String, needs: [LabelField], expected: String) {
    #expect(message { _ = try file(text, needs: needs) } == expected)
  }

  @Test func aReferenceTakesPlacesAndValues() throws {
    let events = try LabelReader.read(
      source("onset,place,value\n1,7,2.5\n2,,\n"), for: nil)
    #expect(events.map(\.place) == [7, nil])
    #expect(events[0].value == 2.5 && events[1].value.isNaN)
    let found = message {
      _ = try LabelReader.read(source("onset,place\n1,gym\n", name: "l.csv"), for: nil)
    }
    #expect(
      found
        == "l.csv:2: expected the number of a place, found \"gym\"; number the places, or rename "
        + "the column"
    )
  }
}
