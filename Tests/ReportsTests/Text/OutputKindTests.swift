import Foundation
import Testing

@testable import Reports

@Suite struct OutputKindTests {
  @Test func kindsAreRecognisedByTheirFirstBytes() {
    let hdf5 = Data([0x89]) + Data("HDF\r\n\u{1A}\n".utf8)
    #expect(OutputKind.trace.matches(hdf5 + Data("schema shadowbox-trace/1".utf8)))
    #expect(!OutputKind.trace.matches(hdf5 + Data("schema shadowbox-results/1".utf8)))
    #expect(!OutputKind.trace.matches(Data("shadowbox-trace/1".utf8)))
    #expect(OutputKind.parameters.matches(Data("{\"schema\": \"shadowbox-parameters/1\"}".utf8)))
    #expect(!OutputKind.parameters.matches(Data("{}".utf8)))
    #expect(OutputKind.picture.matches(Data("%PDF-1.4".utf8)))
    #expect(!OutputKind.picture.matches(Data("old".utf8)))
    #expect(OutputKind.timing.matches(Data()))
  }
}
