import Foundation
import Synthesis
import TestSupport
import Testing
import TraceFormats
import TraceModel

@Suite struct SynthCommandTests {
  /// The traces of the repository are those that the program makes, as `make traces` does: to the bit,
  /// on every machine.
  @Test func theCorpusIsTheCommittedOne() throws {
    let scratch = try Scratch()
    let outcome = try Program.run(["synth", "--corpus", "-o", "made", "--quiet"], in: scratch.url)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    let names = Synthesizer.corpus.map { "\($0.id).h5" }
    let made = try FileManager.default.contentsOfDirectory(atPath: scratch.path("made"))
    #expect(made.sorted() == names.sorted())
    for name in names {
      let committed = Fixtures.traces.appending(path: "synthetic/\(name)")
      // Equal files are equal traces. Other versions of libhdf5 and zlib write other files.
      if try Data(contentsOf: committed) == scratch.bytes(of: "made/\(name)") { continue }
      let (made, file) = try (
        NativeTrace.read(scratch.path("made/\(name)")), NativeTrace.read(committed.path)
      )
      #expect(made.header == file.header, "\(name)")
      for channel in Channel.allCases {
        #expect(made[channel] == file[channel], "\(name): \(channel.name)")
      }
    }
  }
}
