public import Apps
import Digests
import Foundation
import Synchronization
import TraceFormats
public import TraceModel

/// An engine's saved state in a file: JSON with the app's name, the version of the layout and a
/// digest, which verifies the state on opening.
///
/// It is written to a temporary file and renamed. The previous state stays as `<path>.previous` and
/// is opened if the newest one is damaged. A damaged file is renamed to `<path>.damaged`, never
/// overwritten. Where the path is a symbolic link it stays one, and all files are beside its target.
///
/// A state that somebody else saved meanwhile is not overwritten: a state file replaces only the state
/// that it opened or saved last. Programs that save at the same time wait for each other, by a lock on
/// `<path>.lock`.
public final class StateFile<Engine: AppEngine>: Sendable {
  public let path: String
  /// The digest of the state that was opened or saved last; nil = none was there.
  private let known = Mutex<[UInt8]?>(nil)

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
  /// - Parameter overwriting: whether to replace a state that another program saved meanwhile, or that
  ///   was never opened; it stays as the previous one.
  /// - Throws: also if the file is the complete state of another app or version, or one that was
  ///   neither opened nor saved here; it is unchanged.
  public func save(_ engine: Engine, overwriting: Bool = false) throws(TraceError) {
    let files = try StateFilePaths(path)
    let bytes = try SavedState.bytes(of: engine, place: path)
    try FileLock.holding(files.lock) { () throws(TraceError) in
      try replace(files, by: bytes, overwriting)
      remember(bytes)
    }
  }

  private func replace(
    _ files: StateFilePaths, by bytes: [UInt8], _ overwriting: Bool
  ) throws(TraceError) {
    if files.exists(files.newest) {
      // Copy instead of renaming, so that a file with this name always exists.
      let old = try files.contents(of: files.newest)
      if SavedState.isDamaged(old) {
        _ = try DamagedFile.setAside(files.newest)
      } else {
        _ = try SavedState.engine(Engine.self, from: old, place: path)
        try requireKnown(old, overwriting)
        try requireReplaceable(files.previous)
        try write(old, to: files.previous)
      }
    }
    try write(bytes, to: files.newest)
  }

  /// A complete state of another app or version stays, whatever its name.
  private func requireReplaceable(_ previous: String) throws(TraceError) {
    guard FileManager.default.fileExists(atPath: previous) else { return }
    let bytes = try StateFilePaths(previous).contents(of: previous)
    guard !SavedState.isDamaged(bytes) else { return }
    _ = try SavedState.engine(Engine.self, from: bytes, place: previous)
  }

  private func requireKnown(_ old: [UInt8], _ overwriting: Bool) throws(TraceError) {
    let known = known.withLock(\.self)
    guard !overwriting, SavedState.digest(of: old) != known else { return }
    throw TraceError(
      .inputOutput, place: path,
      expected: known == nil
        ? "no file, or one that was opened before" : "the state that was opened or saved last",
      found: "a state that another program saved",
      remedy: "open it and go on from there, or save with overwriting: true")
  }

  private func remember(_ bytes: [UInt8]?) {
    let digest = bytes.map(SavedState.digest(of:))
    known.withLock { $0 = digest }
  }

  /// Opens the last saved state.
  /// - Returns: nil if nothing was saved yet.
  /// - Throws: if neither the newest nor the previous state can be opened. Both files are kept, a
  ///   damaged one under another name, so that the next opening finds nothing.
  public func open() throws(TraceError) -> Opened? {
    let files = try StateFilePaths(path)
    // In a folder that cannot be written to nobody saves.
    // Where nothing was saved there is nothing to keep apart.
    let isThere = files.exists(files.newest) || files.exists(files.previous)
    guard isThere, files.isWritable else { return try open(files) }
    return try FileLock.holding(files.lock) { () throws(TraceError) in try open(files) }
  }

  private func open(_ files: StateFilePaths) throws(TraceError) -> Opened? {
    remember(nil)
    guard files.exists(files.newest) else {
      return try previous(files, why: "\(path) is missing")
    }
    let bytes = try files.contents(of: files.newest)
    do throws(TraceError) {
      let opened = Opened(
        engine: try SavedState.engine(Engine.self, from: bytes, place: path), notice: nil)
      remember(bytes)
      return opened
    } catch {
      // A state of another version is complete: it stays in place for the program that wrote it.
      guard SavedState.isDamaged(bytes) else { throw error }
      let aside = try DamagedFile.setAside(files.newest)
      let opened = try previous(
        files, why: "\(error.description); kept it as \(aside)", besides: aside)
      if let opened { return opened }
      var told = error
      told.remedy = "the file was kept as \(aside); a new state can be started"
      throw told
    }
  }

  /// As ``open()``, but with a new engine where there is nothing that can be opened: nothing was
  /// saved, or all that was saved is damaged and now kept under other names, which the notice states.
  /// - Throws: if there is a complete state of another app or version, or a file cannot be read.
  public func open(orStart engine: @autoclosure () -> Engine) throws(TraceError) -> Opened {
    do throws(TraceError) {
      return try open() ?? Opened(engine: engine(), notice: nil)
    } catch {
      // What was damaged is set aside: where nothing is left, only a new state helps.
      guard error.kind == .badData, try open() == nil else { throw error }
      return Opened(engine: engine(), notice: "\(error.description); started anew")
    }
  }

  /// The state before the newest, which cannot be opened; nil = there is none.
  private func previous(
    _ files: StateFilePaths, why: String, besides aside: String? = nil
  ) throws(TraceError) -> Opened? {
    guard files.exists(files.previous) else { return nil }
    let bytes = try files.contents(of: files.previous)
    do throws(TraceError) {
      let engine = try SavedState.engine(Engine.self, from: bytes, place: files.previous)
      return Opened(engine: engine, notice: "\(why); opened \(files.previous)")
    } catch {
      var told = error
      guard SavedState.isDamaged(bytes) else {
        if let aside { told.remedy += "; \(path) is damaged, and was kept as \(aside)" }
        throw told
      }
      let kept = [aside, try DamagedFile.setAside(files.previous)].compactMap(\.self)
      told.remedy =
        "the damaged files were kept as \(kept.joined(separator: " and ")); a new state can be started"
      throw told
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
