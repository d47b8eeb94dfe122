import Digests
import Evaluation
import Diagnostics
import Foundation
import TraceFormats
import TraceModel

/// What `run` runs: a suite, or traces with one detector.
extension RunCommand {
  /// Reads the suite, or makes one of the traces that the command line names.
  func readSuite() throws -> Suite {
    guard isOfTraces else {
      guard inputs.count == 1 else {
        throw Failure(
          .wrongUse,
          "expected one suite, or traces and folders of them, found \(inputs.count) files that are no "
            + "traces")
      }
      guard !detector.isNamed, detector.gravityFilter == nil else {
        throw Failure(
          .wrongUse,
          "--detector, --parameters and --gravity-filter: expected traces, found suite \(inputs[0]), "
            + "whose entries name them")
      }
      try detector.external.apply(to: Harness.registry)
      return try SuiteParser.read(inputs[0], registry: Harness.registry)
    }
    return try suite(of: TraceArguments.files(inputs))
  }

  /// Whether the inputs are traces. A suite may have any name.
  private var isOfTraces: Bool {
    inputs.contains { path in
      TraceArguments.isFolder(path)
        || ["h5", "hdf5"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    }
  }

  private func suite(of files: [String]) throws -> Suite {
    let header =
      detector.detector == nil
      ? try NativeFile.read(files[0]).header : TraceHeader(id: "", origin: .recorded)
    let choice = try detector.choice(for: header, registry: Harness.registry)
    let entry = Suite.Entry(
      name: choice.title, choice: choice, traces: ["traces"],
      gravityFilter: try detector.gravityParameters(), place: "--detector")
    let digest = SHA256Digest()
    digest.update(
      ([choice.title] + detector.parameters + [detector.gravityFilter ?? ""] + files)
        .joined(separator: "\n"))
    return Suite(
      name: "command line", path: "command line", sha256: digest.finish(),
      traceSets: [Suite.TraceSet(name: "traces", files: files)], entries: [entry])
  }
}
