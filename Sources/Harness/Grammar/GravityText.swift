import Detectors
import Evaluation

/// The gravity filter as text, on the command line and in suites: `lowpass`, or `lowpass:0.7s,0.4g`
/// with its time constant and its freeze band.
enum GravityText {
  static let expectation =
    "lowpass or lowpass:<time constant>,<freeze band>, e.g. lowpass:0.7s,0.4g"

  /// The parameters of the filter; nil = the text is no such filter.
  static func parameters(_ text: String) -> GravityFilter.Parameters? {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let values = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
    guard parts.first == "lowpass", values.count <= 2 else { return nil }
    var parameters = GravityFilter.Parameters()
    if let text = values.first {
      guard let value = Quantity.value(of: text, unit: .seconds), value > 0 else { return nil }
      parameters.timeConstant = value
    }
    if values.count > 1 {
      guard let value = Quantity.value(of: values[1], unit: .metersPerSecondSquared), value >= 0
      else { return nil }
      parameters.freezeBand = value
    }
    return parameters
  }
}
