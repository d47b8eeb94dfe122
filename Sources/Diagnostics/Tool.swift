/// This program, as results name it.
package enum Tool {
  package static let name = "shadowbox"
  package static let version = "0.1.0"
}
