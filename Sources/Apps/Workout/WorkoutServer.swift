public import TraceModel

/// Stores the activities of all users and their friendships.
///
/// The transport identifies the sender of a request. An illegal request is refused, and the
/// transport returns the refusal. Requests have no order. A ``ReplyMemory`` recognises repeated ones;
/// besides, each can be executed again without a change.
public struct WorkoutServer: AppEngine {
  public static let name = "workout-server"
  public static let stateVersion = 2
  /// The number of answers kept for each installation: more than a phone has in transit.
  static let keptReplies = 256

  public enum Input: Hashable, Sendable, Codable {
    case request(Workout.Letter, from: Workout.UserID)
    /// Whether the store can be reached.
    case availability(Bool)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case answer(Workout.Answer, RequestStamp, to: Workout.UserID)
  }

  /// An installation of a user.
  private struct Sender: Hashable, Comparable, Sendable, Codable {
    var user: Workout.UserID
    var installation: UInt64

    static func < (left: Sender, right: Sender) -> Bool {
      (left.user, left.installation) < (right.user, right.installation)
    }
  }

  private struct User: Hashable, Sendable, Codable {
    var name: String
    var number: PhoneNumber
  }

  private struct AddressBook: Hashable, Sendable, Codable {
    var revision: Int64
    /// The numbers, sorted and distinct.
    var numbers: [PhoneNumber]
  }

  /// The maximum length of a name in UTF-8 bytes.
  public static let longestName = 200
  /// The maximum number of phone numbers in an address book.
  public static let mostNumbers = 20_000

  private var users: [Workout.UserID: User] = [:]
  private var usersByNumber: [PhoneNumber: Workout.UserID] = [:]
  private var addressBooks: [Workout.UserID: AddressBook] = [:]
  /// The activities by creator, in the order of their ids.
  private var activities: [Workout.UserID: [Workout.Record]] = [:]
  public private(set) var isAvailable = true
  /// The answers to requests that change something, by installation.
  private var replies = ReplyMemory<Sender, Workout.Answer>(
    .parallel, window: WorkoutServer.keptReplies)

  public init() {}

  public var activityCount: Int { activities.values.reduce(0) { $0 + $1.count } }

  public func contains(_ id: Workout.ActivityID) -> Bool { record(id) != nil }

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch input {
    case .availability(let isAvailable): self.isAvailable = isAvailable
    case .request(let letter, let user):
      guard isAvailable else {
        throw Refusal("unavailable", "The server cannot save or read now; try again later.")
      }
      effects.append(.answer(try answer(to: letter, from: user), letter.stamp, to: user))
    }
  }

  private mutating func answer(
    to letter: Workout.Letter, from user: Workout.UserID
  ) throws(Refusal) -> Workout.Answer {
    if letter.request.isReading { return try answer(to: letter.request, from: user) }
    let sender = Sender(user: user, installation: letter.installation)
    switch replies.verdict(on: letter.stamp, from: sender) {
    case .known(let answer): return answer
    case .outOfStep(let position): return .outOfStep(position)
    case .new:
      // A refusal is not kept: the next attempt can succeed.
      let answer = try answer(to: letter.request, from: user)
      replies.remember(answer, to: letter.stamp, from: sender)
      return answer
    }
  }

  private mutating func answer(
    to request: Workout.Request, from user: Workout.UserID
  ) throws(Refusal) -> Workout.Answer {
    if case .signUp(let name, let number) = request {
      try signUp(user, name: name, number: number)
      return .signedUp
    }
    guard users[user] != nil else {
      throw Refusal("not-signed-up", "Sign up first.")
    }
    switch request {
    case .signUp: return .signedUp
    case .contacts(let revision, let numbers):
      try setContacts(of: user, AddressBook(revision: revision, numbers: numbers))
      return .contacts(matches(for: user))
    case .save(let record):
      try save(record, from: user)
      return .saved(record.id)
    case .feed(let scope): return .feed(feed(for: user, scope), matches(for: user))
    case .open(let id):
      guard id.creator == user || friends(of: user).contains(id.creator) else {
        throw Refusal("not-a-friend", "Only friends can see this activity.")
      }
      guard let record = record(id) else {
        throw Refusal("unknown-activity", "There is no such activity.")
      }
      return .activity(record)
    }
  }

  private mutating func signUp(
    _ user: Workout.UserID, name: String, number: PhoneNumber
  ) throws(Refusal) {
    guard !name.isEmpty, name.utf8.count <= Self.longestName else {
      throw Refusal("invalid-name", "A name must have 1 to \(Self.longestName) bytes.")
    }
    let new = User(name: name, number: number)
    if let known = users[user] {
      guard known == new else {
        throw Refusal("already-signed-up", "This account has another name or number.")
      }
      return
    }
    guard usersByNumber[number] == nil else {
      throw Refusal("number-taken", "Another account uses \(number).")
    }
    users[user] = new
    usersByNumber[number] = user
  }

  private mutating func setContacts(
    of user: Workout.UserID, _ book: AddressBook
  ) throws(Refusal) {
    guard book.numbers.count <= Self.mostNumbers else {
      throw Refusal("too-many-contacts", "At most \(Self.mostNumbers) numbers can be compared.")
    }
    if let known = addressBooks[user], known.revision >= book.revision { return }
    addressBooks[user] = AddressBook(
      revision: book.revision, numbers: Set(book.numbers).sorted())
  }

  private mutating func save(
    _ record: Workout.Record, from user: Workout.UserID
  ) throws(Refusal) {
    guard record.id.creator == user else {
      throw Refusal("not-the-creator", "Only the creator can save an activity.")
    }
    guard record.summary.creatorName == users[user]?.name else {
      throw Refusal("not-the-creator", "The creator's name differs from the account's.")
    }
    if let fault = record.fault { throw fault }
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

  /// Returns the signed-up people of the address book, by number, without the user.
  private func matches(for user: Workout.UserID) -> [Workout.Match] {
    (addressBooks[user]?.numbers ?? []).compactMap { number in
      guard let friend = usersByNumber[number], friend != user, let known = users[friend] else {
        return nil
      }
      return Workout.Match(user: friend, name: known.name, number: number)
    }
  }

  private func friends(of user: Workout.UserID) -> [Workout.UserID] {
    matches(for: user).map(\.user)
  }

  private func feed(
    for user: Workout.UserID, _ scope: Workout.FeedScope
  ) -> [Workout.Summary] {
    let creators = scope == .mine ? [user] : [user] + friends(of: user)
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
    if usersByNumber.count != users.count
      || !usersByNumber.allSatisfy({ users[$0.value]?.number == $0.key })
    {
      found.append("numbers and accounts do not agree")
    }
    return found.sorted()
  }
}
