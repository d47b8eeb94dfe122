import Detectors
public import TraceModel

/// The phone's part of Fight: punches from samples, the view of the open fight, and requests that
/// are repeated until they are answered.
///
/// Requests wait in a serial ``Outbox``; the first is in transit, the next follows its answer.
/// Acknowledged data no longer depend on the phone.
public struct FightClient: AppEngine {
  public enum Input: Hashable, Sendable, Codable {
    /// A call to the authority, except those that follow from punches, which the phone makes
    /// itself.
    case ask(FightCall)
    /// Opens a fight: from a list, or by tapping a notice.
    case open(FightID)
    /// A registration card is dismissed by hand.
    case tapCard
    /// Starts an edit of the profile, with the draft in ``FightClient/draft``.
    case beginEdit
    case saveDraft(Profile)
    /// The button is pressed or released.
    case arm, disarm
    /// An arriving sample without gravity in m s-2.
    case sample(Acceleration, measured: TraceInstant)
    /// The sensor stops.
    case sensorStopped
    case reply(FightReply)
    case notice(FightNotice)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case send(FightRequest)
    /// The detector found a punch, whether or not it counts.
    case detected(DetectionRecord)
    /// A detected punch is sent to the authority.
    case thrown(PunchReport, FightID)
    /// A detected punch does not count in the game, with the reason.
    case ignored(Refusal)
    case cardDismissed(left: Int)
    /// The answer to a call.
    case answer(FightAnswer, to: FightCall)
    /// The authority refused a call.
    case refused(Refusal, FightCall)
    /// A notification to show, also while the app is closed; a tap on it becomes
    /// ``Input/open(_:)``.
    case notification(FightNotice)
    /// The view of the open fight changed.
    case viewChanged(FightView)
    /// The login ended, with the reason.
    case signedOut(String)
  }

  public static let name = "fight-phone"
  public static let stateVersion = 2

  public let rules: FightRules
  public let installation: String
  var fightDetector: PunchDetector
  var cardDetector: PunchDetector
  var outbox: Outbox<FightCall>
  /// The time of the next poll of the open fight.
  private var pollAt: TraceInstant?
  var clock = TraceInstant(nanoseconds: .min)

  public internal(set) var session: UInt64 = 0
  public internal(set) var user: UserID?
  public internal(set) var profile: Profile?
  /// The draft of an edit of the profile; nil = no edit is open.
  public internal(set) var draft: Profile?
  /// The number of registration cards left to dismiss; 0 = registered.
  public internal(set) var cardsLeft = 0
  /// The latest known state of the open fight.
  public internal(set) var view: FightView?
  public internal(set) var isArmed = false
  /// The fights whose win this phone has reported, by HitThat's rules.
  var reportedWins: [FightID] = []

  /// - Parameters:
  ///   - installation: a secret of the phone, 1 to 64 bytes.
  ///   - header: the header of the samples' trace; its arm actions decide how the detector's preset
  ///     arms.
  public init(rules: FightRules = .default, installation: String, for header: TraceHeader) {
    self.rules = rules
    self.installation = installation
    var epoch = StableHash(seed: 0)
    epoch.combine(installation)
    outbox = Outbox(
      .serial, backoff: rules.backoff, limit: FightClient.outboxLimit, epoch: epoch.value)
    func detector(_ name: String) -> PunchDetector {
      let preset = PunchDetector.preset(named: name) ?? PunchDetector.presets[0]
      return PunchDetector(preset.parameters(for: header))
    }
    fightDetector = detector(rules.punchPreset)
    // The cards have no button to hold.
    let preset = PunchDetector.preset(named: rules.cardPreset) ?? PunchDetector.presets[0]
    var parameters = preset.parameters(for: header)
    parameters.arming = .always
    cardDetector = PunchDetector(parameters)
  }

