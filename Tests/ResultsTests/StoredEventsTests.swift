import Foundation
import Testing

@testable import Results

/// Events on their way from the process that reads them.
@Suite struct StoredEventsTests {
  @Test func arriveBitByBit() throws {
    var events = ResultsContents.Events()
    events.count = 4
    events.integers = ["onset": [.min, -1, 0, .max]]
    events.numbers = ["value": [.nan, -0.0, .infinity, 5e-324], "score": []]
    events.texts = ["label": ["caf\u{E9}", "cafe\u{301}", "", "caf\u{E9}"]]
    let data = try JSONEncoder().encode(events)
    let back = try JSONDecoder().decode(ResultsContents.Events.self, from: data)
    #expect(back.count == events.count && back.integers == events.integers)
    #expect(
      back.numbers.mapValues { $0.map(\.bitPattern) }
        == events.numbers.mapValues { $0.map(\.bitPattern) })
    #expect(
      back.texts["label"]?.map { Array($0.utf8) } == events.texts["label"]?.map { Array($0.utf8) })
  }

  @Test func aTextThatIsNotThereIsAnError() throws {
    let positions = Data([7, 0, 0, 0]).base64EncodedString()
    let text = """
      {"count":1,"integers":{},"numbers":{},
       "texts":{"label":{"different":["a"],"positions":"\(positions)"}}}
      """
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ResultsContents.Events.self, from: Data(text.utf8))
    }
  }
}
