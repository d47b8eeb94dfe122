package import Diagnostics
package import Evaluation

/// No entry is measured on both sides.
package struct NothingToTime: Error {
  /// The entries that one side or both do not measure, with the reasons.
  package var leftOut: [SpeedWork.LeftOut]

  package var failure: Failure {
    let reasons = leftOut.map { "\($0.entry): \($0.reason)" }
    return Failure(
      .badData,
      "timing: expected an entry that both sides measure, found none"
        + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"))
  }
}

/// The entries of two programs that are compared.
struct SpeedPairing: Equatable {
  struct Pair: Equatable {
    var base: SpeedReady.Entry
    var head: SpeedReady.Entry
    /// The positions in the programs' lists.
    var positions: [Int]
    /// Whether one side is an `exec:` program.
    var isProgram: Bool { base.isProgram ?? false || head.isProgram ?? false }
  }

  var pairs: [Pair] = []
  var notCompared: [SpeedWork.LeftOut] = []

  /// Entries are compared by name, except if each side has a single one: two detectors have two names.
  /// - Throws: ``NothingToTime``; bad data if the traces of an entry differ and must not.
  init(_ base: SpeedReady, _ head: SpeedReady, allowsDifferentTraces: Bool) throws {
    let isSingle = base.entries.count == 1 && head.entries.count == 1
    for (index, entry) in base.entries.enumerated() {
      let other = isSingle ? 0 : head.entries.firstIndex { $0.entry == entry.entry }
      guard let other else {
        notCompared.append(
          .init(entry: entry.entry, reason: Self.missing(entry.entry, in: head, of: "head")))
        continue
      }
      pairs.append(Pair(base: entry, head: head.entries[other], positions: [index, other]))
    }
    let compared = Set(pairs.map(\.head.entry))
    for entry in head.entries where !compared.contains(entry.entry) {
      notCompared.append(
        .init(entry: entry.entry, reason: Self.missing(entry.entry, in: base, of: "base")))
    }
    for left in base.leftOut where head.leftOut.contains(left) { notCompared.append(left) }
    guard !pairs.isEmpty else { throw NothingToTime(leftOut: notCompared) }
    if let different = pairs.first(where: { $0.base.inputsSha256 != $0.head.inputsSha256 }),
      !allowsDifferentTraces
    {
      throw Failure(
        .badData,
        "timing: entry \(different.base.entry): expected the same traces on both sides, found "
          + "\(different.base.samples) and \(different.head.samples) samples of different traces; "
          + "compare on one suite")
    }
  }

  /// Leaves out the pairs that are too slow to be repeated.
  /// - Throws: ``NothingToTime`` if none is left.
  mutating func keep(_ kept: [Bool]) throws {
    for (pair, isKept) in zip(pairs, kept) where !isKept {
      notCompared.append(.init(entry: pair.head.entry, reason: SpeedWork.slowReason))
    }
    pairs = zip(pairs, kept).filter { $0.1 }.map { $0.0 }
    guard !pairs.isEmpty else { throw NothingToTime(leftOut: notCompared) }
  }

  private static func missing(_ entry: String, in other: SpeedReady, of name: String) -> String {
    // Two detectors have two names: a single entry is compared whatever its name.
    let isSingle = other.entries.isEmpty && other.leftOut.count == 1
    let left = other.leftOut.first { isSingle || $0.entry == entry }
    return left.map { "\(name): \($0.reason)" } ?? "only one side has it"
  }
}
