public import AppEngines
public import TraceModel

/// Stores the activities of all users and their friendships.
///
/// The transport identifies the sender of a request. An illegal request is refused, and the
/// transport returns the refusal. Requests have no order. A ``ReplyMemory`` recognises repeated ones;
/// besides, each can be executed again without a change.
public struct WorkoutServer: AppEngine {
  public static let name = "workout-server"
  public static let stateVersion = 4
  /// The number of answers kept for each installation: more than a phone has in transit.
  static let keptReplies = 256

  public enum Input: Hashable, Sendable, Codable {
    case request(Workout.Letter, from: Workout.UserID)
    /// The outside world has sent this code to the number. The server makes no codes: they come from
    /// a source of randomness that nobody can predict.
    case codeSent(String, to: PhoneNumber, for: Workout.UserID)
    /// Whether the store can be reached.
    case availability(Bool)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case answer(Workout.Answer, RequestStamp, to: Workout.UserID)
    /// Send a code to the number, which the user says is theirs, and report it with
    /// ``Input/codeSent(_:to:for:)``.
    case sendCode(to: PhoneNumber, for: Workout.UserID)
  }

  private struct Sender: Hashable, Comparable, Sendable, Codable {
    var user: Workout.UserID
    var installation: UInt64

    static func < (left: Sender, right: Sender) -> Bool {
      (left.user, left.installation) < (right.user, right.installation)
    }
  }

  struct User: Hashable, Sendable, Codable {
    var name: String
    var number: PhoneNumber
    /// Whether the number is the user's.
    var isVerified = false
    var codes: SendBudget
    var code: Code?
  }

  /// A code on its way from the number's phone.
  struct Code: Hashable, Sendable, Codable {
    var text: String
    var expires: TraceInstant
    var attemptsLeft: Int
  }

  struct AddressBook: Hashable, Sendable, Codable {
    var revision: Int64
    var installation: UInt64
    /// The numbers, sorted and distinct.
    var numbers: [PhoneNumber]
  }

  /// The numbers that a user has looked up since a time.
  struct LookUps: Hashable, Sendable, Codable {
    var since: TraceInstant
    /// Sorted and distinct.
    var numbers: [PhoneNumber]
  }

  /// The maximum length of a name in UTF-8 bytes.
  public static let longestName = 200
  /// The maximum number of phone numbers in an address book, and of different ones that an account
  /// can look up in 24 hours, so that it cannot try all numbers.
  public static let mostNumbers = 5_000
  /// The time in seconds during which a code is valid.
  public static let codeLifetime = 600.0
  /// The number of wrong attempts after which a code is not valid any more.
  public static let codeAttempts = 5

  public let rules: WorkoutRules
  /// The wall-clock time of the run's zero.
  public let epoch: WallTime
  var users: [Workout.UserID: User] = [:]
  var usersByNumber: [PhoneNumber: Workout.UserID] = [:]
  var addressBooks: [Workout.UserID: AddressBook] = [:]
  var lookUps: [Workout.UserID: LookUps] = [:]
  /// The activities by creator, in the order of their ids.
  private var activities: [Workout.UserID: [Workout.Record]] = [:]
  public private(set) var isAvailable = true
  /// The answers to requests that change something, by installation.
  private var replies = ReplyMemory<Sender, Workout.Answer>(
    .parallel, window: WorkoutServer.keptReplies)

  /// - Parameter epoch: the wall-clock time of the run's zero.
  public init(rules: WorkoutRules = .default, epoch: WallTime) {
    self.rules = rules
    self.epoch = epoch
  }

  public var activityCount: Int { activities.values.reduce(0) { $0 + $1.count } }

