import Detectors
public import TraceModel

/// The phone's part of Fight: punches out of samples, the view of the open fight, and requests that
/// are sent until they have an answer.
///
/// Requests wait in an outbox; the first is on its way, the next follows its answer. Nothing that
/// the authority has acknowledged depends on the phone any more.
public struct FightClient: AppEngine {
  public enum Input: Hashable, Sendable, Codable {
    /// Asks the authority; not the calls that follow from punches, which the phone makes itself.
    case ask(FightCall)
    /// Opens a fight: from a list, or by tapping a notice.
    case open(FightID)
    /// A registration card is put away by hand.
    case tapCard
    /// The draft of the profile's edit appears as ``FightClient/draft``.
    case beginEdit
    case saveDraft(Profile)
    /// The button goes down, and up.
    case arm, disarm
    /// A sample without gravity, m s-2, that arrives now.
    case sample(Acceleration, measured: TraceInstant)
    /// Nothing comes from the sensor any more.
    case sensorStopped
    case reply(FightReply)
    case notice(FightNotice)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case send(FightRequest)
    /// The detector found a punch, whatever becomes of it.
    case detected(DetectionRecord)
    /// A detected punch was sent to the authority.
    case thrown(PunchReport, FightID)
    /// A detected punch is none in the game, and why.
    case ignored(Refusal)
    case cardDismissed(left: Int)
    /// What was asked for has come.
    case answer(FightAnswer, to: FightCall)
    /// The authority did not take what was asked.
    case refused(Refusal, FightCall)
    /// To show, also while the app is closed; tapped, it becomes ``Input/open(_:)``.
    case notification(FightNotice)
    /// The view of the open fight has changed.
    case viewChanged(FightView)
    /// The login is over, and why.
    case signedOut(String)
  }

  public static let name = "fight-phone"
  public static let stateVersion = 1

  struct Waiting: Hashable, Sendable, Codable {
    var number: Int
    var call: FightCall
  }

  public let rules: FightRules
  public let installation: String
  var fightDetector: PunchDetector
  var cardDetector: PunchDetector
  var outbox: [Waiting] = []
  private var lastNumber = 0
  /// When the first of the outbox is sent again.
  private var retryAt: TraceInstant?
  /// When the open fight is looked at again.
  private var pollAt: TraceInstant?
  var clock = TraceInstant(nanoseconds: .min)

  public internal(set) var session: UInt64 = 0
  public internal(set) var user: UserID?
  public internal(set) var profile: Profile?
  /// What an edit of the profile starts from; nil = none is open.
  public internal(set) var draft: Profile?
  /// Registration cards that are still to be dismissed; 0 = registered.
  public internal(set) var cardsLeft = 0
  /// The fight that is open, as it was when the phone heard of it last.
  public internal(set) var view: FightView?
  public internal(set) var isArmed = false
  /// HitThat's: the fights whose win this phone has reported.
  var reportedWins: [FightID] = []

  /// - Parameters:
  ///   - installation: a secret of the phone, 1 to 64 bytes.
  ///   - header: of the trace that its samples come from: whether it has arm actions decides how
  ///     the detector's rule set arms.
  public init(rules: FightRules = .default, installation: String, for header: TraceHeader) {
    self.rules = rules
    self.installation = installation
    func detector(_ name: String) -> PunchDetector {
      let preset = PunchDetector.preset(named: name) ?? PunchDetector.presets[0]
      return PunchDetector(preset.parameters(for: header))
    }
    fightDetector = detector(rules.punchPreset)
    // On the cards there is nothing to hold.
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
      // The original began with nothing but the name of the login.
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

  /// More wait only where a phone has been offline for long; what it then asks has no use.
  static let outboxLimit = 1000

  mutating func enqueue(_ call: FightCall, at now: TraceInstant, into effects: inout [Effect]) {
    guard outbox.count < FightClient.outboxLimit, lastNumber < .max else {
      effects.append(
        .refused(Refusal("offline", "too much waits for a connection; try again later"), call))
      return
    }
    lastNumber += 1
    outbox.append(Waiting(number: lastNumber, call: call))
    if outbox.count == 1 { sendFirst(at: now, into: &effects) }
  }

  mutating func sendFirst(at now: TraceInstant, into effects: inout [Effect]) {
    guard let first = outbox.first else {
      retryAt = nil
      return
    }
    retryAt = now.advanced(bySeconds: rules.retryAfter)
    effects.append(
      .send(
        FightRequest(
          installation: installation, number: first.number, session: session, call: first.call)))
  }

  mutating func dropOutbox() {
    outbox = []
    retryAt = nil
  }

  // MARK: Time

  public var deadline: TraceInstant? {
    let due = earlier(retryAt, isPolling ? pollAt : nil)
    return due.map { max($0, clock.advanced(byNanoseconds: 1)) }
  }

  private var isPolling: Bool {
    session != 0 && view?.isOver == false && rules.pollInterval > 0
  }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    if let due = retryAt, due <= clock { sendFirst(at: clock, into: &effects) }
    guard let due = pollAt, due <= clock else { return }
    schedulePoll(at: clock)
    // Whatever is on its way brings the fight, or the next look does.
    if isPolling, let view, outbox.isEmpty {
      enqueue(.viewFight(view.fight), at: clock, into: &effects)
    }
  }

  mutating func schedulePoll(at now: TraceInstant) {
    pollAt = now.advanced(bySeconds: max(rules.pollInterval, 0.001))
  }

  // MARK: Invariants

  public var violations: [String] {
    var found: [String] = []
    let numbers = outbox.map(\.number)
    if zip(numbers, numbers.dropFirst()).contains(where: { $0 >= $1 }) {
      found.append("requests wait in the wrong order")
    }
    if (numbers.last ?? 0) > lastNumber { found.append("a request has a number that is not given") }
    if outbox.isEmpty != (retryAt == nil) {
      found.append("a request waits without being sent again, or the other way round")
    }
    if cardsLeft < 0 { found.append("more cards dismissed than there were") }
    // Each turn is one fight's: who opens another one while a punch waits may punch there too.
    let fights = outbox.compactMap { if case .punch(let fight, _) = $0.call { fight } else { nil } }
    if rules.computesDamage, rules.enforcesTurns, Set(fights).count != fights.count {
      found.append("two punches of one turn wait")
    }
    return found
  }
}
