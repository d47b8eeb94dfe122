import Detectors
import TraceModel

/// What a detector can be told: its presets and its parameters, whatever sort of detector it is.
struct DetectorRules<Parameters: Sendable>: Sendable {
  let name: String
  let presets: [DetectorPreset<Parameters>]
  let fields: [ParameterField<Parameters>]

  /// Name and summary of each preset.
  var presetInfos: [RegisteredDetector.PresetInfo] {
    presets.map { .init(name: $0.name, summary: $0.summary) }
  }

  /// Each parameter with its default.
  var parameterInfos: [RegisteredDetector.ParameterInfo] {
    guard let first = presets.first else { return [] }
    let plain = first.parameters(for: TraceHeader(id: "", origin: .recorded))
    return fields.map {
      .init(
        name: $0.name, summary: $0.summary, kind: $0.kind, defaultValue: $0.value(in: plain))
    }
  }

  /// The parameters of `choice` on a trace.
  /// - Parameter place: where the choice was written, for the message.
  func resolve(
    _ choice: DetectorChoice, for header: TraceHeader, place: String = ""
  ) throws -> Parameters {
    guard let preset = presets.first(where: { $0.name == choice.preset }) else {
      throw CommandError.unknown(
        "preset of detector \(name)", choice.preset, known: presets.map(\.name), place: place)
    }
    var parameters = preset.parameters(for: header)
    for (parameter, text) in choice.overrides.sorted(by: { $0.key < $1.key }) {
      guard let field = fields.first(where: { $0.name == parameter }) else {
        throw CommandError.unknown(
          "parameter of detector \(name)", parameter, known: fields.map(\.name), place: place)
      }
      do {
        try field.set(field.kind.parse(text, name: parameter), in: &parameters)
      } catch {
        throw CommandError(.wrongUse, (place.isEmpty ? "" : place + ": ") + error.description)
      }
    }
    return parameters
  }

  /// The same with their names, values and units.
  func resolved(
    _ choice: DetectorChoice, for header: TraceHeader, place: String
  ) throws -> [ResolvedParameter] {
    let parameters = try resolve(choice, for: header, place: place)
    return fields.map { field in
      var unit = ""
      if case .number(let parameterUnit, _) = field.kind { unit = parameterUnit.rawValue }
      return ResolvedParameter(name: field.name, value: field.value(in: parameters), unit: unit)
    }
  }
}
