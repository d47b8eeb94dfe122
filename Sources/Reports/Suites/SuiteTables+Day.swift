import Diagnostics
import Evaluation
import Scoring

extension SuiteTables {
  /// False alarms per day of life, and the unknown parts of the day; nil without a profile.
  var day: String? {
    let rows = rows(\.day)
    guard let profile = rows.first?.score.profile else { return nil }
    let table = TextTable(
      "False alarms per day of life (\(inLine(profile.name))), 95 % intervals", rows,
      keyColumns() + [
        .init("false/day", .left) { TableCell.inline($0.score.estimate, 0) },
        .init("known h of 24") { fixed($0.score.knownHours, 2) },
        .init("intervals for", .left) { row in
          guard row.score.estimate.value != nil else { return TableCell.undefined }
          return row.score.estimate.clusters.map { "new people from \($0)" } ?? "these people"
        },
      ])
    let notes = rows.inGroups { Self.note($0.score) }.map { rows in
      let names = rows.map { isRun ? "\(inLine($0.summary.entry)) (\($0.summary.origin))" : "all" }
      return "\(names.joined(separator: ", ")): \(Self.note(rows[0].score))\n"
    }
    return table.render(screen) + screen.wrapped(notes.joined(), indent: 2)
  }

  private static func note(_ day: DayRate) -> String {
    let rest = DayProfile.Part(activity: "not in the profile", hours: day.unlistedHours)
    let unknown = (day.unknown + (rest.hours > 0.005 ? [rest] : []))
      .map { "\(inLine($0.activity)) \(fixed($0.hours, 2))" }
    let unlisted = day.unlisted.map { $0.isEmpty ? "not stated" : inLine($0) }
    let sentences = [
      ("unknown: \(fixed(day.unknownHours, 2)) of 24 h: ", unknown),
      ("recorded, but not in the profile: ", unlisted),
      (
        "fewer than \(GroupScore.fewestClusters) people, so no interval for new people: ",
        day.sparse.map(inLine)
      ),
    ].filter { !$0.1.isEmpty }.map { $0 + $1.joined(separator: ", ") }
    return sentences.isEmpty ? "all of the day is known" : sentences.joined(separator: "; ")
  }
}
