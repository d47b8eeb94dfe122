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

  /// - Parameter points: of one figure, at least one.
  fileprivate init(_ points: [HistoryPoint]) {
    let last = points[points.count - 1]
    self.points = points
    (name, kind, unit) = (last.figure.name, last.figure.kind, last.figure.unit)
    (suite, branch) = (last.run.suite, last.run.branch)
    machine = kind == .timing ? last.run.machine : nil
    let values = points.map(\.figure.value)
    changes =
      switch kind {
      case .accuracy: ChangePoint.changes(inExact: values)
      case .timing: ChangePoint.changes(inNoisy: values)
      }
  }

  /// Whether the suite file changed at a point: then its traces or tolerances may explain the change.
  package func hasOtherSuite(at index: Int) -> Bool {
    index > 0 && points[index].run.suiteDigest != points[index - 1].run.suiteDigest
  }

  /// The series in the order of their first points, which are in the order of time.
  package static func all(_ points: [HistoryPoint]) -> [HistorySeries] {
    let groups = Dictionary(grouping: points.indices) { index -> [String?] in
      let (run, figure) = (points[index].run, points[index].figure)
      return [
        figure.entry, figure.origin, figure.metric, figure.unit, figure.kind.rawValue, run.suite,
        run.branch, figure.kind == .timing ? run.machine : nil,
      ]
    }
    return groups.values.sorted { $0[0] < $1[0] }.map { HistorySeries($0.map { points[$0] }) }
  }
}
