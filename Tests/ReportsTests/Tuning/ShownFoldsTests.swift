@testable import Reports
@testable import Evaluation
import Scoring
import Testing

@Suite struct ShownFoldsTests {
  private func counts(_ references: Int, _ alarms: Int) -> EventCounts {
    EventCounts(truePositives: references, falsePositives: alarms, falseNegatives: 0)
  }

  @Test func fewGroupsAreAllShown() {
    let shown = ShownFolds((0..<30).map { counts($0 % 2, 0) })
    #expect(shown.single == Array(0..<30))
    #expect(shown.others.isEmpty)
  }

  @Test func ofManyThoseWithReferencesThenThoseWithFalseAlarms() {
    let folds = [counts(0, 1), counts(0, 0), counts(5, 0), counts(0, 9), counts(1, 2)]
    let shown = ShownFolds(folds, most: 4)
    #expect(shown.single == [2, 3, 4])
    #expect(shown.others == [0, 1])
    #expect(shown.nameOfOthers == "2 others")
  }
}
