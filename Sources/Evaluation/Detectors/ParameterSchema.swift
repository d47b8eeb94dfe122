import Diagnostics
package import Detectors
package import TraceModel

extension TraceHeader {
  /// The header of a recording without special attributes.
  package static let plain = TraceHeader(id: "", origin: .recorded)
}

/// The presets and parameters of a detector, built in or external.
package struct ParameterSchema<Parameters: Sendable>: Sendable {
  package let name: String
  package let presets: [DetectorPreset<Parameters>]
  package let fields: [ParameterField<Parameters>]
  private let usesProfile: @Sendable (Parameters) -> Bool

  package init(
    name: String, presets: [DetectorPreset<Parameters>], fields: [ParameterField<Parameters>],
    usesProfile: @escaping @Sendable (Parameters) -> Bool = { _ in true }
  ) {
    (self.name, self.presets) = (name, presets)
    (self.fields, self.usesProfile) = (fields, usesProfile)
  }

  /// Returns the parameters of `choice` on a trace.
  /// - Parameter place: the origin of the choice, for messages.
  package func resolve(
    _ choice: DetectorChoice, for header: TraceHeader, place: String = ""
  ) throws -> Parameters {
    guard let preset = presets.first(where: { $0.name == choice.preset }) else {
      throw Failure.unknown(
        "preset of detector \(name)", choice.preset, known: presets.map(\.name), place: place)
    }
    var parameters = preset.parameters(for: header)
    for (parameter, value) in choice.overrides.sorted(by: { $0.key < $1.key }) {
      guard let field = fields.first(where: { $0.name == parameter }) else {
        throw Failure.unknown(
          "parameter of detector \(name)", parameter, known: fields.map(\.name), place: place)
      }
      var value = value
      if case .profiles(let profiles) = value {
        // What one person has shown says nothing about another one.
        guard let own = profiles.only(header.subject) else { continue }
        value = .profiles(own)
      }
      do {
        try field.set(value, in: &parameters)
      } catch {
        throw Failure(.wrongUse, place: place, error.description)
      }
    }
    for case (let name, .profiles) in choice.overrides where !usesProfile(parameters) {
      throw Failure(
        .wrongUse, place: place,
        "parameter \(name): \(choice.title) does not use a profile with these parameters; leave it "
          + "out, or choose another preset")
    }
    return parameters
  }
}
