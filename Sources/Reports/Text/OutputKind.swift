package import Foundation

/// A kind of file that a command writes. A file of the same kind is replaced without a question.
package enum OutputKind: Sendable {
  case trace
  case results
  case sweep
  case tuning
  case parameters
  /// One channel of a trace as CSV.
  case channelTable
  /// The curves of a sweep as CSV.
  case curveTable
  case picture
  case detectionLog
  /// The histograms of a paced replay.
  case timing

  /// The endings of its files; empty if any ending is right.
  package var endings: [String] {
    switch self {
    case .trace, .results, .sweep, .tuning: ["h5", "hdf5"]
    case .parameters: ["json"]
    case .channelTable, .curveTable: ["csv"]
    case .picture: ["png", "svg", "pdf"]
    case .detectionLog, .timing: []
    }
  }

  /// The name for messages, with its article.
  package var title: String {
    switch self {
    case .trace: "a native trace"
    case .results: "a results file of Shadowbox"
    case .sweep: "a sweep of Shadowbox"
    case .tuning: "the results of a tuning"
    case .parameters: "a parameter file"
    case .channelTable: "a CSV file of a trace"
    case .curveTable: "a CSV file of a sweep"
    case .picture: "a picture"
    case .detectionLog: "a detection log"
    case .timing: "a file of histograms"
    }
  }

  /// Whether a file with these first bytes is of this kind. An empty file is of every kind.
  package func matches(_ head: Data) -> Bool {
    if head.isEmpty { return true }
    return switch self {
    case .trace: Self.isHDF5(head, schema: "shadowbox-trace/")
    case .results: Self.isHDF5(head, schema: "shadowbox-results/")
    case .sweep: Self.isHDF5(head, schema: "shadowbox-sweep/")
    case .tuning: Self.isHDF5(head, schema: "shadowbox-tuning/")
    case .parameters: head.contains("\"shadowbox-parameters/")
    case .channelTable: head.starts(with: Data("time_ns,".utf8))
    case .curveTable: head.starts(with: Data("settings,threshold,".utf8))
    case .picture: Self.pictureStarts.contains { head.starts(with: $0) }
    case .detectionLog: head.starts(with: Data("#".utf8))
    case .timing: head.starts(with: Data("# lateness".utf8))
    }
  }

  /// The number of first bytes that ``matches(_:)`` needs. The writers put the attributes of the
  /// root group at the beginning of a file.
  package static let headSize = 1 << 20

  private static let signature = Data([0x89]) + Data("HDF\r\n\u{1A}\n".utf8)

  /// Searches the bytes for the schema: libhdf5 can crash on a damaged file.
  private static func isHDF5(_ head: Data, schema: String) -> Bool {
    head.starts(with: signature) && head.contains(schema)
  }

  private static let pictureStarts = [
    Data([0x89]) + Data("PNG\r\n".utf8), Data("%PDF-".utf8), Data("<?xml".utf8), Data("<svg".utf8),
  ]
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
