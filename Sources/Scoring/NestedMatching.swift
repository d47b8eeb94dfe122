internal import TraceModel

/// Returns the best matching for any windows, including nested ones.
///
/// This is an assignment problem: every reference takes a column, either a detection in its window
/// or its own column "missed", which costs more than any distance. Solved by successive shortest
/// augmenting paths with potentials (Kuhn and Munkres; Jonker and Volgenant, Computing 38, 1987)
/// over costs that are ordered pairs of integers, without rounding.
func nestedAssignment(_ problem: MatchProblem, references: [Int]) -> [Int?] {
  var solver = AssignmentSolver(problem, references: references)
  for row in references.indices { solver.insert(row) }
  solver.settleTies()
  return solver.assignment()
}

/// A cost: the number of missed references first, then the distance. An ordered abelian group.
private struct MatchCost: Comparable {
  var missed: Int64 = 0
  var distance: Int64 = 0

  static let zero = MatchCost()

  static func + (left: MatchCost, right: MatchCost) -> MatchCost {
    MatchCost(
      missed: left.missed + right.missed, distance: left.distance.addingClamped(right.distance))
  }

  static func - (left: MatchCost, right: MatchCost) -> MatchCost {
    MatchCost(
      missed: left.missed - right.missed,
      distance: left.distance.subtractingClamped(right.distance))
  }

  static func < (left: MatchCost, right: MatchCost) -> Bool {
    (left.missed, left.distance) < (right.missed, right.distance)
  }
}

private struct AssignmentSolver {
  private let problem: MatchProblem
  /// The reference of each row.
  private let references: [Int]
  /// Columns 0..<detections are detections from `first` on; then the "missed" columns of the rows.
  private let first: Int
  private let detections: Int
  /// Dual variables: cost - rowPotential - columnPotential is never negative, and zero for an
  /// assigned pair; an unassigned column has potential zero.
  private var rowPotentials: [MatchCost]
  private var columnPotentials: [MatchCost]
  private var columnOfRow: [Int?]
  private var rowOfColumn: [Int?]

  init(_ problem: MatchProblem, references: [Int]) {
    let windows = references.map { problem.windows[$0] }
    self.problem = problem
    self.references = references
    first = windows.map { $0.lowerBound }.min() ?? 0
    detections = (windows.map { $0.upperBound }.max() ?? 0) - first
    let columns = detections + references.count
    rowPotentials = Array(repeating: .zero, count: references.count)
    columnPotentials = Array(repeating: .zero, count: columns)
    columnOfRow = Array(repeating: nil, count: references.count)
    rowOfColumn = Array(repeating: nil, count: columns)
  }

  func assignment() -> [Int?] {
    columnOfRow.map { column in column.flatMap { $0 < detections ? $0 + first : nil } }
  }

  private func window(_ row: Int) -> Range<Int> {
    let window = problem.windows[references[row]]
    return window.lowerBound - first..<window.upperBound - first
  }

  private func missed(_ row: Int) -> Int { detections + row }

  private func reducedCost(_ row: Int, _ column: Int) -> MatchCost {
    let cost =
      column < detections
      ? MatchCost(distance: problem.distance(references[row], column + first))
      : MatchCost(missed: 1)
    return cost - rowPotentials[row] - columnPotentials[column]
  }

  private func isTight(_ row: Int, _ column: Int) -> Bool { reducedCost(row, column) == .zero }

  /// Assigns a column to a new row along the shortest path of reassignments (Dijkstra). The row's
  /// "missed" column is free, so a path always exists.
  mutating func insert(_ row: Int) {
    var search = PathSearch(columns: rowOfColumn.count)
    var current: Int? = row
    var length = MatchCost.zero
    var end: Int?
    while let reached = current, let column = relax(reached, from: length, in: &search) {
      length = search.distances[column]
      current = rowOfColumn[column]
      end = column
    }
    guard let end else { return }
    updatePotentials(of: row, search, length)
    augment(row, to: end, search)
  }

  /// Relaxes the edges of a row and settles the nearest open column.
  private func relax(_ row: Int, from length: MatchCost, in search: inout PathSearch) -> Int? {
    for column in window(row) {
      search.reach(column, at: length + reducedCost(row, column), from: row)
    }
    search.reach(missed(row), at: length + reducedCost(row, missed(row)), from: row)
    return search.settleNearest()
  }

  private mutating func updatePotentials(
    of row: Int, _ search: PathSearch, _ length: MatchCost
  ) {
    rowPotentials[row] = rowPotentials[row] + length
    for column in search.settled {
      guard let owner = rowOfColumn[column] else { continue }
      let slack = length - search.distances[column]
      rowPotentials[owner] = rowPotentials[owner] + slack
      columnPotentials[column] = columnPotentials[column] - slack
    }
  }

  private mutating func augment(_ row: Int, to end: Int, _ search: PathSearch) {
    var column: Int? = end
    while let taken = column {
      let mover = search.origins[taken]
      column = columnOfRow[mover]
      columnOfRow[mover] = taken
      rowOfColumn[taken] = mover
    }
  }

