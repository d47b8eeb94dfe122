import Foundation
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct NativeTraceTests {
  private let folder: NativeTestFolder

  init() throws { folder = try NativeTestFolder() }

  @Test func everythingComesBack() throws {
    let trace = Trace.sampler
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    let back = try NativeTrace.read(folder.file("a.h5"))
    #expect(fingerprint(back) == fingerprint(trace))
    #expect(try folder.content == ["a.h5"])
    #expect(try NativeTrace.open(folder.file("a.h5")).unread == [])
    #expect(try NativeTrace.readHeader(folder.file("a.h5")).id == "sampler")
  }
}