  // MARK: Inputs

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let now = max(now, clock)
    switch input {
    case .sample(let sample, let measured):
      take(sample, measured: measured, at: now, into: &effects)
    case .ask(let call): try ask(call, at: now, into: &effects)
    case .open(let fight):
      try checkSignedIn()
      if view?.fight != fight { view = nil }
      enqueue(.viewFight(fight), at: now, into: &effects)
    case .tapCard:
      guard cardsLeft > 0 else { throw Refusal("no-card", "all cards are done") }
      dismissCard(into: &effects)
    case .beginEdit:
      try checkSignedIn()
      // The original started with only the name of the login.
      draft = rules.editsCurrentProfile ? profile : profile.map { Profile(alias: $0.alias) }
    case .saveDraft(let profile):
      guard draft != nil else { throw Refusal("no-edit", "open the profile to edit it first") }
      try profile.validate()
      draft = nil
      enqueue(.saveProfile(profile), at: now, into: &effects)
    case .arm: arm(at: now, into: &effects)
    case .disarm: disarm(at: now, into: &effects)
    case .sensorStopped: stopSensor(at: now, into: &effects)
    case .reply(let reply): try take(reply, at: now, into: &effects)
    case .notice(let notice): try take(notice, at: now, into: &effects)
    }
    clock = now
  }

  private mutating func ask(
    _ call: FightCall, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch call {
    case .punch, .writeStamina, .reportWin:
      throw Refusal("punch-yourself", "only the sensor makes punches; swing the phone")
    case .logIn:
      guard session == 0 else { throw Refusal("signed-in", "sign out first") }
    default: try checkSignedIn()
    }
    if case .challenge = call, cardsLeft > 0 {
      throw Refusal("not-registered", "finish the registration first: \(cardsLeft) cards are left")
    }
    enqueue(call, at: now, into: &effects)
  }

  private func checkSignedIn() throws(Refusal) {
    guard session != 0 else { throw Refusal("signed-out", "sign in first") }
  }

  // MARK: Requests

  /// The maximum length of the outbox. It is exceeded only after a long time offline, when further
  /// calls have no use.
  static let outboxLimit = 1000

  mutating func enqueue(_ call: FightCall, at now: TraceInstant, into effects: inout [Effect]) {
    do throws(Refusal) {
      send(try outbox.send(call, at: now), into: &effects)
    } catch {
      effects.append(.refused(error, call))
    }
  }

  func send(_ item: Outbox<FightCall>.Item?, into effects: inout [Effect]) {
    guard let item else { return }
    effects.append(
      .send(
        FightRequest(
          installation: installation, stamp: item.stamp, session: session, call: item.request)))
  }

  // MARK: Time

  public var deadline: TraceInstant? {
    let due = earlier(outbox.due, isPolling ? pollAt : nil)
    return due.map { max($0, clock.advanced(byNanoseconds: 1)) }
  }

  private var isPolling: Bool {
    session != 0 && view?.isOver == false && rules.pollInterval > 0
  }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    for case .again(let item) in outbox.advance(to: clock) { send(item, into: &effects) }
    guard let due = pollAt, due <= clock else { return }
    schedulePoll(at: clock)
    // The request in transit or the next poll updates the fight.
    if isPolling, let view, outbox.isEmpty {
      enqueue(.viewFight(view.fight), at: clock, into: &effects)
    }
  }

  mutating func schedulePoll(at now: TraceInstant) {
    pollAt = now.advanced(bySeconds: max(rules.pollInterval, 0.001))
  }

  // MARK: Invariants

  public var violations: [String] {
    var found = outbox.violations
    if cardsLeft < 0 { found.append("more cards were dismissed than exist") }
    // A turn belongs to one fight: a person who opens another fight while a punch waits may punch
    // there too.
    let fights = outbox.items.compactMap {
      if case .punch(let fight, _) = $0.request { fight } else { nil }
    }
    if rules.computesDamage, rules.enforcesTurns, Set(fights).count != fights.count {
      found.append("two punches of one turn are waiting")
    }
    return found
  }
}
