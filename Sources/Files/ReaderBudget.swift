package import TraceModel

/// What readers accept at most: every limit of rows, bytes and entries that protects memory and time.
///
/// Packed data are limited by what was packed: a file of 2 MB can unpack to 2 GB, and text of a few
/// repeated bytes to readings of many. No recording packs so well: times that increase take 2 to 3
/// bytes for each row, and text shrinks to a third or a twentieth.
package enum ReaderBudget {
  /// Unpacked bytes that need no packed ones, and those for each packed byte.
  package static let freeBytes = 32 << 20
  package static let unpackedForEach = 100
  /// What tables of references, results and sweeps take for each packed byte: columns of equal values
  /// and regular times pack better.
  package static let columnsForEach = 200
  /// Those of the readings of a native trace: noise hardly packs, and readings of 28 bytes from a phone
  /// that lies still take two.
  package static let readingsForEach = 20
  package static let freeReadingBytes = 64 << 20
  package static let repack = "if you trust it, unpack it with h5repack -f NONE"
  /// Records of packed text, which most readers keep: as many as this, and one for each packed byte.
  package static let freeRecords = 1_000_000
  /// Labels of one file, packed or not, and of one side of a score: each takes 0.5 kB.
  package static let labels = 500_000
  /// A record or token of text: in a longer one a quote or bracket is probably missing.
  package static let token = 1 << 20
  /// Members of an archive, files of a folder that is one recording.
  package static let members = 10_000
  /// Names that a search in folders looks at.
  package static let searchedNames = 100_000

  /// gpsbabel keeps some 200 bytes for each record of FIT, which may have 9.
  package static func requireFIT(
    _ unpacked: Int, from packed: Int, _ place: String
  ) throws(TraceError) {
    try requireUnpacked(unpacked, from: packed, each: 20, free: 8 << 20, place)
  }

  package static func requireRecords(
    _ records: Int, from packed: Int, _ place: String
  ) throws(TraceError) {
    guard records > freeRecords + packed else { return }
    throw TraceError(
      place: place, expected: "at most \(freeRecords) records plus one for each packed byte",
      found: "more", remedy: "unpack the file yourself if you trust it")
  }

  /// Counts the names of one search.
  package struct Names {
    private var count = 0

    package init() {}

    /// - Parameter place: what is searched, for the message.
    package mutating func add(_ names: Int, in place: String) throws(TraceError) {
      count += names
      guard count > searchedNames else { return }
      throw TraceError(
        place: place, expected: "at most \(searchedNames) names to look at", found: "more",
        remedy: "name the files, or fewer folders")
    }
  }

  /// - Parameters:
  ///   - each: the bytes for each packed one.
  ///   - free: the bytes that need no packed ones.
  ///   - place: the packed file, for messages.
  package static func requireUnpacked(
    _ unpacked: Int, from packed: Int, each: Int = unpackedForEach, free: Int = freeBytes,
    _ place: String, remedy: String = "unpack the file yourself if you trust it"
  ) throws(TraceError) {
    // Divided, because a product could overflow.
    guard unpacked > free, (unpacked - free - 1) / each >= packed else { return }
    throw TraceError(
      place: place,
      expected: "at most \(free >> 20) MiB plus \(each) bytes for each packed byte",
      found: "\(unpacked) bytes from \(packed) packed bytes",
      remedy: remedy)
  }
}
