import Foundation
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct FullDiskTests {
  /// Wherever the space ends, the writer reports it and leaves no file; with enough space it
  /// succeeds.
  ///
  /// A limit on the size of files simulates a full disk: the same calls fail. It holds for a whole
  /// process, so the test runs in a separate one.
  @Test func aFullDiskIsReported() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try NativeTestFolder()
      try NativeTrace.write(.sampler, to: folder.file("whole.h5"))
      let size = try folder.bytes("whole.h5").count
      for limit in Array(stride(from: 0, to: size, by: 1024)) + [size - 1] {
        limitFileSize(limit)
        let error = #expect(throws: TraceError.self, "room for \(limit) of \(size) bytes") {
          try NativeTrace.write(.sampler, to: folder.file("a.h5"))
        }
        #expect(error?.kind == .inputOutput)
        #expect(error?.found.hasSuffix(": File too large") == true, "\(limit)")
        #expect(try folder.content == ["whole.h5"])
      }
      limitFileSize(size)
      try NativeTrace.write(.sampler, to: folder.file("a.h5"))
      #expect(try folder.bytes("a.h5") == folder.bytes("whole.h5"))
    }
  }
}

/// Lets this process write no file beyond `size` bytes.
private func limitFileSize(_ size: Int) {
  var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t.max)
  #if canImport(Glibc)
    let result = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    let result = setrlimit(RLIMIT_FSIZE, &limit)
  #endif
  precondition(result == 0)
}
