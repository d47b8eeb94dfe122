public import AppEngines
public import HikeApp
public import TraceModel

/// The hike's engine with its environment: the server, the content file, and the saved state.
///
/// ```swift
/// var phone = try HikePhone.start(device: id, service: service, store: store, state: file)
/// let report = try await phone.give(.activate, at: now)
/// ```
public struct HikePhone: Sendable {
  public private(set) var engine: HikeEngine
  private let service: HikeService
  private let store: HikeContentStore
  private let state: StateFile<HikeEngine>?
  /// The bytes of the last download, which the engine accepts or rejects.
  private var downloaded: [UInt8] = []

  public struct Report: Sendable {
    public var effects: [HikeEngine.Effect] = []
    /// Problems of the environment; the engine continues without these operations.
    public var problems: [TraceError] = []
  }

  public init(
    engine: HikeEngine, service: HikeService, store: HikeContentStore,
    state: StateFile<HikeEngine>? = nil
  ) { (self.engine, self.service, self.store, self.state) = (engine, service, store, state) }

  /// Restores the saved engine or creates a new one. If the content has changed since then (an
  /// update of the app or a damaged file), the engine adopts it.
  ///
  /// - Parameter epoch: the zero of a new engine's time axis; a saved engine keeps its own
  ///   (``HikeEngine/epoch``), which later inputs use. A host whose clock restarts with the phone
  ///   gives ``HikeEngine/Input/clockRestarted(epoch:)`` first.
  /// - Returns: the phone, and notices for its owner, e.g. about a damaged file.
  public static func start(
    rules: HikeRules = .default, device: String, epoch: WallTime = WallTime(nanoseconds: 0),
    service: HikeService, store: HikeContentStore, state: StateFile<HikeEngine>
  ) throws(TraceError) -> (phone: HikePhone, notices: [String]) {
    let opened = try store.open()
    let saved = try state.open(
      orStart: HikeEngine(rules: rules, content: opened.file.content, device: device, epoch: epoch))
    var engine = saved.engine
    var notices = [opened.notice, saved.notice].compactMap { $0 }
    var effects: [HikeEngine.Effect] = []
    do throws(Refusal) {
      // The saved state of the phone is old: the engine would look for content over a former Wi-Fi.
      if engine.isActive { try engine.handle(.deactivate, at: .zero, into: &effects) }
      try engine.handle(.connectivity(.offline), at: .zero, into: &effects)
      if engine.content != opened.file.content {
        try engine.handle(.contentOpened(opened.file.download), at: .zero, into: &effects)
      }
    } catch { notices.append(error.description) }
    notices += effects.compactMap(notice(of:))
    let phone = HikePhone(engine: engine, service: service, store: store, state: state)
    return (phone, notices)
  }

  private static func notice(of effect: HikeEngine.Effect) -> String? {
    switch effect {
    case .contentRefused(let reason): "the content was rejected: \(reason)"
    case .progressLost(let count): "check-ins lost because the content has other ids: \(count)"
    default: nil
    }
  }

  /// Passes an input to the engine, executes its effects, and passes the answers back.
  /// - Throws: if the input itself is refused.
  public mutating func give(
    _ input: HikeEngine.Input, at now: TraceInstant
  ) async throws(Refusal) -> Report {
    var report = Report()
    var effects: [HikeEngine.Effect] = []
    try engine.handle(input, at: now, into: &effects)
    await carryOut(effects, at: now, &report)
    return report
  }

  /// Advances time to the engine's deadline.
  public mutating func advance(to now: TraceInstant) async -> Report {
    var report = Report()
    var effects: [HikeEngine.Effect] = []
    engine.advance(to: now, into: &effects)
    await carryOut(effects, at: now, &report)
    return report
  }

  private mutating func carryOut(
    _ effects: [HikeEngine.Effect], at now: TraceInstant, _ report: inout Report
  ) async {
    var waiting = effects[...]
    while let effect = waiting.popFirst() {
      report.effects.append(effect)
      var answer: HikeEngine.Input?
      do throws(TraceError) {
        answer = try await carryOut(effect)
      } catch {
        report.problems.append(error)
        answer = failure(of: effect)
      }
      guard let answer else { continue }
      var further: [HikeEngine.Effect] = []
      // An answer that is no longer expected is ignored.
      try? engine.handle(answer, at: now, into: &further)
      waiting += further
    }
  }

  private mutating func carryOut(
    _ effect: HikeEngine.Effect
  ) async throws(TraceError) -> HikeEngine.Input? {
    switch effect {
    case .ping(let number, let version):
      return .pingAnswered(number: number, isCurrent: try await service.isCurrent(version: version))
    case .download(let number):
      downloaded = try await service.content()
      let file = try HikeContentReader.read(downloaded, name: "/api/content")
      return .downloaded(number: number, file.download)
    case .upload(let upload):
      try await service.store(upload)
      return .uploadStored(upload.stamp)
    case .contentReplaced:
      try store.replace(with: downloaded)
      downloaded = []
    case .save:
      try state?.save(engine)
    default: break
    }
    return nil
  }

  private func failure(of effect: HikeEngine.Effect) -> HikeEngine.Input? {
    switch effect {
    case .ping(let number, _), .download(let number): .updateFailed(number: number)
    case .upload(let upload): .uploadFailed(upload.stamp)
    default: nil
    }
  }
}
