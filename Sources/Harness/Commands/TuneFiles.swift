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

  /// Writes no parameter file unless the result is better than the null detector.
  func write(
    _ outcome: TuneOutcome, _ report: TuneReport, drawer: PictureDrawer?, commandLine: [String],
    near place: String, terminal: Terminal
  ) throws {
    let tool = TuneExports.Tool(
      version: Harness.version, dataCommit: Toolchain.commit(near: place),
      commandLine: commandLine)
    if let results {
      try OutputFile.makeParent(of: results)
      do {
        try TuningFile.write(
          outcome.result, threshold: outcome.span.parameter, unit: outcome.span.unit.rawValue,
          provenance: tool.attributes(report), to: results)
      } catch {
        throw Failure(
          .fileError, "\(results): the results cannot be written: \(error.summary)")
      }
      terminal.say("results in \(results)")
    }
    if let picture, let drawer {
      if let content = outcome.picture {
        try drawer.draw(content, to: picture)
        terminal.say("picture in \(picture)")
      } else {
        terminal.warn("warning: \(picture): nothing was chosen, so no picture is drawn")
      }
    }
    if let output, outcome.result.verdict.isBetterThanNull {
      let text = try TuneExports(outcome: outcome, report: report).parameterFile(tool)
      try OutputFile.prepared(text, at: output).commit()
      terminal.say("parameters in \(output)")
    }
  }
}

extension TuneExports.Tool {
  /// The attributes of the results file.
  fileprivate func attributes(_ report: TuneReport) -> [(name: String, value: String)] {
    [
      ("tool_version", version), ("data_commit", dataCommit),
      ("command_line", commandLine.joined(separator: " ")),
      ("detector", report.detector), ("preset", report.preset), ("data", report.data),
      ("objective", report.objective), ("search", report.search.joined(separator: " ")),
      ("grouped_by", report.groupedBy),
      ("held_out_is_optimistic", report.isOptimistic ? "true" : "false"),
      ("verdict", report.verdict),
      ("seed", "\(report.seed)"), ("resamples", "\(report.resamples)"),
    ]
  }
}
