import Foundation

/// Recognises a damaged history in a file that SQLite refuses: its head is lost, but the rest is that of
/// a history. A full disk or a broken cache may leave only zeros.
struct HistoryRemains {
  private let bytes: Data
  private let isZeros: Bool

  private static let magic = Data("SQLite format 3\0".utf8)
  /// <https://www.sqlite.org/fileformat.html>, "Application ID".
  private static let applicationOffset = 68
  /// The default size of SQLite's pages.
  private static let page = 4096
  /// The number of bytes to search.
  private static let most = 4 << 20

  init(_ file: Data) {
    bytes = file.prefix(Self.most)
    isZeros = !file.isEmpty && file.allSatisfy { $0 == 0 }
  }

  var areOfHistory: Bool {
    bytes.starts(with: Self.magic) || isZeros || Self.hasApplication(bytes) || hasTables
      || hasPageOfFigures
  }

  /// - Parameter head: the first 100 bytes of a file.
  static func isOfAnotherProgram(_ head: Data) -> Bool {
    head.count == 100 && head.starts(with: magic) && !hasApplication(head)
  }

  private static func hasApplication(_ bytes: Data) -> Bool {
    let number = withUnsafeBytes(of: UInt32(HistorySchema.application).bigEndian) { Data($0) }
    return bytes.dropFirst(applicationOffset).starts(with: number)
  }

  /// The first page has the statements of the tables. A dump has them too, but no zero bytes.
  private var hasTables: Bool {
    bytes.range(of: Data(HistorySchema.tableOfFigures.utf8)) != nil && bytes.contains(0)
  }

  /// A leaf of an index ("B-tree Pages", byte 0) with fewer than 1024 cells (bytes 3 and 4).
  private var hasPageOfFigures: Bool {
    guard bytes.count % Self.page == 0 else { return false }
    return stride(from: Self.page, to: bytes.count, by: Self.page).contains { start in
      let page = bytes[start..<start + Self.page]
      return page[start] == 10 && page[start + 3] < 4
        && HistoryFigure.Kind.allCases.contains { page.range(of: Data($0.rawValue.utf8)) != nil }
    }
  }
}
