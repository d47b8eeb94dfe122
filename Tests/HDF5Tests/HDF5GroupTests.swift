import Foundation
import Testing

@testable import HDF5

@Suite struct HDF5GroupTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ body: (HDF5Group) throws -> Void) throws -> HDF5Group {
    let path = folder.file("a.h5")
    let file = try HDF5File.create(atomicallyAt: path)
    try body(file.root())
    try file.commit()
    return try HDF5File.open(path).root()
  }

  @Test func linksAreSorted() throws {
    let root = try file { root in
      for name in ["b", "a", "ä", "c d", "Z"] { _ = try root.createGroup(name) }
      _ = try root.createDataset("x", of: Int8.self, shape: [1])
      #expect(throws: HDF5Error.self) { try root.createGroup("a") }
    }
    #expect(try root.links() == ["Z", "a", "b", "c d", "x", "ä"])
    #expect(try root.kind(of: "a") == .group)
    #expect(try root.kind(of: "x") == .dataset)
    #expect(try root.kind(of: "absent") == nil)
    #expect(throws: HDF5Error.self) { try root.openGroup("x") }
    #expect(throws: HDF5Error.self) { try root.openDataset("a") }
    let error = #expect(throws: HDF5Error.self) { try root.openGroup("b").openDataset("y") }
    #expect(error?.object == "/b/y")
  }

  @Test func moreLinksThanAHeaderHoldsComeBack() throws {
    let names = (0..<200).map { "run \($0)" }
    let root = try file { for name in names { _ = try $0.createGroup(name) } }
    #expect(try root.links() == names.sorted())
  }

  @Test(arguments: ["", ".", "a/b", "/", "a\0b"])
  func invalidNamesAreErrors(name: String) throws {
    _ = try file { root in
      #expect(throws: HDF5Error.self) { try root.createGroup(name) }
      #expect(throws: HDF5Error.self) { try root.createDataset(name, of: Int8.self, shape: [1]) }
    }
  }

  @Test(arguments: ["", "m s-2", "Zürich 🥊", " blanks ", String(repeating: "long ", count: 20_000)])
  func textsComeBack(text: String) throws {
    let root = try file { try $0.setAttribute("text", text) }
    #expect(try root.textAttribute("text") == text)
  }

  @Test func numbersComeBack() throws {
    let root = try file {
      try $0.setAttribute("byte", Int8.min)
      try $0.setAttribute("int", Int32.max)
      try $0.setAttribute("long", Int64.min)
      try $0.setAttribute("seed", UInt64.max)
      try $0.setAttribute("float", Float.pi)
      try $0.setAttribute("double", Double.pi)
      try $0.setAttribute("codes", [0, 1, -1] as [Int8])
      try $0.setAttribute("none", [] as [Int8])
      try $0.setAttribute("double", 2.5)
    }
    #expect(try root.attribute("byte") == Int8.min)
    #expect(try root.attribute("int") == Int32.max)
    #expect(try root.attribute("long") == Int64.min)
    #expect(try root.attribute("seed") == UInt64.max)
    #expect(try root.attribute("float") == Float.pi)
    #expect(try root.attribute("double") == 2.5)
    #expect(try root.attributeArray("codes") == [0, 1, -1] as [Int8])
    #expect(try root.attributeArray("none") == [] as [Int8])
    #expect(
      try root.attributeNames() == [
        "byte", "codes", "double", "float", "int", "long", "none", "seed",
      ])
  }

  @Test func attributesOfAnotherKindAreErrors() throws {
    let root = try file { root in
      try root.setAttribute("text", "1")
      try root.setAttribute("codes", [0, 1] as [Int8])
      #expect(throws: HDF5Error.self) { try root.setAttribute("nul", "a\0b") }
      #expect(throws: HDF5Error.self) { try root.setAttribute("", "a") }
    }
    #expect(try root.textAttribute("absent") == nil)
    #expect(try root.attribute("absent", as: Int8.self) == nil)
    #expect(throws: HDF5Error.self) { try root.attribute("text", as: Int8.self) }
    #expect(throws: HDF5Error.self) { try root.textAttribute("codes") }
    let error = #expect(throws: HDF5Error.self) { try root.attribute("codes", as: Int8.self) }
    #expect(error?.object == "/@codes")
    #expect(error?.reason == "expected one number, found 2")
  }

  @Test func scalesMustHaveTheLengthOfTheirDimension() throws {
    _ = try file { root in
      let time = try root.createDataset("time", of: Int64.self, shape: [3])
      let x = try root.createDataset("x", of: Float.self, shape: [3])
      let y = try root.createDataset("y", of: Float.self, shape: [4])
      try root.attachScales([(x, [time])])
      #expect(throws: HDF5Error.self) { try root.attachScales([(y, [time])]) }
      #expect(throws: HDF5Error.self) { try root.attachScales([(x, [time, time])]) }
      #expect(try time.attributeNames() == ["CLASS", "NAME", "REFERENCE_LIST"])
      #expect(try time.textAttribute("CLASS") == "DIMENSION_SCALE")
      #expect(try time.textAttribute("NAME") == "time")
      #expect(try x.attributeNames() == ["DIMENSION_LIST", "_FillValue"])
    }
  }
}
