import Detectors
import Diagnostics
import Evaluation
import Files
import Foundation
import TraceModel

extension ParameterFile {
  /// - Throws: also if the file is larger than 8 MiB: a tuning with thousands of recordings writes a few.
  static func read(_ path: String) throws -> ParameterFile {
    try parse(smallFile(path, .parameters, mebibytes: 8), path)
  }

  static func parse(_ bytes: Data, _ path: String) throws -> ParameterFile {
    let file: ParameterFile = try decoded(
      bytes, path, "a parameter file (the JSON that tune writes)", schema: schema, \.schema)
    var seen: Set<String> = []
    for parameter in file.parameters {
      try requireData(
        seen.insert(parameter.name).inserted, "\(path): duplicate parameter \(parameter.name)")
    }
    try requireData(
      file.deviceRate.map { $0 > 0 } ?? true,
      "\(path): expected a device_rate_hz above 0, found \(number(file.deviceRate ?? 0))")
    return file
  }

  /// The name of an entry with the parameters of a file, e.g. `punch/default + tuned.json`.
  static func title(of choice: DetectorChoice, _ path: String) -> String {
    "\(choice.title) + \(TracePath.lastName(path))"
  }

  private func requireStated(_ stated: String?, _ path: String) throws {
    let title = DetectorChoice(detector: detector, preset: preset).title
    try requireUse(
      stated != nil || !detector.hasPrefix(AnyDetector.externalPrefix),
      "\(path): the parameters are for the program \(detector), which a parameter file does not start; "
        + "check the program, and name it with --detector '\(detector)'")
    // By bytes: two programs may have names that are equal as strings.
    try requireUse(
      stated.map { [detector, title].map { Array($0.utf8) }.contains(Array($0.utf8)) } ?? true,
      "\(path): the parameters are for detector \(title), not for \(stated ?? "")")
  }

  /// Returns the choice that the file describes.
  /// - Parameters:
  ///   - stated: the detector that the command line or the suite names, with or without a preset;
  ///     nil = none. A program is started only if it is stated, never by a file alone.
  ///   - folder: the base of the path of an `exec:` program.
  /// - Throws: if the file is for another detector, if the detector or a parameter is not known, or if
  ///   the preset has changed.
  func choice(
    _ path: String, stated: String?, registry: DetectorRegistry, relativeTo folder: String = "."
  ) throws -> DetectorChoice {
    try requireStated(stated, path)
    do {
      let registered = try registry.detector(named: detector, place: path, relativeTo: folder)
      var choice = DetectorChoice(detector: detector, preset: preset)
      let own = try registered.parameters(of: choice, place: path)
      for parameter in parameters {
        guard let now = own.first(where: { $0.name == parameter.name }) else {
          throw Failure.unknown(
            "parameter of detector \(detector)", parameter.name, known: own.map(\.name),
            place: path)
        }
        try requireData(
          parameter.unit == now.unit,
          "\(path): parameter \(parameter.name): expected unit \"\(now.unit)\", found "
            + "\"\(parameter.unit)\"")
        if parameter.origin != .preset {
          choice.overrides[parameter.name] = try registered.setting(
            parameter.name, "\(parameter.value)", place: path)
        } else if parameter.value != now.value {
          throw badData(
            "\(path): expected \(parameter.name) \(parameter.value) in preset "
              + "\(detector)/\(preset), found \(now.value): the preset has changed. Tune again, or set "
              + "\"origin\": \"stated\" for this parameter")
        }
      }
      _ = try registered.parameters(of: choice, place: path)
      return choice
    } catch let error as Failure where error.kind == .wrongUse {
      // A wrong name is wrong use on a command line, but bad data in a file.
      throw badData(error.description)
    }
  }
}

/// Decodes a JSON file.
/// - Parameters:
///   - expected: the kind of file, for messages.
///   - schema: the schema that the file has to state.
func decoded<File: Decodable>(
  _ bytes: Data, _ path: String, _ expected: String, schema: String, _ stated: (File) -> String
) throws -> File {
  let file: File
  do {
    file = try JSONDecoder().decode(File.self, from: withoutByteOrderMark(bytes))
  } catch {
    throw badData("\(path): expected \(expected), found \(decodingReason(error))")
  }
  try requireData(
    stated(file) == schema, "\(path): expected schema \(schema), found \(stated(file))")
  return file
}

/// Describes a decoding error in one phrase.
func decodingReason(_ error: any Error) -> String {
  func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? "" : " in \(path)"
  }
  switch error as? DecodingError {
  case .keyNotFound(let key, let context):
    return "no key \(key.stringValue)\(place(context))"
  case .typeMismatch(_, let context), .valueNotFound(_, let context):
    return "a wrong type\(place(context))"
  case .dataCorrupted(let context): return "invalid JSON\(place(context))"
  default: return "invalid JSON"
  }
}
