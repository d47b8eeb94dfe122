/// The name and version of this program, for results.
package enum Tool {
  package static let name = "shadowbox"
  package static let version = "0.1.0"
}
