import Foundation
import Synthesis
import TestSupport
import Testing
import TraceFormats
import TraceModel

/// The simulated traces of the repository, which are those that the program makes: `CorpusTests` and
/// `SynthCommandTests` say so.
enum CorpusFile {
  static func trace(_ spec: ScenarioSpec) throws -> Trace {
    try NativeTrace.read(Fixtures.traces.appending(path: "synthetic/\(spec.id).h5").path)
  }

  /// Returns the first of a kind.
  static func trace(_ kind: ScenarioKind) throws -> Trace {
    let spec = try #require(Synthesizer.corpus.first { $0.kind == kind })
    return try trace(spec)
  }
}
