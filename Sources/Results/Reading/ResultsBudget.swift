import Files
import HDF5
import Scoring
import TraceFormats
import TraceModel

/// What the contents of a file may take in memory: columns of equal values pack a thousandfold, and a
/// figure or an event takes far more than its value.
final class ResultsBudget {
  static let bytesOfFigure = 1_000
  static let bytesOfRun = 4_000
  static let bytesOfEvent = 500
  /// The events of a table that the bytes of its attributes pay for.
  static let freeEvents = 1_000

  private let path: String
  private let size: Int
  private var taken = 0

  init(_ path: String) {
    self.path = path
    size = TracePath.size(of: path)
  }

  func take(_ bytes: Int) throws(HDF5Error) {
    taken += bytes
    do throws(TraceError) {
      try ReaderBudget.requireUnpacked(
        taken, from: size, each: ReaderBudget.columnsForEach, path, remedy: ReaderBudget.repack)
    } catch {
      throw HDF5Error(
        operation: "H5Dread", file: path,
        reason: "expected \(error.expected), found \(error.found)", remedy: error.remedy)
    }
  }

  func taking(_ figures: [Figure]) throws(HDF5Error) -> [Figure] {
    try take(figures.count * Self.bytesOfFigure)
    return figures
  }
}
