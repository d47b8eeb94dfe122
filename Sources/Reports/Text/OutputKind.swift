import Digests
import Foundation

/// A kind of file that a command writes. A file of the same kind is replaced without a question.
package struct OutputKind: Sendable {
  /// The name for messages, with its article.
  let title: String
  /// The endings of its files; empty if any ending is right.
  let endings: [String]
  private let matchesHead: @Sendable (Data) -> Bool

  private init(
    _ title: String, _ endings: String..., head: @escaping @Sendable (Data) -> Bool
  ) {
    (self.title, self.endings, matchesHead) = (title, endings, head)
  }

  /// Searches the bytes for the schema: libhdf5 can crash on a damaged file.
  private init(hdf5 title: String, schema: String) {
    self.init(title, "h5", "hdf5") {
      $0.starts(with: Data([0x89]) + Data("HDF\r\n\u{1A}\n".utf8)) && $0.contains(schema)
    }
  }

  package static let trace = OutputKind(hdf5: "a native trace", schema: "shadowbox-trace/")
  package static let results = OutputKind(
    hdf5: "a results file of Shadowbox", schema: "shadowbox-results/")
  package static let sweep = OutputKind(hdf5: "a sweep of Shadowbox", schema: "shadowbox-sweep/")
  package static let tuning = OutputKind(
    hdf5: "the results of a tuning", schema: "shadowbox-tuning/")
  package static let parameters = OutputKind("a parameter file", "json") {
    $0.contains("\"shadowbox-parameters/")
  }
  /// One channel of a trace.
  package static let channelTable = OutputKind("a CSV file of a trace", "csv") {
    $0.starts(with: "time_ns,".utf8)
  }
  /// The curves of a sweep.
  package static let curveTable = OutputKind("a CSV file of a sweep", "csv") {
    $0.starts(with: "settings,threshold,".utf8)
  }
  package static let picture = OutputKind("a picture", "png", "svg", "pdf") { head in
    head.starts(with: Data([0x89]) + Data("PNG\r\n".utf8))
      || ["%PDF-", "<?xml", "<svg"].contains { head.starts(with: $0.utf8) }
  }
  package static let detectionLog = OutputKind("a detection log") { $0.starts(with: "#".utf8) }
  /// The histograms of a paced replay.
  package static let timing = OutputKind("a file of histograms") {
    $0.starts(with: "# lateness".utf8)
  }

  /// Whether a file with these first bytes is of this kind. An empty file is of every kind.
  func matches(_ head: Data) -> Bool { head.isEmpty || matchesHead(head) }

  /// Whether a regular file begins as one of this kind, and is not empty.
  func matches(fileAt path: String) -> Bool {
    guard FileDigest.isRegularFile(path), let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: Self.headSize)) ?? Data()
    return !head.isEmpty && matchesHead(head)
  }

  /// The number of first bytes that ``matches(_:)`` needs. The writers put the attributes of the
  /// root group at the beginning of a file.
  static let headSize = 1 << 20
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
