import Foundation
import HDF5
import Testing

@testable import Results

/// A small file of results whose contents would fill the memory.
@Suite struct ResultsBudgetTests {
  @Test(arguments: [(1_000, true), (100_000, false)])
  func figuresArePaidWithBytes(count: Int, isRead: Bool) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "budget-\(UUID()).h5").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let values = Array(repeating: 0.5 as Double?, count: count)
    let points = HDF5Contents.table("run", [.floats("recall", values, unit: "1")])
    let all = HDF5Contents(groups: [("operating_points", points)])
    try HDF5Contents(groups: [("sweep", HDF5Contents(groups: [("all", all)]))])
      .write(to: path, schema: "shadowbox-sweep/2", dataCommit: "")
    let size = try Data(contentsOf: URL(filePath: path)).count
    #expect(size < 250_000)
    let outcome = Result { try ResultsContents.reading(path) }
    if isRead {
      #expect(try outcome.get().rows.count == count)
    } else {
      let text = #expect(throws: (any Error).self) { try outcome.get() }.map { "\($0)" } ?? ""
      #expect(
        text.contains("expected at most 32 MiB plus 200 bytes for each packed byte"), "\(text)")
    }
  }
}
