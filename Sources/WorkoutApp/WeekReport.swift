import AppEngines
import Detectors

extension Workout {
  /// The figures of the current week: the totals and the days of each enabled sport.
  public struct WeekReport: Hashable, Sendable, Codable {
    public struct Series: Hashable, Sendable, Codable {
      public var sport: Sport
      public var unit: String
      /// The values, in the order of ``WeekReport/dayLabels``.
      public var values: [Double]
    }

    /// The labels of the totals, e.g. `run`.
    public var labels: [String]
    /// The totals in the order of ``labels``: miles with one decimal, swims in whole metres. Each is
    /// rounded once, from the sum.
    public var values: [Double]
    public var units: [String]
    /// The calendar's names of the seven days, the first day of the week first.
    public var dayLabels: [String]
    public var days: [Series]
  }

  /// How the person stacks up against the friends in a week, in one sport.
  public struct WeekStanding: Hashable, Sendable, Codable {
    public struct Row: Hashable, Sendable, Codable {
      public var user: UserID
      public var name: String
      public var distance: Double
    }

    public var sport: Sport
    /// The person and the friends, most distance first, equal distances by the id.
    public var rows: [Row]
    /// The person's rank, from 1: one more than those with more distance.
    public var rank: Int
  }

  public struct SportToggles: Hashable, Sendable, Codable {
    public var run = true
    public var bike = true
    public var swim = true

    public subscript(sport: Sport) -> Bool {
      get { self[keyPath: Self.path(of: sport)] }
      set { self[keyPath: Self.path(of: sport)] = newValue }
    }

    private static func path(of sport: Sport) -> WritableKeyPath<SportToggles, Bool> {
      switch sport {
      case .run: \.run
      case .bike: \.bike
      case .swim: \.swim
      }
    }

    var sports: [Sport] { Sport.allCases.filter { self[$0] } }
  }
}

extension Workout.WeekReport {
  /// - Parameter runs: the distance of the runs in metres, which the original keeps; nil = that of
  ///   the activities.
  init(
    _ activities: [Workout.Summary], in week: Workout.CalendarWeek,
    toggles: Workout.SportToggles, rules: WorkoutRules, runs: Double?
  ) {
    let sports = toggles.sports
    func shown(_ sport: Workout.Sport, _ days: ArraySlice<Workout.CalendarDay>) -> Double {
      guard let first = days.first, let last = days.last else { return 0 }
      let meters = Workout.WeekReport.meters(of: sport, activities, from: first.start, to: last.end)
      return sport == .swim ? meters.rounded() : inUnits(meters)
    }
    func inUnits(_ meters: Double) -> Double {
      (meters / rules.tracker.paceRule.metersPerMile * 10).rounded() / 10
    }
    labels = sports.map(\.rawValue)
    values = sports.map { sport in
      guard sport == .run, let runs else { return shown(sport, week.days[...]) }
      return inUnits(runs)
    }
    units = sports.map { $0 == .swim ? "m" : "mi" }
    dayLabels = week.days.map(\.label)
    days = sports.map { sport in
      Series(
        sport: sport, unit: sport == .swim ? "m" : "mi",
        values: week.days.indices.map { shown(sport, week.days[$0...$0]) })
    }
  }

  /// Returns the distance in metres of the activities of a sport that start in a stretch of time.
  static func meters(
    of sport: Workout.Sport, _ activities: [Workout.Summary], from start: WallTime,
    to end: WallTime
  ) -> Double {
    activities.reduce(0) { sum, activity in
      let isInside = start <= activity.start && activity.start < end
      return activity.sport == sport && isInside ? sum + activity.distance : sum
    }
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
    func total(_ user: Workout.UserID) -> Double {
      guard let start = week.days.first?.start, let end = week.days.last?.end else { return 0 }
      return Workout.WeekReport.meters(
        of: sport, activities.filter { $0.creator == user }, from: start, to: end)
    }
    self.sport = sport
    rows = people.map { Row(user: $0.user, name: $0.name, distance: total($0.user)) }
      .sorted { $0.distance != $1.distance ? $0.distance > $1.distance : $0.user < $1.user }
    let own = total(user)
    rank = 1 + rows.count { $0.distance > own }
  }
}

/// The runs of the week as the original adds them: neither list is cleared on a refresh.
struct WeekTally: Hashable, Sendable, Codable {
  /// The distance in metres of the runs in the list of the week's activities.
  private var listed = 0.0
  /// The distance in metres of the runs that are shown.
  private(set) var shown = 0.0

  /// - Parameter meters: the distance of the week's runs.
  mutating func refresh(_ meters: Double) {
    listed += meters
    shown += listed
  }
}
