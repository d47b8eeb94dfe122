import Detectors
import Diagnostics
import Digests
import Evaluation
import Files
import Foundation
import Reports

/// A file written by `enroll`, as the value of a parameter.
///
/// Its name may be followed by `#` and the beginning of the SHA-256 that it must have. A run stores the
/// name in this form.
struct ProfileFile: Decodable {

  private var schema: String
  private var detector: String
  private(set) var people: [String: PersonProfile]

  /// - Parameters:
  ///   - text: the name, relative to `folder`.
  ///   - place: the option or the line of a suite that names it.
  static func read(
    _ text: String, for detector: AnyDetector, relativeTo folder: String = ".", place: String
  ) throws -> ProfileSet {
    let parts = Self.parts(of: text, relativeTo: folder)
    guard let name = parts.first, let learning = detector.learning else {
      throw wrongUse("\(place): expected a file written by enroll, found \"\(text)\"")
    }
    let path = Self.path(of: name, relativeTo: folder)
    return try Failure.placing(place) {
      let bytes = try smallFile(path, .profiles, mebibytes: 64)
      let digest = SHA256Digest.hex(of: Array(bytes))
      let short = digest.prefix(12)
      try requireData(
        parts.count == 1 || digest.hasPrefix(parts[1]),
        "\(path): expected a SHA-256 that begins with \(parts.last ?? ""), found \(short): the file has "
          + "changed. Use the earlier file, or leave out #\(parts.last ?? "")")
      let file = try parse(bytes, path)
      try file.check(detector, learning, path)
      return ProfileSet(source: "\(name)#\(short)", people: file.people)
    }
  }

  private static func path(of name: String, relativeTo folder: String) -> String {
    name.hasPrefix("/") || folder == "." ? name : folder + "/" + name
  }

  /// The name, and the beginning of the digest if there is one. A file may have a # in its name.
  private static func parts(of text: String, relativeTo folder: String) -> [String] {
    guard let mark = text.lastIndex(of: "#"),
      !FileManager.default.fileExists(atPath: path(of: text, relativeTo: folder))
    else { return text.isEmpty ? [] : [text] }
    return [String(text[..<mark]), String(text[text.index(after: mark)...])]
  }

  static func parse(_ bytes: Data, _ path: String) throws -> ProfileFile {
    try decoded(
      bytes, path, "a file written by enroll (JSON with schema, detector and people)",
      schema: DocumentSchema.profiles.rawValue, \.schema)
  }

  private func check(_ detector: AnyDetector, _ learning: Learning, _ path: String) throws {
    try requireData(
      self.detector == detector.name,
      "\(path): expected profiles for \(detector.name), found profiles for \(self.detector)")
    try requireData(
      !people.isEmpty, "\(path): expected the profile of a person, found none; enroll again")
    for (subject, profile) in people.sorted(by: { $0.key < $1.key }) {
      for (name, model) in profile.models.sorted(by: { $0.key < $1.key })
      where learning.sizes[name] != model.features {
        throw badData(
          "\(path): subject \(subject): expected models of "
            + learning.sizes.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value) features)" }
            .joined(separator: ", ") + ", found \(name) with \(model.features); enroll again")
      }
    }
  }
}

extension AnyDetector {
  /// Parses a value of a parameter, and reads the file that it names.
  /// - Parameter folder: the folder that such a name is relative to.
  func setting(
    _ parameter: String, _ text: String, relativeTo folder: String = ".", place: String
  ) throws -> ParameterValue {
    guard parameters.contains(where: { $0.name == parameter && $0.kind == .profiles }) else {
      return try value(of: parameter, text, place: place)
    }
    return .profiles(
      try ProfileFile.read(text, for: self, relativeTo: folder, place: "\(place): \(parameter)"))
  }
}
