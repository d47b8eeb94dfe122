public import AppEngines
import Digests
import Files
import Foundation
import Synchronization
public import TraceModel

/// An engine's saved state in a file: JSON with the app's name, the version of the layout and a
/// digest, which verifies the state on opening.
///
/// It is written to a temporary file and renamed. The previous state stays as `<path>.previous` and
/// is opened if the newest one is damaged. A damaged file is renamed to `<path>.damaged`, never
/// overwritten. Where the path is a symbolic link it stays one, and all files are beside its target.
///
/// A state that another program saved meanwhile is not overwritten: a state file replaces only the state
/// that it opened or saved last. Programs that save at the same time wait for each other, by a lock on
/// `<path>.lock`.
public final class StateFile<Engine: AppEngine>: Sendable {
  public let path: String
  /// The digest of the state that was opened or saved last; nil = none was there.
  private let known = Mutex<[UInt8]?>(nil)

  public init(path: String) { self.path = path }

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
        _ = try StateFilePaths.setAside(files.newest)
      } else {
        _ = try SavedState.engine(Engine.self, from: old, place: path)
        try requireKnown(old, overwriting)
        try requireReplaceable(files.previous)
        try AtomicFile.write(old, to: files.previous)
      }
    }
    try AtomicFile.write(bytes, to: files.newest)
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
    // Without a saved state, or without the right to write, no lock is needed.
    let isThere = files.exists(files.newest) || files.exists(files.previous)
    guard isThere, files.isWritable else { return try open(files) }
    return try FileLock.holding(files.lock) { () throws(TraceError) in try open(files) }
  }

  private func open(_ files: StateFilePaths) throws(TraceError) -> Opened? {
    remember(nil)
    guard files.exists(files.newest) else { return try previous(files, why: "\(path) is missing") }
    let bytes = try files.contents(of: files.newest)
    do throws(TraceError) {
      let opened = Opened(
        engine: try SavedState.engine(Engine.self, from: bytes, place: path), notice: nil)
      remember(bytes)
      return opened
    } catch {
      // A state of another app or version is complete: it stays in place.
      guard SavedState.isDamaged(bytes) else { throw error }
      let aside = try StateFilePaths.setAside(files.newest)
      let opened = try previous(
        files, why: "\(error.description); kept it as \(aside)", besides: aside)
      if let opened { return opened }
      var told = error
      told.remedy = "the file was kept as \(aside); a new state can be started"
      throw told
    }
  }

  /// As ``open()``, but with a new engine where there is nothing that can be opened: nothing was
  /// saved, or all that was saved is damaged or of another version. It is kept under other names,
  /// which the notice states.
  /// - Throws: if there is a complete state of another app, or a file cannot be read.
  public func open(orStart engine: @autoclosure () -> Engine) throws(TraceError) -> Opened {
    do throws(TraceError) {
      return try open() ?? Opened(engine: engine(), notice: nil)
    } catch {
      if let opened = try startBeside(engine(), why: error) { return opened }
      // What was damaged is set aside: where nothing is left, only a new state helps.
      guard error.kind == .badData, try open() == nil else { throw error }
      return Opened(engine: engine(), notice: "\(error.description); started anew")
    }
  }

  /// Sets states aside that are undamaged and cannot be opened, and starts with a new one; nil = there
  /// are none.
  private func startBeside(_ engine: Engine, why error: TraceError) throws(TraceError) -> Opened? {
    let files = try StateFilePaths(path)
    guard files.exists(files.newest) || files.exists(files.previous), files.isWritable else {
      return nil
    }
    return try FileLock.holding(files.lock) { () throws(TraceError) in
      var kept: [String] = []
      for file in [files.newest, files.previous] where files.exists(file) {
        let bytes = try files.contents(of: file)
        guard let version = SavedState.unusableVersion(of: Engine.self, in: bytes) else { continue }
        kept.append(try StateFilePaths.setAside(file, ending: "version-\(version)"))
      }
      guard !kept.isEmpty else { return nil }
      remember(nil)
      return Opened(
        engine: engine,
        notice: "\(error.description); kept it as \(kept.joined(separator: " and ")) and started "
          + "anew")
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
      let kept = [aside, try StateFilePaths.setAside(files.previous)].compactMap(\.self)
      told.remedy =
        "the damaged files were kept as \(kept.joined(separator: " and ")); a new state can be started"
      throw told
    }
  }
}
