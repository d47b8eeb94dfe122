public import Apps
import Digests
import Foundation
import TraceFormats
public import TraceModel

/// An engine's saved state in a file: JSON with the app's name, the version of the layout and a
/// digest, which verifies the state on opening.
///
/// It is written to a temporary file and renamed. The previous state stays as `<path>.previous` and
/// is opened if the newest one is damaged. A damaged file is renamed to `<path>.damaged`, never
/// overwritten.
public struct StateFile<Engine: AppEngine>: Sendable {
  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// The result of opening a file.
  public struct Opened: Sendable {
    public var engine: Engine
    /// A notice for the user if the file was damaged: its new path, and what was opened instead.
    /// nil = none.
    public var notice: String?
  }

  /// Replaces the file with the engine's state.
  /// - Throws: also if the file is the complete state of another app or version, which is
  ///   unchanged.
  public func save(_ engine: Engine) throws(TraceError) {
    let bytes = try SavedState.bytes(of: engine, place: path)
    if FileManager.default.fileExists(atPath: path) {
      // Copy instead of renaming, so that a file with this name always exists.
      let old = try contents(of: path)
      if SavedState.isDamaged(old) {
        _ = try DamagedFile.setAside(path)
      } else {
        _ = try SavedState.engine(Engine.self, from: old, place: path)
        try write(old, to: previousPath)
      }
    }
    try write(bytes, to: path)
  }

  /// Opens the last saved state.
  /// - Returns: nil if nothing was saved yet.
  /// - Throws: if neither the newest nor the previous state can be opened. Both files are kept, the
  ///   newest one as `<path>.damaged` if it is damaged.
  public func open() throws(TraceError) -> Opened? {
    let hasPrevious = FileManager.default.fileExists(atPath: previousPath)
    guard FileManager.default.fileExists(atPath: path) else {
      guard hasPrevious else { return nil }
      let engine = try SavedState.engine(
        Engine.self, from: try contents(of: previousPath), place: previousPath)
      return Opened(engine: engine, notice: "\(path) is missing; opened \(previousPath)")
    }
    let bytes = try contents(of: path)
    do throws(TraceError) {
      return Opened(
        engine: try SavedState.engine(Engine.self, from: bytes, place: path), notice: nil)
    } catch {
      // A state of another version is complete: it stays in place for the program that wrote it.
      guard SavedState.isDamaged(bytes) else { throw error }
      let aside = try DamagedFile.setAside(path)
      guard hasPrevious else {
        var told = error
        told.remedy = "the file was kept as \(aside); a new state can be started"
        throw told
      }
      let engine = try SavedState.engine(
        Engine.self, from: try contents(of: previousPath), place: previousPath)
      return Opened(
        engine: engine,
        notice: "\(error.description); kept it as \(aside) and opened \(previousPath)")
    }
  }

  private var previousPath: String { path + ".previous" }

  private func contents(of path: String) throws(TraceError) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw TraceError(
        .inputOutput, place: path, expected: "to read the saved state",
        found: "\(error.localizedDescription)")
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(TraceError) {
    let file = try AtomicFile(path: path)
    try file.write(bytes: bytes)
    try file.commit()
  }
}

/// The bytes of an engine's saved state. Equal states have equal bytes.
public enum SavedState {
  static let schema = "shadowbox-app-state/1"

  private struct Envelope<Engine: AppEngine>: Codable {
    var schema: String
    var app: String
    var version: Int
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
      return signed([UInt8](try encoder.encode(envelope(of: engine))))
    } catch {
      throw TraceError(
        place: place, expected: "a state that can be written as JSON", found: "\(error)")
    }
  }

  private static func envelope<Engine: AppEngine>(of engine: Engine) -> Envelope<Engine> {
    Envelope(
      schema: schema, app: Engine.name, version: Engine.stateVersion, state: engine)
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

  /// Whether the bytes differ from the saved ones.
  static func isDamaged(_ bytes: [UInt8]) -> Bool { unsigned(bytes) == nil }

  /// Adds the digest to a state; for states of other versions.
  static func signed(_ json: [UInt8]) -> [UInt8] {
    json + [0x0A] + Array(SHA256Digest.hex(of: json).utf8) + [0x0A]
  }

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