  /// Transforms the matching into the lexicographically smallest of the best ones.
  ///
  /// By complementary slackness the best matchings use only tight pairs and assign every column
  /// with a nonzero potential. Any two of them differ by cycles of tight reassignments, in which
  /// the free columns count as one additional row that may take any column of potential zero. So
  /// each row in turn takes its smallest tight column from which such a cycle, through rows that
  /// are not settled yet, leads back to its own.
  mutating func settleTies() {
    let rows = RowsOfColumns(columns: detections, windows: references.indices.map(window))
    for row in references.indices {
      guard let own = columnOfRow[row] else { continue }
      let better = window(row).prefix { $0 < own }.filter { isTight(row, $0) }
      guard !better.isEmpty else { continue }
      let successors = columnsLeading(to: own, after: row, rows)
      guard let column = better.first(where: { successors[$0] != nil }) else { continue }
      rotate(row, to: column, through: successors)
    }
  }

  /// Returns, for every column whose owner (a row after `row` or none) can release it in a cycle
  /// that ends at `goal`, the column that the owner takes instead.
  private func columnsLeading(to goal: Int, after row: Int, _ rows: RowsOfColumns) -> [Int?] {
    var successors = [Int?](repeating: nil, count: rowOfColumn.count)
    var queue = [goal]
    var position = 0
    var hasReachedFree = false
    while position < queue.count {
      let column = queue[position]
      position += 1
      let holders = column < detections ? rows[column] : [column - detections]
      for holder in holders where holder > row {
        guard let held = columnOfRow[holder], held != goal, successors[held] == nil,
          isTight(holder, column)
        else { continue }
        successors[held] = column
        queue.append(held)
      }
      let isReleasable = columnPotentials[column] == .zero && rowOfColumn[column] != nil
      guard isReleasable, !hasReachedFree else { continue }
      hasReachedFree = true
      for free in rowOfColumn.indices where rowOfColumn[free] == nil {
        successors[free] = column
        queue.append(free)
      }
    }
    return successors
  }

  private mutating func rotate(_ row: Int, to start: Int, through successors: [Int?]) {
    var mover: Int? = row
    var column: Int? = start
    let goal = columnOfRow[row]
    while let taken = column {
      let displaced = taken == goal ? nil : rowOfColumn[taken]
      rowOfColumn[taken] = mover
      if let mover { columnOfRow[mover] = taken }
      mover = displaced
      column = taken == goal ? nil : successors[taken]
    }
  }
}

/// The rows whose window contains a column, in order.
private struct RowsOfColumns {
  private var starts: [Int]
  private var rows: [Int]

  init(columns: Int, windows: [Range<Int>]) {
    starts = [Int](repeating: 0, count: columns + 1)
    for window in windows {
      for column in window { starts[column + 1] += 1 }
    }
    for column in 0..<columns { starts[column + 1] += starts[column] }
    rows = [Int](repeating: 0, count: starts[columns])
    var next = starts
    for (row, window) in windows.enumerated() {
      for column in window {
        rows[next[column]] = row
        next[column] += 1
      }
    }
  }

  subscript(column: Int) -> ArraySlice<Int> { rows[starts[column]..<starts[column + 1]] }
}

/// One shortest-path search over columns.
private struct PathSearch {
  private(set) var distances: [MatchCost]
  /// The row from which each column was reached; -1 = not reached.
  private(set) var origins: [Int]
  private(set) var settled: [Int] = []
  private var isSettled: [Bool]
  /// A binary heap, smallest first; it contains a column once per distance that the column has had.
  private var open: [Entry] = []

  private struct Entry {
    var distance: MatchCost
    var column: Int

    static func < (left: Entry, right: Entry) -> Bool {
      (left.distance, left.column) < (right.distance, right.column)
    }
  }

  init(columns: Int) {
    distances = Array(repeating: .zero, count: columns)
    origins = Array(repeating: -1, count: columns)
    isSettled = Array(repeating: false, count: columns)
  }

  mutating func reach(_ column: Int, at distance: MatchCost, from row: Int) {
    let isNearer = origins[column] < 0 || distance < distances[column]
    guard isNearer, !isSettled[column] else { return }
    distances[column] = distance
    origins[column] = row
    push(Entry(distance: distance, column: column))
  }

  mutating func settleNearest() -> Int? {
    while let entry = pop() {
      guard !isSettled[entry.column] else { continue }
      isSettled[entry.column] = true
      settled.append(entry.column)
      return entry.column
    }
    return nil
  }

  private mutating func push(_ entry: Entry) {
    open.append(entry)
    var child = open.count - 1
    while child > 0, open[child] < open[(child - 1) / 2] {
      open.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() -> Entry? {
    guard let nearest = open.first else { return nil }
    open.swapAt(0, open.count - 1)
    open.removeLast()
    var parent = 0
    while 2 * parent + 1 < open.count {
      let left = 2 * parent + 1
      let right = left + 1
      let child = right < open.count && open[right] < open[left] ? right : left
      guard open[child] < open[parent] else { break }
      open.swapAt(parent, child)
      parent = child
    }
    return nearest
  }
}
