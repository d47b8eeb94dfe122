import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Silence for years after the last reading is no time without a false alarm.
@Suite struct ImplausibleEndTests {
  /// The bench's trace of 2 s with another end.
  private func bench(end: Int64) throws -> Workbench {
    let bench = try Workbench()
    var trace = try NativeTrace.read(bench.scratch.path("short.h5"))
    trace.header.end = TraceInstant(nanoseconds: end)
    try NativeTrace.write(trace, to: bench.scratch.path("odd.h5"))
    return bench
  }

  @Test func itIsNoExposure() throws {
    let bench = try bench(end: .max)
    let sweep = try bench.shell(#""$0" sweep odd.h5 --detector punch"#)
    #expect(
      sweep.errors.contains(
        "odd.h5: its stated end at 9223372036.9 s is far beyond its last reading; only 2.0 s count")
    )
    #expect(sweep.output.hasPrefix("punch/default on odd.h5: 1 trace, 0.001 h"))
    let score = try bench.shell(
      #"printf 'filename,onset\nodd,1\n' >found.csv; "$0" score --reference odd.h5 --detections found.csv"#
    )
    #expect(score.errors.contains("only 2.0 s count"))
    let replay = try bench.shell(#""$0" replay odd.h5 --detector punch"#)
    #expect(replay.errors.contains(" events in 2.0 s of trace"))
    let paced = try bench.shell(#""$0" bench odd.h5 --detector punch --duration 0.2s"#)
    #expect(paced.errors.contains("only 2.0 s count") && [0, 3].contains(paced.status))
  }

  /// A device that went away is silent, too.
  @Test func aDayIsPlausible() throws {
    let sweep = try bench(end: 86_401_000_000_000).shell(
      #""$0" sweep odd.h5 --detector punch"#)
    #expect(!sweep.errors.contains("far beyond"))
    // It is silent for all but the first two seconds.
    #expect(sweep.output.hasPrefix("punch/default on odd.h5: 1 trace, 0.001 h"))
  }
}
