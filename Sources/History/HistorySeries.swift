package import Scoring

/// A figure over the runs of one suite on one branch that have it. Figures of another branch are those
/// of other code, so a change between them says nothing about either. A timing figure is over the runs
/// of one machine too, because machines differ more than what is looked for.
package struct HistorySeries: Sendable {
  package let name: HistoryFigure.Name
  package let kind: HistoryFigure.Kind
  package let unit: String
  /// The name of the suite.
  package let suite: String
  /// nil for runs without a branch.
  package let branch: String?
  /// nil for a figure of accuracy.
  package let machine: String?
  /// In the order of their times.
  package let points: [HistoryPoint]
  /// The indexes are those of the points.
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

  /// Whether the suite's file differs from a point on: its traces or tolerances may be what changed.
  package func hasOtherSuite(at index: Int) -> Bool {
    index > 0 && points[index].run.suiteDigest != points[index - 1].run.suiteDigest
  }

  /// The series of all points, in the order in which their figures first appear.
  /// - Parameter points: in the order of their times.
  package static func all(_ points: [HistoryPoint]) -> [HistorySeries] {
    struct Key: Hashable {
      var name: HistoryFigure.Name
      var unit: String
      var kind: HistoryFigure.Kind
      var suite: String
      var branch: String?
      var machine: String?
    }
    var order: [Key] = []
    var groups: [Key: [HistoryPoint]] = [:]
    for point in points {
      let kind = point.figure.kind
      let key = Key(
        name: point.figure.name, unit: point.figure.unit, kind: kind,
        suite: point.run.suite, branch: point.run.branch,
        machine: kind == .timing ? point.run.machine : nil)
      if groups[key, default: []].isEmpty { order.append(key) }
      groups[key, default: []].append(point)
    }
    return order.map { HistorySeries(groups[$0] ?? []) }
  }
}
