// Names of files come from a command line or a file; Embedded Swift has neither.
#if !hasFeature(Embedded)
  /// The name of a recording: the id of a trace, a name in a table, or the path of its label file.
  ///
  /// The two sides of a comparison may write it differently: `siteA/rec1.wav` of a table is
  /// `truth/siteA/rec1.csv` on disk.
  package struct RecordingName: Hashable, Sendable {
    /// The name as it is written.
    package let whole: String
    /// The name as it is printed where no other recording has the same: of an id the whole, else the
    /// name without folders and ending.
    package let title: String
    /// The folders, and last the name without the ending of a file.
    package let parts: [String]
    /// The last part without an ending that is no known one; nil = it has none.
    private let guess: String?
    /// The parts before the name itself: they only say where a label file is.
    private let place: Int

    /// - Parameter isID: whether it is the id of a trace; otherwise a name in a table.
    package init(_ name: String, isID: Bool = false) {
      self.init(name, parts: Self.split(name, "/\\"), isID: isID)
    }

    /// The names of label files by their paths. What all paths begin with says where the files are.
    package static func ofFiles(_ paths: [String]) -> [RecordingName] {
      let all = paths.map { split($0, "/") }
      let shared = all.dropFirst().reduce(all.first?.dropLast() ?? []) { shared, parts in
        Array(zip(shared, parts.dropLast()).prefix { $0 == $1 }.map(\.0))[...]
      }
      return zip(paths, all).map { RecordingName($0, parts: $1, place: shared.count) }
    }

    private init(_ name: String, parts: [String], isID: Bool = false, place: Int = 0) {
      var parts = parts
      var base = parts.last ?? name
      while let ending = Self.ending(of: base), Self.endings.contains(ending.lowercased()) {
        base = String(base.dropLast(ending.count + 1))
      }
      if !parts.isEmpty { parts[parts.count - 1] = base }
      (whole, self.parts) = (name, parts.isEmpty ? [name] : parts)
      self.place = min(place, self.parts.count - 1)
      guess = Self.ending(of: base).map { String(base.dropLast($0.count + 1)) }
      title = isID ? name : guess ?? base
    }

    /// The name without folders and without the ending of a file.
    package var base: String { parts[parts.count - 1] }
    /// The folders that belong to the name, and the name without the ending of a file.
    package var inFolders: String { parts[place...].joined(separator: "/") }
    /// The names under which another spelling can be found.
    var bases: [String] { guess.map { [base, $0] } ?? [base] }

    private static func split(_ name: String, _ separators: String) -> [String] {
      name.split { separators.contains($0) }.map(String.init).filter { $0 != "." }
    }

    /// Letters and digits after the last dot, a letter first: `walk.2024` has no ending.
    private static func ending(of name: String) -> String? {
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
      let ending = name[name.index(after: dot)...]
      guard (1...8).contains(ending.count), ending.first?.isLetter == true,
        ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { return nil }
      return String(ending)
    }

    /// The endings of label files and recordings.
    private static let endings: Set<String> = [
      "aac", "aif", "aiff", "ann", "avi", "bin", "csv", "dat", "edf", "feather", "fit", "flac",
      "geojson", "gpx", "gz", "h5", "hdf5", "json", "jsonl", "kml", "lab", "labels", "log", "m4a",
      "mat", "mkv", "mov", "mp3", "mp4", "nc", "nmea", "npy", "npz", "ogg", "opus", "parquet",
      "svl",
      "tab", "tcx", "tsv", "txt", "wav", "webm", "xlsx", "xml", "yaml", "yml", "zip",
    ]
  }

  extension RecordingName {
    /// How far two names agree.
    enum Agreement: Comparable {
      /// In so many last parts, but both have other folders before these.
      case inOtherFolders(Int)
      /// In all parts of one name, which are so many last parts of the other one.
      case inFolder(Int)
      /// But for the ending of a file.
      case exceptEnding
      case whole
    }

    /// Returns how far two names agree; nil = they name different recordings.
    func agreement(with other: RecordingName) -> Agreement? {
      if whole == other.whole { return .whole }
      // An ending that is no known one may be a part of the name, so only one side may lose it.
      guard base == other.base || guess == other.base || other.guess == base else { return nil }
      let folders = zip(parts.dropLast().reversed(), other.parts.dropLast().reversed())
      let common = 1 + folders.prefix { $0 == $1 }.count
      let own = (parts.count - place, other.parts.count - other.place)
      if own.0 == own.1, common >= own.0 { return .exceptEnding }
      return common >= min(own.0, own.1) ? .inFolder(common) : .inOtherFolders(common)
    }
  }

  /// A name that several recordings of the other side could have.
  package struct AmbiguousName: Error, Hashable {
    package var name: String
    package var others: [String]
    /// Whether the name is one of the left side.
    package var isLeft: Bool
  }

  /// The recordings of two sides that have the same name.
  ///
  /// Names that agree as a whole pair first, then those that agree except for the ending of a file, then a
  /// name without folders and the one name that has it in a folder. Other folders are other recordings,
  /// unless no name of one side pairs with any of the other.
  package struct RecordingPairs {
    package typealias Pair = (left: Int, right: Int)

    package private(set) var pairs: [Pair] = []
    /// Whether the folders of all pairs differ.
    package private(set) var areInOtherFolders = false

    private let left: RecordingIndex
    private let right: RecordingIndex
    private var isPaired: (left: [Bool], right: [Bool])

    /// - Parameters: the recordings of each side, each with all the names that it has.
    /// - Throws: if a recording without a partner could have several.
    /// - Complexity: O(n) for n recordings, if few of them have the same name in several folders.
    package init(
      _ left: [[RecordingName]], _ right: [[RecordingName]]
    ) throws(AmbiguousName) {
      (self.left, self.right) = (RecordingIndex(left), RecordingIndex(right))
      isPaired = (
        [Bool](repeating: false, count: left.count), [Bool](repeating: false, count: right.count)
      )
      pairWholeNames()
      try pair { $0 == .exceptEnding }
      try pair { if case .inFolder = $0 { true } else { false } }
      guard pairs.isEmpty else { return }
      try pair { _ in true }
      areInOtherFolders = !pairs.isEmpty
    }

    private mutating func pairWholeNames() {
      for (index, names) in left.names.enumerated() {
        let partner = names.lazy.compactMap { [right] in right.positions[$0.whole] }
          .first { [isPaired] in !isPaired.right[$0] }
        if let partner { add((index, partner)) }
      }
    }

    private mutating func add(_ pair: Pair) {
      pairs.append(pair)
      (isPaired.left[pair.left], isPaired.right[pair.right]) = (true, true)
    }

    /// Pairs the recordings that agree best in such a way, and with no other recording as well.
    private mutating func pair(
      _ isWanted: (RecordingName.Agreement) -> Bool
    ) throws(AmbiguousName) {
      var found: [Pair] = []
      for index in left.names.indices where !isPaired.left[index] {
        guard let (others, agreement) = right.best(for: left.names[index]), isWanted(agreement),
          others.contains(where: { !isPaired.right[$0] })
        else { continue }
        guard others.count == 1 else { throw ambiguous(index, others, isLeft: true) }
        let rivals = left.best(for: right.names[others[0]])?.positions ?? []
        // It may agree better with another one.
        guard rivals.contains(index) else { continue }
        guard rivals.count == 1 else { throw ambiguous(others[0], rivals, isLeft: false) }
        found.append((index, others[0]))
      }
      for pair in found { add(pair) }
    }

    private func ambiguous(_ index: Int, _ others: [Int], isLeft: Bool) -> AmbiguousName {
      let (own, other) = isLeft ? (left, right) : (right, left)
      return AmbiguousName(
        name: own.names[index][0].whole, others: others.map { other.names[$0][0].whole },
        isLeft: isLeft)
    }
  }

  /// Recordings, found by their names.
  package struct RecordingIndex: Sendable {
    /// All names of each recording.
    package let names: [[RecordingName]]
    /// The first recording with a name.
    fileprivate private(set) var positions: [String: Int] = [:]
    private var byBase: [String: [Int]] = [:]

    package init(_ names: [[RecordingName]]) {
      self.names = names
      for (index, own) in names.enumerated() {
        for name in own where positions[name.whole] == nil { positions[name.whole] = index }
        for base in Set(own.flatMap(\.bases)) { byBase[base, default: []].append(index) }
      }
    }

    /// Returns the recordings that have a name, e.g. `rec1` with and without the ending of a file; or the
    /// ones that may be meant, which are in other folders or have another ending.
    package func recordings(named name: RecordingName) -> (same: [Int], others: [Int]) {
      let found = agreements(with: [name]).filter { _, agreement in
        if case .inOtherFolders = agreement { false } else { true }
      }.map(\.0)
      let same = found.filter { names[$0].contains { $0.parts == name.parts } }
      return (same, found.filter { !same.contains($0) })
    }

    /// Returns the recordings that agree best with another one; nil = none agrees.
    fileprivate func best(
      for other: [RecordingName]
    ) -> (positions: [Int], agreement: RecordingName.Agreement)? {
      let all = agreements(with: other)
      guard let best = all.map(\.1).max() else { return nil }
      return (all.filter { $0.1 == best }.map(\.0), best)
    }

    private func agreements(with other: [RecordingName]) -> [(Int, RecordingName.Agreement)] {
      Set(other.flatMap(\.bases).flatMap { byBase[$0] ?? [] }).sorted().compactMap { index in
        names[index].flatMap { own in other.compactMap { own.agreement(with: $0) } }.max()
          .map { (index, $0) }
      }
    }
  }
#endif
