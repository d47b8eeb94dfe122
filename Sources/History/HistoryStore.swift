import Diagnostics
import Scoring

/// The figures of earlier runs, in an SQLite database.
///
/// When ``append(_:_:)`` returns, the run is on the disk: a kill or a power failure does not lose it.
/// Several programs may use a database at once; they wait for each other. The database is one file, which
/// is replaced as a whole, so that it can be copied into a cache.
///
/// ```swift
/// let store = try HistoryStore(path, now: HistoryTime(Date())) { print($0) }
/// try store.append(run, figures)
/// let (alarms, runs) = try store.trials(machine: "ci", suite: "default", kind: .timing)
/// ```
package final class HistoryStore {
  package static let defaultPath = ".shadowbox/history.sqlite"

  package let path: String
  private let opening: HistoryOpening
  private var database: Database

  /// Opens a database for writing, or creates it.
  /// - Parameter setsAside: whether a damaged one is renamed, which `report` receives.
  /// - Throws: ``Failure`` if the file is damaged, not a history, has a newer version, or cannot be
  ///   written.
  package init(
    _ path: String, now: HistoryTime, setsAside: Bool = false, report: (String) -> Void
  ) throws {
    self.path = path
    opening = try HistoryOpening(path)
    database = try opening.forWriting(setsAside: setsAside ? now : nil, report)
  }

  /// Opens a database for reading. Nothing is created or changed.
  /// - Throws: ``Failure`` if the file is missing, damaged, not a history, or has a newer version.
  package init(reading path: String) throws {
    self.path = path
    opening = try HistoryOpening(path)
    database = try opening.forReading()
  }

  package func close() { database.close() }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try HistoryOpening.naming(path) { try database.reading(body) }
  }

  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let result: Result
    (database, result) = try opening.changing(body)
    return result
  }
}

extension HistoryStore {
  /// Stores a run with its figures, all or nothing. No two figures have the same name.
  /// - Returns: false if the history already has the run, with the same figures.
  /// - Throws: ``Failure`` if another run has its id, or it cannot be written; then nothing is stored.
  @discardableResult
  package func append(_ run: HistoryRun, _ figures: [HistoryFigure]) throws -> Bool {
    try write { try Self.append(run, figures, $0, path) }
  }

  /// Stores comparisons of equal builds, all or nothing.
  /// - Returns: false if the history already has them.
  @discardableResult package func appendTrial(_ trial: HistoryTrial) throws -> Bool {
    try write { try Self.append(trial, $0, path) }
  }

  static func append(
    _ run: HistoryRun, _ figures: [HistoryFigure], _ database: Database, _ place: String
  ) throws -> Bool {
    if let known = try point(of: run.id, database) {
      guard known.run.hasSameFacts(as: run), Set(known.figures) == Set(figures) else {
        throw conflict("run \(run.id)", place)
      }
      return false
    }
    try requireStorable(run.texts + figures.flatMap(\.texts), "\(place): run \(run.id)")
    guard Set(figures.map(\.name)).count == figures.count else {
      throw Failure(
        .badData, "\(place): run \(run.id): expected each figure once, found a duplicate")
    }
    try database.execute(
      "INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        run.id, run.time.description, run.commit, run.branch, run.machine, run.toolVersion,
        run.toolchain, run.suite, run.suiteDigest, run.source.rawValue, run.verdict,
      ])
    let number = database.lastRow
    // Of a run that another program deleted; SQLite uses its number again.
    try database.execute("DELETE FROM figures WHERE run = ?", [number])
    try database.execute(
      "INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      forEach: figures.enumerated().map { position, figure in
        [
          number, position, figure.entry, figure.origin, figure.metric, figure.kind.rawValue,
          figure.value, figure.lower, figure.upper, figure.unit, figure.count, figure.method,
        ]
      })
    return true
  }

  static func append(_ trial: HistoryTrial, _ database: Database, _ place: String) throws -> Bool {
    let known = try database.rows(
      "SELECT * FROM trials WHERE id = ?", [trial.id], HistoryTrial.init)
    if let known = known.first {
      guard known == trial else { throw conflict("trial \(trial.id)", place) }
      return false
    }
    try requireStorable([trial.id, trial.machine, trial.suite], "\(place): trial \(trial.id)")
    try database.execute(
      "INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        trial.id, trial.time.description, trial.machine, trial.suite, trial.kind.rawValue,
        trial.runs, trial.alarms,
      ])
    return true
  }

  /// SQLite ends a text at the first NUL.
  private static func requireStorable(_ texts: [String], _ place: String) throws {
    guard !texts.contains(where: { $0.utf8.contains(0) }) else {
      throw Failure(.badData, "\(place): expected texts without the character NUL, found one")
    }
  }

  private static func conflict(_ what: String, _ place: String) -> Failure {
    Failure(
      .badData,
      "\(place): \(what) is in the history already, with other figures; was one of them changed?")
  }

  /// Removes runs, and returns them, the oldest first. Trials stay.
  /// - Parameters:
  ///   - keep: the number of newest runs that stay.
  ///   - time: only older runs are removed; nil = runs of any age.
  ///   - order: the order that makes a run one of the newest.
  ///   - isDry: whether nothing is removed.
  package func prune(
    keeping keep: Int, olderThan time: HistoryTime?, order: HistoryOrder = .time,
    isDry: Bool = false
  ) throws -> [HistoryRun] {
    try (isDry ? read : write) { database in
      let doomed = try order.sorted(Self.runs(database)).dropLast(keep).filter { run in
        time.map { run.time < $0 } ?? true
      }
      guard !isDry else { return doomed }
      for run in doomed { try database.execute("DELETE FROM runs WHERE id = ?", [run.id]) }
      return doomed
    }
  }
}

