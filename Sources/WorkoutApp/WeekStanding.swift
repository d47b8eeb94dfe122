extension Workout {
  /// How the person stacks up against the friends in a week, in one sport.
  public struct WeekStanding: Hashable, Sendable, Codable {
    /// A person of the standing.
    public struct Row: Hashable, Sendable, Codable {
      public var user: UserID
      public var name: String
      /// The distance of the week in metres.
      public var distance: Double
    }

    public var sport: Sport
    /// The person and the friends, most distance first, equal distances by the id.
    public var rows: [Row]
    /// The person's rank, from 1: one more than those with more distance.
    public var rank: Int
  }
}

extension Workout.WeekStanding {
  /// - Parameters:
  ///   - people: the person and the friends, with their names.
  ///   - user: the person.
  init(
    _ sport: Workout.Sport, _ activities: [Workout.Summary], in week: Workout.CalendarWeek,
    people: [(user: Workout.UserID, name: String)], user: Workout.UserID
  ) {
    self.sport = sport
    var totals: [Workout.UserID: Double] = [:]
    if let start = week.days.first?.start, let end = week.days.last?.end {
      for activity in activities
      where activity.sport == sport && start <= activity.start && activity.start < end {
        totals[activity.creator, default: 0] += activity.distance
      }
    }
    rows = people.map { Row(user: $0.user, name: $0.name, distance: totals[$0.user] ?? 0) }
      .sorted { $0.distance != $1.distance ? $0.distance > $1.distance : $0.user < $1.user }
    let own = totals[user] ?? 0
    rank = 1 + rows.count { $0.distance > own }
  }
}