  public func contains(_ id: Workout.ActivityID) -> Bool { record(id) != nil }

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch input {
    case .availability(let isAvailable): self.isAvailable = isAvailable
    case .codeSent(let code, let number, let user):
      try takeCode(code, to: number, for: user, at: now)
    case .request(let letter, let user):
      guard isAvailable else {
        throw Refusal("unavailable", "The server cannot save or read now; try again later.")
      }
      var further: [Effect] = []
      let answer = try answer(to: letter, from: user, at: now, into: &further)
      effects.append(.answer(answer, letter.stamp, to: user))
      effects += further
    }
  }

  private mutating func answer(
    to letter: Workout.Letter, from user: Workout.UserID, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) -> Workout.Answer {
    if letter.request.isReading {
      return try execute(letter, from: user, at: now, into: &effects)
    }
    let sender = Sender(user: user, installation: letter.installation)
    switch replies.verdict(on: letter.stamp, from: sender) {
    case .known(let answer): return answer
    case .outOfStep(let position): return .outOfStep(position)
    case .new:
      // A refusal is not kept: the next attempt can succeed.
      let answer = try execute(letter, from: user, at: now, into: &effects)
      replies.remember(answer, to: letter.stamp, from: sender)
      return answer
    }
  }

  private mutating func execute(
    _ letter: Workout.Letter, from user: Workout.UserID, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) -> Workout.Answer {
    let request = letter.request
    if case .signUp(let name, let number) = request {
      try signUp(user, name: name, number: number, at: now, into: &effects)
      // A phone that is newly installed need not verify the number again.
      let isKnown = rules.verifiesNumbers && users[user]?.isVerified == true
      return isKnown ? .verified : .signedUp
    }
    guard let known = users[user] else { throw Refusal("not-signed-up", "Sign up first.") }
    switch request {
    case .signUp: return .signedUp
    case .verify(let number, let code): return verify(number, code: code, of: user, at: now)
    case .contacts(let revision, let numbers):
      guard known.isVerified else { throw WorkoutServer.notVerified }
      try setContacts(
        of: user,
        AddressBook(
          revision: revision, installation: letter.installation, numbers: numbers), at: now)
      return .contacts(matches(for: user))
    case .save(let record):
      try save(record, from: user, at: now)
      return .saved(record.id)
    case .feed(let scope):
      if scope == .mineAndFriends, !known.isVerified { throw WorkoutServer.notVerified }
      return .feed(feed(for: user, scope), matches(for: user))
    case .open(let id):
      guard id.creator == user || rules.showsEverybody || friends(of: user).contains(id.creator)
      else {
        throw Refusal("not-a-friend", "Only friends can see this activity.")
      }
      guard let record = record(id) else {
        throw Refusal("unknown-activity", "There is no such activity.")
      }
      return .activity(record)
    }
  }

  private mutating func save(
    _ record: Workout.Record, from user: Workout.UserID, at now: TraceInstant
  ) throws(Refusal) {
    guard record.id.creator == user else {
      throw Refusal("not-the-creator", "Only the creator can save an activity.")
    }
    guard record.summary.creatorName == users[user]?.name else {
      throw Refusal("not-the-creator", "The creator's name differs from the account's.")
    }
    let time = epoch.advanced(byNanoseconds: now.nanoseconds)
    let refusal = rules.checksRecords ? record.refusal(now: time) : record.fault
    if let refusal { throw refusal }
    var records = activities[user] ?? []
    let position = records.partitioningIndex { $0.id >= record.id }
    if position < records.count, records[position].id == record.id {
      guard records[position] == record else {
        throw Refusal("id-taken", "Another activity has this id.")
      }
      return
    }
    records.insert(record, at: position)
    activities[user] = records
  }

  private func record(_ id: Workout.ActivityID) -> Workout.Record? {
    let records = activities[id.creator] ?? []
    let position = records.partitioningIndex { $0.id >= id }
    return position < records.count && records[position].id == id ? records[position] : nil
  }

  private func feed(for user: Workout.UserID, _ scope: Workout.FeedScope) -> [Workout.Summary] {
    let everybody = rules.showsEverybody ? users.keys.sorted() : [user] + friends(of: user)
    let creators = scope == .mine ? [user] : everybody
    return creators.flatMap { (activities[$0] ?? []).map(\.summary) }
      .sorted(by: Workout.Summary.isEarlierInFeed)
  }

  public var violations: [String] {
    var found = replies.violations
    for (user, records) in activities {
      if users[user] == nil { found.append("\(user.rawValue) has activities and no account") }
      if !zip(records, records.dropFirst()).allSatisfy({ $0.id < $1.id }) {
        found.append("activities of \(user.rawValue) are out of order or duplicated")
      }
      if !records.allSatisfy({ $0.id.creator == user && $0.fault == nil }) {
        found.append("an activity of \(user.rawValue) has another creator or is damaged")
      }
    }
    if usersByNumber.count != users.values.count(where: \.isVerified)
      || !usersByNumber.allSatisfy({ number, user in
        users[user].map { $0.number == number && $0.isVerified } ?? false
      })
    {
      found.append("numbers and accounts do not agree")
    }
    if lookUps.values.contains(where: { $0.numbers.count > Self.mostNumbers }) {
      found.append("an account has looked up too many numbers")
    }
    return found.sorted()
  }
}
