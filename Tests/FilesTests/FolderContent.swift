import Files
import Foundation

extension TemporaryFolder {
  func file(_ name: String) -> String { path + "/" + name }

  var content: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// The message of the error that `body` throws; nil = none.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
