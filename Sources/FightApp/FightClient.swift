public import AppEngines
public import Detectors
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
    /// Opens a fight: from a list, or by tapping a notice, which also brings the app to the
    /// foreground.
    case open(FightID)
    /// The app comes to the foreground or leaves it.
    case foreground(Bool)
    /// The phone has restarted, so its monotonic clock, the axis of `now`, has started again.
    /// The number identifies the new one.
    case clockRestarted(UInt64)
    /// A registration card is dismissed by hand.
    case tapCard
    /// Starts an edit of the profile, with the draft in ``FightClient/draft``.
    case beginEdit
    case saveDraft(Profile)
    /// The button is pressed or released.
    case arm, disarm
    /// An arriving sample without gravity in m s-2, with the time of the phone's wall clock.
    case sample(Acceleration, measured: TraceInstant)
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
    case answer(FightAnswer, to: FightCall)
    case refused(Refusal, FightCall)
    /// A notification to show, also while the app is closed; a tap on it becomes
    /// ``Input/open(_:)``. In the foreground a punch on the person opens its fight without a tap.
    case notification(FightNotice)
    case viewChanged(FightView)
    /// The login ended, with the reason.
    case signedOut(String)
  }

  public static let name = "fight-phone"
  public static let stateVersion = 3

  public let rules: FightRules
  public let installation: String
  /// Whether the trace states how the phone is held, so that the techniques can be known.
  public let knowsMounting: Bool
  /// The largest value of one axis of the sensor in m s-2; nil = not known.
  public let sensorRange: Double?
  var fightDetector: PunchDetector
  var cardDetector: PunchDetector
  /// From the wall clock, which stamps the samples, to the monotonic clock.
  var sampleClock = SampleClock()
  /// The identity of the monotonic clock, which differs between phones and between restarts.
  private(set) var clockID: UInt64
  /// The time of the last punch that was thrown, on that clock; nil = none.
  var lastThrown: TraceInstant?
  var outbox: Outbox<FightCall>
  /// The time of the next poll of the open fight.
  private var pollAt: TraceInstant?
  var clock = TraceInstant(nanoseconds: .min)

  /// nil = signed out.
  public internal(set) var session: SessionToken?
  public internal(set) var user: UserID?
  public internal(set) var profile: Profile?
  /// The draft of an edit of the profile; nil = no edit is open.
  public internal(set) var draft: Profile?
  /// The number of registration cards left to dismiss; 0 = registered.
  public internal(set) var cardsLeft = 0
  /// The latest known state of the open fight.
  public internal(set) var view: FightView?
  /// Whether it is the person's turn as HitThat's phone has it, which no server decides.
  var hasTurn = true
  public internal(set) var isArmed = false
  public internal(set) var isInForeground = true
  /// The latest known number of moves of the last ``FightClient/knownFightLimit`` fights that were
  /// open, so that a late notice opens no fight again.
  var knownMoves: [KnownMoves] = []
  /// The number of moves that was known when a fight was last asked for. An answer has at least as
  /// many, unless the authority was restored from an older state.
  var askedMoves: [KnownMoves]?
  /// The time at which the open fight was opened, on the monotonic clock; nil = before its restart.
  var openedAt: TraceInstant?
  /// The fights whose win this phone has reported, by HitThat's rules.
  var reportedWins: [FightID] = []

  struct KnownMoves: Hashable, Sendable, Codable {
    var fight: FightID
    var moves: Int
  }
  static let knownFightLimit = 32
  static let reportedWinLimit = 1000

  /// - Parameters:
  ///   - installation: a secret of the phone, 1 to 64 bytes.
  ///   - header: the header of the samples' trace; its arm actions decide how the detector's preset
  ///     arms, and it may state the sensor's range and how the phone is held.
  ///   - changes: values that replace those of the fight's detector.
  public init(
    rules: FightRules = .default, installation: String, for header: TraceHeader,
    changing changes: [String: ParameterValue] = [:]
  ) {
    self.rules = rules
    self.installation = installation
    knowsMounting = header.placement == FightClient.heldInHand
    sensorRange = header.info(.userAcceleration)?.attributes["saturation"].flatMap(Double.init)
      .flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    clockID = FightClient.clockID(of: installation, 0)
    outbox = Outbox(.serial, backoff: rules.backoff, limit: FightClient.outboxLimit, epoch: clockID)
    func parameters(_ name: String) -> PunchDetector.Parameters {
      (PunchDetector.preset(named: name) ?? PunchDetector.presets[0]).parameters(for: header)
    }
    fightDetector = PunchDetector(
      PunchDetector.parameterFields.changed(by: changes, in: parameters(rules.punchPreset)))
    // The cards have no button to hold.
    var cards = parameters(rules.cardPreset)
    cards.arming = .always
    cardDetector = PunchDetector(cards)
  }

  /// The placement whose axes are known: the phone in the fist as HitThat's rule expects it.
  static let heldInHand = "hand"

  // MARK: Inputs

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    if case .clockRestarted(let number) = input {
      return restartClock(number, at: now, into: &effects)
    }
    let now = max(now, clock)
    switch input {
    case .sample(let sample, let measured):
      feel(sample, measured: measured, at: now, into: &effects)
    case .ask(let call): try ask(call, at: now, into: &effects)
    case .open(let fight):
      try checkSignedIn()
      isInForeground = true
      if view?.fight != fight { view = nil }
      enqueue(.viewFight(fight), at: now, into: &effects)
    case .foreground(let isInForeground):
      let isBack = isInForeground && !self.isInForeground
      self.isInForeground = isInForeground
      if isBack { poll(at: now, into: &effects) }
    case .clockRestarted: break
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
    case .arm: press(.arm, at: now, into: &effects)
    case .disarm: press(.disarm, at: now, into: &effects)
    case .sensorStopped: press(nil, at: now, into: &effects)
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
      guard session == nil else { throw Refusal("signed-in", "sign out first") }
    default: try checkSignedIn()
    }
    if case .reportPlace(let place) = call, !place.isValid {
      throw Refusal("no-such-place", "a position has a latitude to ±90° and a longitude to ±180°")
    }
    if case .challenge = call, cardsLeft > 0 {
      throw Refusal("not-registered", "finish the registration first: \(cardsLeft) cards are left")
    }
    enqueue(call, at: now, into: &effects)
  }

  private func checkSignedIn() throws(Refusal) {
    guard session != nil else { throw Refusal("signed-out", "sign in first") }
  }

  // MARK: Requests

  /// The maximum length of the outbox. It is exceeded only after a long time offline, when further
  /// calls have no use.
  static let outboxLimit = 1000

  mutating func enqueue(_ call: FightCall, at now: TraceInstant, into effects: inout [Effect]) {
    if case .viewFight(let fight) = call { noteQuestion(of: fight) }
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
    session != nil && isInForeground && view?.isOver == false && rules.pollInterval > 0
  }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    for case .again(let item) in outbox.advance(to: clock) { send(item, into: &effects) }
    if let due = pollAt, due <= clock { poll(at: clock, into: &effects) }
  }

  /// Asks for the open fight, now and then again.
  private mutating func poll(at now: TraceInstant, into effects: inout [Effect]) {
    schedulePoll(at: now)
    // The request in transit or the next poll updates the fight.
    if isPolling, let view, outbox.isEmpty {
      enqueue(.viewFight(view.fight), at: now, into: &effects)
    }
  }

  /// Continues with a monotonic clock that has started again. Only here time may go back. Times of the
  /// old clock mean nothing on the new one, so what waits is sent again now.
  private mutating func restartClock(
    _ number: UInt64, at now: TraceInstant, into effects: inout [Effect]
  ) {
    clock = now
    clockID = FightClient.clockID(of: installation, number)
    (sampleClock, lastThrown, openedAt, isArmed) = (SampleClock(), nil, nil, false)
    fightDetector = PunchDetector(fightDetector.parameters)
    cardDetector = PunchDetector(cardDetector.parameters)
    if pollAt != nil { schedulePoll(at: now) }
    if let first = outbox.first { send(outbox.retry(first.stamp, at: now), into: &effects) }
  }

  private static func clockID(of installation: String, _ number: UInt64) -> UInt64 {
    StableHash(seed: number).with(installation).value
  }

  mutating func schedulePoll(at now: TraceInstant) {
    pollAt = now.advanced(bySeconds: max(rules.pollInterval, 0.001))
  }

  public var violations: [String] {
    var found = outbox.violations
    if cardsLeft < 0 { found.append("more cards were dismissed than exist") }
    // A turn belongs to one fight: a person who opens another fight while a punch waits may punch
    // there too.
    let fights = outbox.items.compactMap {
      if case .punch(let fight, _) = $0.request { fight } else { nil }
    }
    if knownMoves.count > FightClient.knownFightLimit { found.append("too many fights are known") }
    if rules.computesDamage, rules.enforcesTurns, Set(fights).count != fights.count {
      found.append("two punches of one turn are waiting")
    }
    return found
  }
}
