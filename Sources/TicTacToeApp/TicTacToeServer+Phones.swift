import AppEngines
import TraceModel

/// What one phone can make the server do and store.
extension TicTacToeServer {
  /// An installation that has asked something.
  struct Phone: Hashable, Sendable, Codable {
    /// The wrong passwords for a name.
    struct Failures: Hashable, Sendable, Codable {
      let user: UserID
      var count = 0
      var blockedUntil: TraceInstant?
    }

    let address: PhoneAddress
    /// The last request.
    var seen: TraceInstant
    var registrations = SendBudget(
      capacity: TicTacToeLimits.registrations, refill: TicTacToeLimits.registrationRefill)
    var logins = SendBudget(capacity: TicTacToeLimits.logins, refill: TicTacToeLimits.loginRefill)
    /// The newest last.
    var failures: [Failures] = []
  }

  func phoneIndex(_ address: PhoneAddress) -> Int? {
    let position = phones.partitioningIndex { $0.address >= address }
    return position < phones.count && phones[position].address == address ? position : nil
  }

  mutating func noteRequest(from address: PhoneAddress) {
    if let index = phoneIndex(address) {
      phones[index].seen = clock
      return
    }
    phones.insert(
      Phone(address: address, seen: clock),
      at: phones.partitioningIndex { $0.address >= address })
  }

  /// Returns the phone to forget for a new one: of those that are not signed in, the one that has
  /// been silent for the longest time; nil = none has been silent for long. O(n log n) for n phones.
  func phoneToForget(at now: TraceInstant) -> PhoneAddress? {
    let signedIn = Set(accounts.compactMap(\.phone))
    let idle = phones.filter { phone in
      phone.seen.advanced(bySeconds: TicTacToeLimits.phoneSilence) <= now
        && !signedIn.contains(phone.address)
    }
    return idle.min { $0.seen < $1.seen }?.address
  }

  /// - Returns: whether the phone may register another person, or try to log in.
  mutating func take(
    _ budget: WritableKeyPath<Phone, SendBudget>, of address: PhoneAddress
  ) -> Bool { phoneIndex(address).map { phones[$0][keyPath: budget].take(at: clock) } ?? false }

  // MARK: Wrong passwords

  /// Whether a phone has sent too many wrong passwords of a person lately.
  func isBlocked(_ address: PhoneAddress, as user: UserID) -> Bool {
    guard let index = phoneIndex(address),
      let until = phones[index].failures.first(where: { $0.user == user })?.blockedUntil
    else { return false }
    return clock < until
  }

  mutating func noteWrongPassword(of user: UserID, from address: PhoneAddress) {
    guard let index = phoneIndex(address) else { return }
    var failures = phones[index].failures.first { $0.user == user } ?? Phone.Failures(user: user)
    failures.count += 1
    if failures.count >= TicTacToeLimits.wrongPasswords {
      failures.count = 0
      failures.blockedUntil = clock.advanced(bySeconds: TicTacToeLimits.blockTime)
    }
    phones[index].failures.removeAll { $0.user == user }
    phones[index].failures.append(failures)
    if phones[index].failures.count > TicTacToeLimits.failures {
      phones[index].failures.removeFirst()
    }
  }

  mutating func forgetWrongPasswords(of user: UserID, from address: PhoneAddress) {
    guard let index = phoneIndex(address) else { return }
    phones[index].failures.removeAll { $0.user == user }
  }
}
