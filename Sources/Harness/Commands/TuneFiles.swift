import Reports
import Diagnostics
import Detectors
import Foundation
import HDF5
import Evaluation
import TraceFormats
import Tuning

/// The files that `tune` writes, checked before the work.
struct TuneFiles {
  private let output: String?
  private let results: String?
  private let picture: String?

  init(output: String?, results: String?, picture: String?, inputs: [String]) throws {
    self.output = try output.map { try OutputFile.checked($0, .parameters, inputs: inputs) }
    self.results = try results.map { try OutputFile.checked($0, .tuning, inputs: inputs) }
    self.picture = try picture.map { try PictureDrawer.checkedOutput($0, inputs: inputs) }
    let all = [self.output, self.results, self.picture].compactMap(\.self)
    for (index, file) in all.enumerated() {
      if let same = all.dropFirst(index + 1).first(where: { OutputFile.isSame(file, $0) }) {
        throw Failure(.wrongUse, "\(same): two outputs have this name; name two files")
      }
    }
  }

  /// Writes no parameter file if nothing is better than the null detector: a reader would use it.
  func write(_ exports: TuneExports, drawer: PictureDrawer?, terminal: Terminal) throws {
    var written: [String] = []
    if let results {
      try OutputFile.makeParent(of: results)
      do {
        try TuningFile.write(exports, to: results)
      } catch {
        throw Failure(
          .fileError, "\(results): the results cannot be written: \(error.summary)")
      }
      written.append("results in \(results)")
    }
    if let picture, let drawer {
      if exports.outcome.result.choice != nil {
        try drawer.draw(exports.json(), to: picture)
        written.append("picture in \(picture)")
      } else {
        terminal.warn("warning: \(picture): nothing was chosen, so no picture is drawn")
      }
    }
    if let output, exports.outcome.result.verdict.isBetterThanNull {
      try OutputFile.prepared(exports.parameterFile(), at: output).commit()
      written.append("parameters in \(output)")
    }
    if !written.isEmpty { terminal.say(written.joined(separator: ", ")) }
  }
}
