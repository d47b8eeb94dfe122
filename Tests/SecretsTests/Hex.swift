@testable import Secrets

/// Returns the bytes of hexadecimal digits.
func hex(_ text: String) -> [UInt8] {
  let digits = Array(text.utf8).compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Returns the kind of error that a body throws; nil = none.
func kind(_ body: () throws(SecretsError) -> Void) -> SecretsError.Kind? {
  do throws(SecretsError) {
    try body()
    return nil
  } catch {
    return error.kind
  }
}
