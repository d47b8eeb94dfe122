/// The form in which a result is printed.
package enum OutputFormat: String, CaseIterable, Sendable {
  case table, json, csv
}
