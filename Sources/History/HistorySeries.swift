package import Scoring

/// A figure over the runs of one suite on one branch. Another branch is other code, so a change between
/// branches means nothing. A timing figure is over the runs of one machine, because machines differ by
/// more than the changes to find.
package struct HistorySeries: Sendable {
  package let name: HistoryFigure.Name
  package let kind: HistoryFigure.Kind
  package let unit: String
  package let suite: String
  /// nil for runs without a branch.
  package let branch: String?
  /// nil for a figure of accuracy.
  package let machine: String?
  /// In the order of the history.
  package let points: [HistoryPoint]
  /// With indexes into the points.
  package let changes: [ChangePoint]

  /// The days on which it was measured: the blocks of the test for changes of timing.
  package var days: Set<Int> { Set(points.map(\.run.time.day)) }

  /// - Parameters:
  ///   - points: of one figure, at least one.
  ///   - probability: of a false alarm in this series.
  fileprivate init(_ points: [HistoryPoint], _ probability: Double) {
    let last = points[points.count - 1]
    self.points = points
    (name, kind, unit) = (last.figure.name, last.figure.kind, last.figure.unit)
    (suite, branch) = (last.run.suite, last.run.branch)
    machine = kind == .timing ? last.run.machine : nil
    let values = points.map(\.figure.value)
    changes =
      switch kind {
      case .accuracy: ChangePoint.changes(inExact: values)
      case .timing:
        ChangePoint.changes(
          inNoisy: values, blocks: points.map(\.run.time.day), falseAlarmProbability: probability)
      }
  }

  /// Whether the suite file changed at a point: then its traces or tolerances may explain the change.
  package func hasOtherSuite(at index: Int) -> Bool {
    index > 0 && points[index].run.suiteDigest != points[index - 1].run.suiteDigest
  }

  /// The series in the order of their first points.
  /// - Parameter count: the series among which the probability of a false alarm is divided
  ///   (Bonferroni); they may depend on each other in any way.
  package static func all(_ points: [HistoryPoint], sharing count: Int) -> [HistorySeries] {
    let groups = Dictionary(grouping: points.indices) { index -> [String?] in
      let (run, figure) = (points[index].run, points[index].figure)
      return [
        figure.entry, figure.origin, figure.metric, figure.unit, figure.kind.rawValue, run.suite,
        run.branch, figure.kind == .timing ? run.machine : nil,
      ]
    }
    let probability = ChangeTest.falseAlarmProbability / Double(max(count, 1))
    return groups.values.sorted { $0[0] < $1[0] }
      .map { HistorySeries($0.map { points[$0] }, probability) }
  }
}
