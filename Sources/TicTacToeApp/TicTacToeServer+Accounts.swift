import AppEngines
import TraceModel

/// Accounts, friends and scores.
extension TicTacToeServer {
  mutating func register(
    _ account: TicTacToeAccount, _ input: Input, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    try Self.checkFields(account.name, account.verifier)
    try Self.checkNewName(account.name)
    try Self.checkPicture(account.picture)
    guard account.salt.count <= PasswordVerifier.lengths.upperBound else {
      throw Refusal("bad-salt", "the app must send a salt of at most 64 bytes; update the app")
    }
    guard !accounts.contains(where: { $0.key == account.key }) else {
      throw Refusal(
        "name-taken", "the name \(account.name) is taken; choose another one, or log in")
    }
    guard accounts.count < TicTacToeLimits.accounts else {
      throw Refusal("full", "no more people can register here; try again another day")
    }
    try checkToken(input.token)
    guard take(\.registrations, of: input.phone) else {
      throw Refusal(
        "many-accounts", "this phone has registered several people; try again in an hour")
    }
    accounts.append(account)
    return signIn(accounts.count - 1, input, into: &effects)
  }

  /// Returns what names have in common that count as the same, in lower case and with single spaces.
  public static func key(ofName name: String) -> String {
    name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func account(named name: String) -> UserID? {
    let key = Self.key(ofName: name)
    return accounts.firstIndex { $0.key == key }
  }

  /// Returns the salt of an account. For other names it returns the one that came with the request,
  /// so that the answer does not tell which names have accounts.
  func salt(of name: String, _ input: Input) throws(Refusal) -> [UInt8] {
    if let user = account(named: name) { return accounts[user].salt }
    guard input.decoySalt.isEmpty else { return input.decoySalt }
    throw Refusal("unknown-name", "nobody has that name; check it, or register")
  }

  mutating func logIn(
    _ name: String, _ verifier: PasswordVerifier, _ input: Input, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    try Self.checkFields(name, verifier)
    guard take(\.logins, of: input.phone) else {
      throw Refusal("many-logins", "this phone has logged in very often; try again in a minute")
    }
    let wrong = Refusal("wrong-password", "the name or the password is wrong; enter them again")
    guard let user = account(named: name) else {
      guard input.decoySalt.isEmpty else { throw wrong }
      throw Refusal("unknown-name", "nobody has that name; check it, or register")
    }
    guard !isBlocked(input.phone, as: user) else {
      throw Refusal("blocked", "the password was wrong too often; try again in a minute")
    }
    guard accounts[user].verifier.matches(verifier) else {
      noteWrongPassword(of: user, from: input.phone)
      throw wrong
    }
    try checkToken(input.token)
    forgetWrongPasswords(of: user, from: input.phone)
    return signIn(user, input, into: &effects)
  }

  private static func checkFields(_ name: String, _ verifier: PasswordVerifier) throws(Refusal) {
    let isUnnamed = name.allSatisfy(\.isWhitespace)
    if isUnnamed, verifier.bytes.isEmpty {
      throw Refusal("empty-fields", "enter both a name and a password")
    }
    guard !isUnnamed else { throw Refusal("empty-name", "enter a name") }
    guard !verifier.bytes.isEmpty else { throw Refusal("empty-password", "enter a password") }
    guard verifier.isValid else {
      throw Refusal("bad-verifier", "the app must send a verifier of 16 to 64 bytes; update it")
    }
    guard name.utf8.count <= TicTacToeLimits.nameBytes,
      name.count <= TicTacToeLimits.nameCharacters
    else {
      throw Refusal(
        "long-name", "a name has at most \(TicTacToeLimits.nameCharacters) characters; shorten it")
    }
  }

  private static func checkNewName(_ name: String) throws(Refusal) {
    guard TicTacToeAccount.isReadable(name) else {
      throw Refusal(
        "bad-name", "a name has no line breaks, no invisible characters and no space at its ends")
    }
  }

  private static func checkPicture(_ picture: String?) throws(Refusal) {
    guard (picture?.utf8.count ?? 0) <= TicTacToeLimits.pictureBytes else {
      throw Refusal("long-picture", "a picture's reference has at most 256 bytes; choose another")
    }
  }

  private func checkToken(_ token: SessionToken) throws(Refusal) {
    guard !token.isZero, !accounts.contains(where: { $0.session == token }) else {
      throw Refusal("no-token", "the login did not work; log in again")
    }
  }

  private mutating func signIn(
    _ user: UserID, _ input: Input, into effects: inout [Effect]
  ) -> TicTacToeAnswer {
    if accounts[user].phone != input.phone {
      notify(
        user, .signedOut("You logged in on another phone, so this one was logged out."),
        into: &effects)
    }
    // Another person may have been signed in on this phone.
    for index in accounts.indices where accounts[index].phone == input.phone {
      _ = logOut(index)
    }
    logins += 1
    accounts[user].phone = input.phone
    accounts[user].session = input.token
    accounts[user].signedIn = logins
    accounts[user].seen = clock
    announce(user, into: &effects)
    touch(user, into: &effects)
    return .session(input.token, user: user, name: accounts[user].name)
  }

  mutating func logOut(_ user: UserID) -> TicTacToeAnswer {
    accounts[user].phone = nil
    accounts[user].session = nil
    attempts.removeAll { $0.from == user }
    return .done
  }

  mutating func setPicture(_ picture: String?, of user: UserID) throws(Refusal) -> TicTacToeAnswer {
    try Self.checkPicture(picture)
    accounts[user].picture = picture
    return .done
  }

  // MARK: People

  private func contact(_ user: UserID) -> Contact? {
    accounts[user].phone.map {
      Contact(
        user: user, name: accounts[user].name, picture: accounts[user].picture, phone: $0,
        signedIn: accounts[user].signedIn)
    }
  }

  /// Returns the others who are signed in and have asked something lately, the newest requests
  /// first.
  func contacts(for user: UserID) -> [Contact] { listed(for: user).compactMap(contact) }

  private func listed(for user: UserID) -> [UserID] {
    let others = accounts.indices.filter {
      $0 != user && accounts[$0].phone != nil && !isSilent($0)
    }
    let newest = others.sorted {
      (accounts[$0].seen, accounts[$0].signedIn) > (accounts[$1].seen, accounts[$1].signedIn)
    }
    return Array(newest.prefix(TicTacToeLimits.contacts))
  }

  private func isSilent(_ user: UserID) -> Bool {
    accounts[user].seen.advanced(bySeconds: TicTacToeLimits.silence) <= clock
  }

  /// Notes a request. A person who was no longer listed is announced again.
  mutating func noteRequest(of user: UserID, into effects: inout [Effect]) {
    let wasSilent = isSilent(user)
    accounts[user].seen = clock
    if wasSilent { announce(user, into: &effects) }
  }

  /// Notifies the people of the list that a person is there.
  private func announce(_ user: UserID, into effects: inout [Effect]) {
    guard let contact = contact(user) else { return }
    for other in listed(for: user) { notify(other, .arrived(contact), into: &effects) }
  }

  func checkOther(_ other: UserID, than user: UserID) throws(Refusal) {
    guard accounts.indices.contains(other), other != user else {
      throw Refusal("nobody-there", "there is no such person; choose one from the list")
    }
  }

  /// Asks a person to be a friend, or accepts that person's request.
  mutating func befriend(
    _ other: UserID, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    try checkOther(other, than: user)
    guard !accounts[user].friends.contains(other),
      !accounts[other].friendRequests.contains(user)
    else { return .done }
    guard accounts[user].friends.count < TicTacToeLimits.friends,
      accounts[other].friends.count < TicTacToeLimits.friends
    else { throw Refusal("too-many-friends", "a list of friends is full; remove one first") }
    if let request = accounts[user].friendRequests.firstIndex(of: other) {
      accounts[user].friendRequests.remove(at: request)
      accounts[user].friends.append(other)
      accounts[other].friends.append(user)
      return .done
    }
    guard accounts[other].friendRequests.count < TicTacToeLimits.friendRequests else {
      throw Refusal(
        "too-many-requests", "\(accounts[other].name) has too many requests; try again later")
    }
    accounts[other].friendRequests.append(user)
    notify(other, .friendRequest(from: user, name: accounts[user].name), into: &effects)
    return .done
  }

  func friends(of user: UserID) -> TicTacToeAnswer {
    func scores(_ people: [UserID]) -> [Score] { people.map { accounts[$0].score(of: $0) } }
    return .friends(scores(accounts[user].friends), requests: scores(accounts[user].friendRequests))
  }

  /// Ends a friendship of both sides, or rejects or withdraws a request.
  mutating func unfriend(_ other: UserID, by user: UserID) -> TicTacToeAnswer {
    guard accounts.indices.contains(other) else { return .done }
    for (one, two) in [(user, other), (other, user)] {
      accounts[one].friends.removeAll { $0 == two }
      accounts[one].friendRequests.removeAll { $0 == two }
    }
    return .done
  }

  /// Returns the people with the most wins, of equal ones those with fewer losses.
  func leaders() -> [Score] {
    let played = accounts.indices.filter { accounts[$0].lastPlayed != nil }
    let best = played.sorted {
      (-accounts[$0].wins, accounts[$0].losses, $0) < (-accounts[$1].wins, accounts[$1].losses, $1)
    }
    return best.prefix(TicTacToeLimits.leaders).map { accounts[$0].score(of: $0) }
  }
}
