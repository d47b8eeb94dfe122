public import Apps
public import TraceModel

/// The hike's engine with its world: the server, the content's file, and the saved state.
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
  /// The bytes of the last download, which the engine takes over or not.
  private var downloaded: [UInt8] = []

  /// What an input led to.
  public struct Report: Sendable {
    public var effects: [HikeEngine.Effect] = []
    /// What did not work in the world; the engine goes on without it.
    public var problems: [TraceError] = []
  }

  public init(
    engine: HikeEngine, service: HikeService, store: HikeContentStore,
    state: StateFile<HikeEngine>? = nil
  ) {
    self.engine = engine
    self.service = service
    self.store = store
    self.state = state
  }

  /// The engine as it was saved, or a new one. Content that has become another since then, by an
  /// update of the app or a file that was damaged, is taken over.
  ///
  /// - Parameter epoch: the zero of a new engine's time axis; a saved one keeps its own
  ///   (``HikeEngine/epoch``), and later inputs have times on that.
  /// - Returns: the phone, and what its owner should know, e.g. of a damaged file.
  public static func start(
    rules: HikeRules = HikeRules(), device: String, epoch: WallTime = WallTime(nanoseconds: 0),
    service: HikeService, store: HikeContentStore, state: StateFile<HikeEngine>
  ) throws(TraceError) -> (phone: HikePhone, notices: [String]) {
    let opened = try store.open()
    let saved = try state.open()
    var engine =
      saved?.engine
      ?? HikeEngine(rules: rules, content: opened.file.content, device: device, epoch: epoch)
    var notices = [opened.notice, saved?.notice].compactMap { $0 }
    var effects: [HikeEngine.Effect] = []
    do throws(Refusal) {
      // What it remembers of the phone is of another day: it would look for content over what was
      // Wi-Fi then.
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
    case .contentRefused(let reason): "the content is not taken over: \(reason)"
    case .progressLost(let count): "check-ins lost with the ids of the content before: \(count)"
    default: nil
    }
  }

  /// Gives the engine an input, does what it asks for, and gives it the answers.
  /// - Throws: where the input itself is refused.
  public mutating func give(
    _ input: HikeEngine.Input, at now: TraceInstant
  ) async throws(Refusal) -> Report {
    var report = Report()
    var effects: [HikeEngine.Effect] = []
    try engine.handle(input, at: now, into: &effects)
    await carryOut(effects, at: now, &report)
    return report
  }

  /// Lets time pass to the engine's deadline.
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
      // An answer that nobody waits for any more is passed over.
      try? engine.handle(answer, at: now, into: &further)
      waiting += further
    }
  }

  private mutating func carryOut(
    _ effect: HikeEngine.Effect
  ) async throws(TraceError) -> HikeEngine.Input? {
    switch effect {
    case .ping(let number, let version):
      return .pingAnswered(
        number: number, isCurrent: try await service.isCurrent(version: version))
    case .download(let number):
      downloaded = try await service.content()
      let file = try HikeContentReader.read(downloaded, name: "/api/content")
      return .downloaded(number: number, file.download)
    case .upload(let upload):
      try await service.store(upload)
      return .uploadStored(number: upload.number)
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
    case .upload(let upload): .uploadFailed(number: upload.number)
    default: nil
    }
  }
}
