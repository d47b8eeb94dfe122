import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

/// People with phones in a thread, whose messages arrive at once unless they are held.
struct GuessTable {
  var phones: [PictureGuessPhone]
  var now = TraceInstant.zero
  /// What each phone has done, in order.
  var effects: [[PictureGuessPhone.Effect]]
  /// Whether messages wait in ``held``.
  var isHolding = false
  var held: [(from: Int, envelope: ThreadEnvelope)] = []

  init(
    _ rules: PictureGuessRules = .default, people: Int = 2,
    header: TraceHeader = TraceHeader(id: "x", origin: .synthetic)
  ) {
    phones = (0..<people).map { me in
      PictureGuessPhone(
        rules: rules, me: me, others: (0..<people).filter { $0 != me },
        installation: UInt64(me), for: header)
    }
    effects = phones.map { _ in [] }
  }

  static func preset(_ name: String) throws -> PictureGuessRules {
    try #require(PictureGuessRules.preset(named: name))
  }

  static let presets = ["iPict", "default"]

  // MARK: Inputs

  mutating func give(_ input: PictureGuessPhone.Input, to phone: Int) throws(Refusal) {
    var news: [PictureGuessPhone.Effect] = []
    try phones[phone].handle(input, at: now, into: &news)
    carry(news, of: phone)
  }

  /// The code with which an input is refused; nil = it is taken. A refused one changes nothing.
  mutating func refusal(of input: PictureGuessPhone.Input, to phone: Int) -> String? {
    let before = "\(phones[phone])"
    do throws(Refusal) {
      try give(input, to: phone)
      return nil
    } catch {
      #expect("\(phones[phone])" == before && !error.reason.isEmpty)
      return error.code
    }
  }

  private mutating func carry(_ news: [PictureGuessPhone.Effect], of phone: Int) {
    #expect(phones[phone].violations == [])
    effects[phone] += news
    for case .send(let envelope) in news {
      if isHolding {
        held.append((phone, envelope))
      } else {
        deliver(envelope, from: phone)
      }
    }
  }

  mutating func deliver(_ envelope: ThreadEnvelope, from sender: Int) {
    guard phones.indices.contains(envelope.to) else { return }
    try? give(.received(envelope.content, from: sender), to: envelope.to)
  }

  /// Delivers what is held, in the order of sending, until nothing is left.
  mutating func release() {
    isHolding = false
    let waiting = held
    held = []
    for (sender, envelope) in waiting { deliver(envelope, from: sender) }
  }

  /// Lets time pass, with all deadlines in order.
  mutating func wait(_ seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while let due = phones.compactMap(\.deadline).min(), due <= end {
      now = max(now, due)
      for phone in phones.indices {
        guard let due = phones[phone].deadline, due <= now else { continue }
        var news: [PictureGuessPhone.Effect] = []
        phones[phone].advance(to: now, into: &news)
        carry(news, of: phone)
      }
    }
    now = end
  }

  // MARK: What people do

  mutating func open(_ phone: Int) throws(Refusal) {
    try give(.open, to: phone)
    try give(.setStyle(.expanded), to: phone)
  }

  /// All open the app, and the first one begins a match.
  static func began(
    _ rules: PictureGuessRules = .default, people: Int = 2, match: UInt64 = 1
  ) throws -> GuessTable {
    var table = GuessTable(rules, people: people)
    for phone in 0..<people { try table.open(phone) }
    try table.give(.begin(MatchID(high: 0, low: match)), to: 0)
    return table
  }

  /// Chooses a picture of the word, after as many looks as it takes; of any word for nil.
  mutating func choose(_ word: String? = nil, by phone: Int) throws {
    for seed in 0..<20_000 {
      try give(.offer(seed: UInt64(seed)), to: phone)
      if word.map({ phones[phone].offers.contains($0) }) ?? true { break }
    }
    let index = word.map { phones[phone].offers.firstIndex(of: $0) } ?? 0
    try give(.choose(#require(index)), to: phone)
  }

  mutating func send(_ word: String? = nil, by phone: Int) throws {
    try choose(word, by: phone)
    try give(.send, to: phone)
  }

  /// The word that a phone is to guess.
  func word(of phone: Int) throws -> String { try #require(phones[phone].match?.word) }

  /// A wrong word that the tiles can spell: the answer with one letter replaced.
  func wrongWord(for phone: Int) throws -> String {
    var letters = Array(try word(of: phone).utf8)
    var rest = phones[phone].letters
    for letter in letters {
      rest.remove(at: try #require(rest.firstIndex(of: letter)))
    }
    letters[0] = try #require(rest.first { $0 != letters[0] })
    return String(decoding: letters, as: UTF8.self)
  }

  /// The places on the screen of the letters of a word.
  func places(of word: String, on phone: Int) throws -> [Int] {
    var letters = phones[phone].letters.map { Optional($0) }
    return try word.utf8.map { letter in
      let place = try #require(letters.firstIndex(of: letter))
      letters[place] = nil
      return place
    }
  }

  /// Puts a word into the slots, without waiting for the check.
  mutating func place(_ word: String, by phone: Int) throws {
    for (slot, place) in try places(of: word, on: phone).enumerated() {
      try give(.place(place, slot: slot), to: phone)
    }
  }

  /// Puts the right word into the slots, or a wrong one, and waits until the letters are home.
  mutating func guess(_ isRight: Bool = true, by phone: Int) throws {
    try place(isRight ? word(of: phone) : wrongWord(for: phone), by: phone)
    wait(1.3)
  }

  /// Plays on until a number of words is guessed, each at the first board.
  mutating func play(untilGames games: Int) throws {
    for word in (phones[0].newest?.games ?? -1) + 1..<games {
      try send(by: word % 2)
      try guess(by: 1 - word % 2)
    }
  }

  func kinds(_ phone: Int, _ isWanted: (PictureGuessPhone.Effect) -> Bool) -> Int {
    effects[phone].count(where: isWanted)
  }
}
