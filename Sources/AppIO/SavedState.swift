public import AppEngines
import Digests
import Foundation
public import TraceModel

/// The bytes of an engine's saved state. Equal states have equal bytes.
public enum SavedState {
  static let schema = "shadowbox-app-state/1"

  private struct Envelope<Engine: AppEngine>: Codable {
    var schema = SavedState.schema
    var app = Engine.name
    var version = Engine.stateVersion
    var state: Engine
  }

  /// The fields that every version of a state has.
  private struct Label: Decodable {
    var schema: String
    var app: String
    var version: Int
  }

  /// Returns JSON with sorted keys and a last line with the SHA-256 of the rest.
  public static func bytes(
    of engine: some AppEngine, place: String = "the state"
  ) throws(TraceError) -> [UInt8] {
    do {
      return signed([UInt8](try encoder.encode(Envelope(state: engine))))
    } catch {
      throw TraceError(
        place: place, expected: "a state that can be written as JSON", found: "\(error)")
    }
  }

  /// - Throws: if the bytes are damaged, or are the state of another app or version.
  public static func engine<Engine: AppEngine>(
    _ type: Engine.Type = Engine.self, from bytes: [UInt8], place: String = "the state"
  ) throws(TraceError) -> Engine {
    guard let json = unsigned(bytes) else {
      throw TraceError(
        place: place, expected: "a saved state with its SHA-256 in the last line",
        found: "\(bytes.count) bytes that do not match it",
        remedy: "the file is damaged; open the previous one")
    }
    let data = Data(json)
    guard let label = try? decoder.decode(Label.self, from: data), label.schema == schema else {
      throw TraceError(
        place: place, expected: "schema \(schema)", found: "another schema",
        remedy: "a newer program may have written it")
    }
    guard label.app == Engine.name, label.version == Engine.stateVersion else {
      throw TraceError(
        place: place,
        expected: "the state of \(Engine.name), version \(Engine.stateVersion)",
        found: "\(label.app), version \(label.version)",
        remedy: "open it with the program that wrote it, or start a new state elsewhere")
    }
    do {
      return try decoder.decode(Envelope<Engine>.self, from: data).state
    } catch {
      throw TraceError(
        place: place, expected: "a complete state of \(Engine.name)", found: "\(error)",
        remedy: "another program wrote this file")
    }
  }

  /// Returns the version of the state in the bytes if it is an undamaged one of the same app that
  /// cannot be opened: another version, or the same one in a form that this program does not know.
  static func unusableVersion<Engine: AppEngine>(of type: Engine.Type, in bytes: [UInt8]) -> Int? {
    guard let json = unsigned(bytes),
      let label = try? decoder.decode(Label.self, from: Data(json)),
      label.schema == schema, label.app == Engine.name,
      (try? engine(type, from: bytes)) == nil
    else { return nil }
    return label.version
  }

  static func isDamaged(_ bytes: [UInt8]) -> Bool { unsigned(bytes) == nil }

  /// Adds the digest to a state; for states of other versions.
  static func signed(_ json: [UInt8]) -> [UInt8] {
    json + [0x0A] + Array(SHA256Digest.hex(of: json).utf8) + [0x0A]
  }

  /// The SHA-256 of the bytes.
  static func digest(of bytes: [UInt8]) -> [UInt8] { Array(SHA256Digest.hex(of: bytes).utf8) }

  private static func unsigned(_ bytes: [UInt8]) -> [UInt8]? {
    let tail = 66
    guard bytes.count >= tail else { return nil }
    let json = Array(bytes.dropLast(tail))
    return signed(json) == bytes ? json : nil
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