extension HistoryRun {
  fileprivate var texts: [String] {
    [id, commit, branch ?? "", machine, toolVersion, toolchain, suite, suiteDigest, verdict ?? ""]
  }

  /// Ignores what may differ when the same file is added again.
  fileprivate func hasSameFacts(as other: HistoryRun) -> Bool {
    var other = other
    (other.time, other.machine, other.branch) = (time, machine, branch)
    return self == other
  }
}

extension HistoryFigure {
  fileprivate var texts: [String] { [entry, origin, metric, unit, method ?? ""] }
}

extension HistoryStore {
  /// All runs, the oldest first; runs of the same instant by their ids.
  package func runs() throws -> [HistoryRun] { try read(Self.runs) }

  static func runs(_ database: Database) throws -> [HistoryRun] {
    try database.rows("SELECT * FROM runs ORDER BY time, id", [], HistoryRun.init)
  }

  /// A figure in all runs that have it, the oldest first.
  package func series(entry: String, origin: String, metric: String) throws -> [HistoryPoint] {
    try points(where: "entry = ? AND origin = ? AND metric = ?", [entry, origin, metric])
  }

  /// The series of all figures, in the order of their first points.
  package func allSeries(order: HistoryOrder = .time) throws -> [HistorySeries] {
    HistorySeries.all(try points(where: "TRUE", [], order), sharing: try testedSeries())
  }

  /// The series of all figures of one branch; nil = without a branch.
  package func allSeries(
    ofBranch branch: String?, order: HistoryOrder = .time
  ) throws -> [HistorySeries] {
    HistorySeries.all(
      try points(where: "branch IS ?", [branch], order), sharing: try testedSeries())
  }

  /// The number of series of timing, of all branches, that are long enough to show a change.
  package func testedSeries() throws -> Int {
    let series = """
      SELECT 1 FROM figures JOIN runs ON run = number WHERE kind = 'timing' AND value IS NOT NULL
      GROUP BY entry, origin, metric, unit, suite, branch, machine HAVING count(*) >= ?
      """
    return try read { try $0.rows(series, [ChangeTest.fewestValues]) { _ in }.count }
  }

  /// The sums over all trials of a machine with a suite.
  package func trials(
    machine: String, suite: String, kind: HistoryFigure.Kind
  ) throws -> (alarms: Int, runs: Int) {
    try read { database in
      let trials = try database.rows(
        "SELECT * FROM trials WHERE machine = ? AND suite = ? AND kind = ?",
        [machine, suite, kind.rawValue], HistoryTrial.init)
      return (trials.reduce(0) { $0 + $1.alarms }, trials.reduce(0) { $0 + $1.runs })
    }
  }

  /// All trials, the oldest first.
  package func trials() throws -> [HistoryTrial] { try read(Self.trials) }

  static func trials(_ database: Database) throws -> [HistoryTrial] {
    try database.rows("SELECT * FROM trials ORDER BY time, id", [], HistoryTrial.init)
  }

  private func points(
    where condition: String, _ arguments: [String?], _ order: HistoryOrder = .time
  ) throws -> [HistoryPoint] {
    try read { database in
      let runs = Dictionary(
        try database.rows("SELECT * FROM runs") {
          (try $0.value("number", as: Int.self), try HistoryRun($0))
        }, uniquingKeysWith: { $1 })
      let points = try database.rows(
        "SELECT figures.* FROM figures JOIN runs ON run = number WHERE \(condition) "
          + "ORDER BY time, id, position", arguments
      ) { row in
        try runs[try row.value("run", as: Int.self)].map {
          HistoryPoint(run: $0, figure: try HistoryFigure(row))
        }
      }
      let sorted = order.sorted(try Self.runs(database))
      let ranks = Dictionary(zip(sorted.map(\.id), 0...), uniquingKeysWith: { first, _ in first })
      return points.compactMap(\.self).enumerated()
        .map { (ranks[$1.run.id] ?? 0, $0, $1) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
  }

  private static func point(
    of id: String, _ database: Database
  ) throws -> (run: HistoryRun, figures: [HistoryFigure])? {
    try database.rows("SELECT * FROM runs WHERE id = ?", [id]) { row in
      (try HistoryRun(row), try figures(of: row.value("number"), database))
    }.first
  }

  static func figures(of number: Int, _ database: Database) throws -> [HistoryFigure] {
    try database.rows(
      "SELECT * FROM figures WHERE run = ? ORDER BY position", [number], HistoryFigure.init)
  }
}
