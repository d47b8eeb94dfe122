import AppEngines

extension Workout {
  /// The figures of the current week: the totals and the days of each enabled sport.
  public struct WeekReport: Hashable, Sendable, Codable {
    /// The days of one sport.
    public struct Series: Hashable, Sendable, Codable {
      public var sport: Sport
      public var unit: String
      /// The values, in the order of ``WeekReport/dayLabels``.
      public var values: [Double]
    }

    /// The labels of the totals, e.g. `run`.
    public var labels: [String]
    /// The totals in the order of ``labels``: miles (or kilometres) with one decimal, swims in
    /// whole metres. Each is rounded once, from the sum.
    public var values: [Double]
    public var units: [String]
    /// The calendar's names of the seven days, the first day of the week first.
    public var dayLabels: [String]
    public var days: [Series]
  }

  /// The sports that the week shows.
  public struct SportToggles: Hashable, Sendable, Codable {
    public var run = true
    public var bike = true
    public var swim = true

    public init() {}

    public subscript(sport: Sport) -> Bool {
      get {
        switch sport {
        case .run: run
        case .bike: bike
        case .swim: swim
        }
      }
      set {
        switch sport {
        case .run: run = newValue
        case .bike: bike = newValue
        case .swim: swim = newValue
        }
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
    toggles: Workout.SportToggles, unit: Workout.DistanceUnit, rules: WorkoutRules,
    runs: Double?
  ) {
    let sports = toggles.sports
    func shown(_ sport: Workout.Sport, _ days: ArraySlice<Workout.CalendarDay>) -> Double {
      guard let first = days.first, let last = days.last else { return 0 }
      let meters = Workout.WeekReport.meters(
        of: sport, activities, from: first.start, to: last.end)
      return sport == .swim ? meters.rounded() : inUnits(meters)
    }
    func inUnits(_ meters: Double) -> Double { (meters / unit.meters(rules) * 10).rounded() / 10 }
    labels = sports.map(\.rawValue)
    values = sports.map { sport in
      guard sport == .run, let runs else { return shown(sport, week.days[...]) }
      return inUnits(runs)
    }
    units = sports.map { $0 == .swim ? "m" : unit.symbol }
    dayLabels = week.days.map(\.label)
    days = sports.map { sport in
      Series(
        sport: sport, unit: sport == .swim ? "m" : unit.symbol,
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
