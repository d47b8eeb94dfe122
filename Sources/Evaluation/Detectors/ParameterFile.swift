package import Detectors

/// A file with the parameters of a detector and their origin. `tune` writes it, `--parameters`
/// reads it.
///
/// Tuned and stated values come from the file. The other values come from the preset, and some
/// depend on the recording. The file holds them to detect a change of the preset.
package struct ParameterFile: Decodable, Sendable {
  package static let schema = "shadowbox-parameters/1"

  package enum Origin: String, Codable, Sendable {
    case tuned
    /// Stated on the command line or in the suite.
    case stated
    /// The preset's value for a recording without special attributes.
    case preset
  }

  package struct Parameter: Codable, Sendable, Equatable {
    package var name: String
    package var value: ParameterValue
    /// The unit of the value; empty = none.
    package var unit: String
    package var origin: Origin
  }

  package var schema: String
  package var detector: String
  package var preset: String
  package var parameters: [Parameter]
  /// The rate in Hz of the slower sensor that they were tuned for; nil = as recorded.
  package var deviceRate: Double?

  package enum CodingKeys: String, CodingKey {
    case schema, detector, preset, parameters
    case deviceRate = "device_rate_hz"
  }
}
