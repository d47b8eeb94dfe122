import Testing

@testable import Reports

@Suite struct ModuleExportsTests {
  /// Empty types pack a thousandfold, and each takes an array.
  @Test(arguments: [(1_000, true), (100_001, false)])
  func countsAreLimited(count: Int, isRead: Bool) {
    func number(_ value: Int) -> [UInt8] {
      [UInt8(value & 0x7F) | 0x80, UInt8(value >> 7 & 0x7F) | 0x80, UInt8(value >> 14 & 0x7F)]
    }
    let types = number(count) + (0..<count).flatMap { _ in [0x60, 0, 0] as [UInt8] }
    let module = [0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0, 1] + number(types.count) + types
    #expect((ModuleExports(module) != nil) == isRead)
  }
}
