import Foundation
import Testing

@testable import HDF5

@Suite struct HDF5DatasetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a file by `body` and opens it.
  private func file(_ body: (HDF5Group) throws -> Void) throws -> HDF5Group {
    let path = folder.file("a.h5")
    let file = try HDF5File.create(atomicallyAt: path)
    try body(file.root())
    try file.commit()
    return try HDF5File.open(path).root()
  }

  private func expectRoundTrip<Number: HDF5Number & Equatable>(_ values: [Number]) throws {
    let layouts: [HDF5Layout] = [.contiguous, .chunked([2], level: 9), .chunked([3], level: 0)]
    for layout in layouts {
      let root = try file {
        try $0.createDataset("x", of: Number.self, shape: [values.count], layout: layout)
          .write(values)
      }
      let dataset = try root.openDataset("x")
      #expect(dataset.shape == [values.count])
      #expect(try dataset.read(Number.self) == values, "\(layout)")
      #expect(try dataset.read(1..<3, as: Number.self) == Array(values[1..<3]))
    }
  }

  @Test func everyNumberComesBack() throws {
    try expectRoundTrip([Int8.min, -1, 0, 1, .max])
    try expectRoundTrip([Int32.min, -1, 0, 1, .max])
    try expectRoundTrip([Int64.min, -1, 0, 1, .max])
    try expectRoundTrip([UInt64.min, 1, 1 << 63, .max])
    try expectRoundTrip([
      -Float.infinity, -0.0, Float.leastNonzeroMagnitude, .pi, .greatestFiniteMagnitude,
    ])
    try expectRoundTrip([
      -Double.infinity, -0.0, Double.leastNonzeroMagnitude, .pi, .greatestFiniteMagnitude,
    ])
  }

  @Test func blocksOfTwoDimensionsComeBack() throws {
    let root = try file {
      let dataset = try $0.createDataset(
        "x", of: Int32.self, shape: [3, 4], layout: .chunked([2, 2], level: 4))
      try dataset.write((0..<12).map { Int32($0) })
      try dataset.write([-1, -2] as [Int32], at: [1, 1], count: [1, 2])
    }
    let dataset = try root.openDataset("x")
    #expect(try dataset.read() == [0, 1, 2, 3, 4, -1, -2, 7, 8, 9, 10, 11] as [Int32])
    var block = [Int32](repeating: 0, count: 5)
    try dataset.read(into: &block, at: [1, 2], count: [2, 2])
    #expect(block == [-2, 7, 10, 11, 0])
  }

  @Test func unwrittenElementsAreNaN() throws {
    let root = try file {
      let dataset = try $0.createDataset("x", of: Float.self, shape: [3])
      try dataset.write([2] as [Float], at: [1], count: [1])
      _ = try $0.createDataset("n", of: Int64.self, shape: [1])
    }
    let dataset = try root.openDataset("x")
    let values = try dataset.read(Float.self)
    #expect(values.map(\.isNaN) == [true, false, true])
    #expect(try dataset.attribute("_FillValue", as: Float.self)?.isNaN == true)
    #expect(try root.openDataset("n").attributeNames() == [])
  }

  @Test func anEmptyDatasetComesBack() throws {
    let root = try file {
      try $0.createDataset("x", of: Double.self, shape: [0]).write([] as [Double])
    }
    #expect(try root.openDataset("x").shape == [0])
    #expect(try root.openDataset("x").read(Double.self) == [])
  }

  @Test(arguments: [
    ([-1], [1]), ([0], [4]), ([3], [1]), ([4], [0]), ([.max], [1]), ([1], [.max]),
    ([0, 0], [1, 1]),
    ([], []),
  ])
  func blocksBeyondTheDatasetAreErrors(start: [Int], count: [Int]) throws {
    let root = try file {
      try $0.createDataset("x", of: Int8.self, shape: [3]).write([1, 2, 3] as [Int8])
    }
    var values = [Int8](repeating: 0, count: 10)
    #expect(throws: HDF5Error.self) {
      try root.openDataset("x").read(into: &values, at: start, count: count)
    }
  }

  @Test func arraysThatAreTooShortAreErrors() throws {
    let root = try file { root in
      let dataset = try root.createDataset("x", of: Int8.self, shape: [3])
      #expect(throws: HDF5Error.self) { try dataset.write([1, 2] as [Int8]) }
    }
    var values: [Int8] = [0]
    #expect(throws: HDF5Error.self) {
      try root.openDataset("x").read(into: &values, at: [0], count: [2])
    }
  }

  @Test func numbersOfAnotherKindAreErrors() throws {
    let root = try file {
      try $0.createDataset("integers", of: Int64.self, shape: [1]).write([1 << 40] as [Int64])
      try $0.createDataset("small", of: Int8.self, shape: [1]).write([-5] as [Int8])
      try $0.createDataset("floats", of: Double.self, shape: [1]).write([1.5])
    }
    let error = #expect(throws: HDF5Error.self) {
      try root.openDataset("integers").read(Double.self)
    }
    #expect(error?.reason == "expected 64-bit floats, found 64-bit integers")
    #expect(error?.object == "/integers")
    #expect(throws: HDF5Error.self) { try root.openDataset("integers").read(Int32.self) }
    #expect(throws: HDF5Error.self) { try root.openDataset("floats").read(Int64.self) }
    #expect(throws: HDF5Error.self) { try root.openDataset("small").write([300] as [Int64]) }
    #expect(throws: HDF5Error.self) { try root.openDataset("small").read(UInt64.self) }
    #expect(try root.openDataset("small").read(Int64.self) == [-5])
    #expect(try root.openDataset("floats").read(Float.self) == [1.5])
  }

  /// A dataset may claim any size; only the stored bytes count.
  @Test func aSizeThatTheFileCannotHoldIsAnError() throws {
    let root = try file {
      _ = try $0.createDataset("x", of: Int8.self, shape: [1 << 40], layout: .contiguous)
      _ = try $0.createDataset(
        "y", of: Double.self, shape: [1 << 40, 1 << 40], layout: .chunked([8, 8], level: 1))
    }
    #expect(throws: HDF5Error.self) { try root.openDataset("x").checkStorage() }
    #expect(throws: HDF5Error.self) { try root.openDataset("y").read(Double.self) }
  }

  @Test func constantDataPassTheSizeCheck() throws {
    let values = [Double](repeating: 0, count: 3_000_000)
    let root = try file {
      try $0.createDataset("x", of: Double.self, shape: [values.count]).write(values)
    }
    #expect(try root.openDataset("x").read(Double.self) == values)
  }

  @Test func largeChunksAreErrors() throws {
    let root = try file {
      try $0.createDataset(
        "x", of: Int64.self, shape: [1 << 24], layout: .chunked([1 << 24], level: 1)
      ).write([Int64](repeating: 0, count: 1 << 24))
    }
    let error = #expect(throws: HDF5Error.self) { try root.openDataset("x").checkStorage() }
    #expect(error?.reason == "the file claims chunks of 134217728 bytes")
  }
}
