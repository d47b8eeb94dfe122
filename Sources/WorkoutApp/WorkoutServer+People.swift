import AppEngines
import TraceModel

extension WorkoutServer {
  static let notVerified = Refusal(
    "not-verified", "Enter the code that was sent to your number; friends are found by it.")

  /// Stores an account. Its number is the user's only after a code that was sent there, because
  /// anybody can state any number.
  mutating func signUp(
    _ user: Workout.UserID, name: String, number: PhoneNumber, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) {
    guard !name.isEmpty, name.utf8.count <= Self.longestName else {
      throw Refusal("invalid-name", "A name must have 1 to \(Self.longestName) bytes.")
    }
    var account =
      users[user]
      ?? User(name: name, number: number, codes: SendBudget(capacity: 5, refill: 3600))
    guard account.name == name, account.number == number else {
      throw Refusal("already-signed-up", "This account has another name or number.")
    }
    if !account.isVerified {
      if !rules.verifiesNumbers {
        guard usersByNumber[number] == nil else {
          throw Refusal("number-taken", "Another account uses \(number).")
        }
        account.isVerified = true
        usersByNumber[number] = user
      } else if account.codes.take(at: now) {
        effects.append(.sendCode(to: number, for: user))
      }
    }
    users[user] = account
  }

  /// Whether an account waits for a code, and none is on its way.
  func awaitsCode(of user: Workout.UserID, at now: TraceInstant) -> Bool {
    guard rules.verifiesNumbers, let account = users[user], !account.isVerified else {
      return false
    }
    return account.code.map { $0.expires <= now } ?? true
  }

  mutating func takeCode(
    _ code: String, to number: PhoneNumber, for user: Workout.UserID, at now: TraceInstant
  ) throws(Refusal) {
    guard let account = users[user], account.number == number, !account.isVerified else {
      throw Refusal("no-verification", "This account does not wait for a code to that number.")
    }
    guard (4...WorkoutEngine.longestCode).contains(code.utf8.count) else {
      throw Refusal("invalid-code", "A code must have 4 to \(WorkoutEngine.longestCode) bytes.")
    }
    users[user]?.code = Code(
      text: code, expires: now.advanced(bySeconds: Self.codeLifetime),
      attemptsLeft: Self.codeAttempts)
  }

  /// Checks a code. The right code takes the number from its previous user.
  mutating func verify(
    _ number: PhoneNumber, code: String, of user: Workout.UserID, at now: TraceInstant
  ) -> Workout.Answer {
    guard let account = users[user], account.number == number else {
      return .codeRejected(
        Refusal("other-number", "This account has another number; sign up with it first."))
    }
    if account.isVerified { return .verified }
    guard let sent = account.code, now < sent.expires else {
      users[user]?.code = nil
      return .codeRejected(
        Refusal("no-code", "There is no valid code; sign up again to get another one."))
    }
    guard sent.text == code else {
      let left = sent.attemptsLeft - 1
      users[user]?.code = left > 0 ? sent : nil
      users[user]?.code?.attemptsLeft = left
      return .codeRejected(
        Refusal("wrong-code", "The code is wrong; attempts left with it: \(max(left, 0))."))
    }
    if let former = usersByNumber[number] { users[former]?.isVerified = false }
    usersByNumber[number] = user
    users[user]?.isVerified = true
    users[user]?.code = nil
    return .verified
  }
}

extension WorkoutServer {
  mutating func setContacts(
    of user: Workout.UserID, _ book: AddressBook, at now: TraceInstant
  ) throws(Refusal) {
    guard book.numbers.count <= Self.mostNumbers else {
      throw Refusal("too-many-contacts", "At most \(Self.mostNumbers) numbers can be compared.")
    }
    if let known = addressBooks[user] {
      // A revision is a time of the phone's clock. One of another installation and of the future
      // says nothing.
      let today = epoch.advanced(byNanoseconds: now.nanoseconds).nanoseconds
      let isComparable = known.installation == book.installation || known.revision <= today
      if isComparable, known.revision >= book.revision { return }
    }
    let numbers = Set(book.numbers)
    var found = lookUps[user] ?? LookUps(since: now, numbers: [])
    let day: Int64 = 86_400_000_000_000
    if found.since.nanoseconds(to: now) >= day { found = LookUps(since: now, numbers: []) }
    let all = numbers.union(found.numbers)
    guard all.count <= Self.mostNumbers else {
      let left = (day - max(0, found.since.nanoseconds(to: now))) / 3_600_000_000_000 + 1
      throw Refusal(
        "too-many-lookups",
        "At most \(Self.mostNumbers) different numbers can be compared in 24 hours; try again in "
          + "\(left) h.")
    }
    found.numbers = all.sorted()
    lookUps[user] = found
    addressBooks[user] = AddressBook(
      revision: book.revision, installation: book.installation, numbers: numbers.sorted())
  }

  /// Returns the friends of a user by number. Two people are friends when each has the number of
  /// the other one, or by the rules when one has.
  func matches(for user: Workout.UserID) -> [Workout.Match] {
    guard let account = users[user], account.isVerified else { return [] }
    return (addressBooks[user]?.numbers ?? []).compactMap { number in
      guard let friend = usersByNumber[number], friend != user, let known = users[friend] else {
        return nil
      }
      guard rules.friendship == .oneSided || isListed(account.number, by: friend) else {
        return nil
      }
      return Workout.Match(user: friend, name: known.name, number: number)
    }
  }

  private func isListed(_ number: PhoneNumber, by user: Workout.UserID) -> Bool {
    let numbers = addressBooks[user]?.numbers ?? []
    let position = numbers.partitioningIndex { $0 >= number }
    return position < numbers.count && numbers[position] == number
  }

  func friends(of user: Workout.UserID) -> [Workout.UserID] { matches(for: user).map(\.user) }
}
