public import TraceModel

/// A simulation whose phones exchange messages with a server, or with each other.
///
/// It states what its messages are; ``Exchange`` carries them. All apps are carried alike: at each
/// instant restarts come first, then arrivals in their order, then the deadlines of each phone and
/// of its person, then that of the server.
@usableFromInline
package protocol ExchangedApp: AppSimulation {
  associatedtype Person: ExchangePerson
  /// ``NoServer`` if the phones need none.
  associatedtype Server: AppEngine
  associatedtype Message: Sendable

  var people: [Person] { get set }
  var server: Server { get set }
  var exchange: Exchange<Person.Engine, Server, Message> { get set }

  /// The lines of the log since the last ``AppSimulation/takeEvents()``.
  var events: [AppEvent] { get set }

  // MARK: Messages

  /// More messages for each phone, of all sent in the hour after the end, are a loop that nobody needs.
  var lastMessageLimit: Int { get }
  /// Returns what an effect of a phone sends; nil = nothing.
  mutating func posting(of effect: Person.Engine.Effect, by phone: Int) -> Posting<Message>?
  func posting(of effect: Server.Effect) -> Posting<Message>?
  /// Returns the input of a message from a phone to the server; nil = it is none.
  func serverInput(of message: Message, from phone: Int) -> Server.Input?
  /// Returns the input of a message to a phone; nil = it is none.
  mutating func phoneInput(
    of message: Message, from sender: Endpoint, to phone: Int
  ) -> Person.Engine.Input?
  /// Returns the answer to a message that the server refused; nil = none.
  func answer(to message: Message, refusedWith refusal: Refusal) -> Message?

  // MARK: What happens

  /// Reports an effect of a phone, and lets the person react to it.
  mutating func note(_ effect: Person.Engine.Effect, of person: Int, at now: TraceInstant)
  /// Reports that a phone refused an input of its person.
  mutating func noteRefusal(_ refusal: Refusal, of person: Int, at now: TraceInstant)
  /// Reports that the server executed a message, before its answer is sent.
  mutating func noteServed(_ message: Message, from person: Int, at now: TraceInstant)
  /// Reports that a message has reached a phone, after its effects.
  mutating func noteDelivery(of message: Message, to person: Int, at now: TraceInstant)
  /// Returns what a decision gives to the person's phone.
  /// - Throws: why it cannot be done now.
  mutating func inputs(
    of decision: Decision, at now: TraceInstant
  ) throws(Refusal) -> [Person.Engine.Input]
  /// Performs the due actions of a person.
  mutating func act(_ person: Int, at now: TraceInstant)

  // MARK: Restarts

  func newPhone(_ person: Int) -> Person.Engine
  func newServer() -> Server
  /// Returns what the server has and a state that it continues with has not. Default: none.
  func losses(to new: Server) -> [AppOutcome]
  /// Reports that a phone or the server continues with another state.
  mutating func noteRestart(of endpoint: Endpoint, isNew: Bool, at now: TraceInstant)
}

extension ExchangedApp {
  @inlinable package var lastMessageLimit: Int { 1000 }
  @inlinable package mutating func noteRefusal(
    _ refusal: Refusal, of person: Int, at now: TraceInstant
  ) {}
  @inlinable package mutating func noteServed(
    _ message: Message, from person: Int, at now: TraceInstant
  ) {}
  @inlinable package mutating func noteDelivery(
    of message: Message, to person: Int, at now: TraceInstant
  ) {}
  @inlinable package func losses(to new: Server) -> [AppOutcome] { [] }
  @inlinable package mutating func act(_ person: Int, at now: TraceInstant) {}
  @inlinable package mutating func inputs(
    of decision: Decision, at now: TraceInstant
  ) throws(Refusal) -> [Person.Engine.Input] { [] }
}

/// A person with a phone.
@usableFromInline
package protocol ExchangePerson: Sendable {
  associatedtype Engine: AppEngine

  var name: String { get }
  var engine: Engine { get set }
  /// The time of the person's next action; nil = none.
  var deadline: TraceInstant? { get }
  /// Whether the phone repeats a request until it is answered.
  var isWaiting: Bool { get }
  /// Returns what the phone has and a state that it continues with has not. Default: none.
  func losses(to new: Engine) -> [AppOutcome]
}

extension ExchangePerson {
  @inlinable package var deadline: TraceInstant? { nil }
  @inlinable package func losses(to new: Engine) -> [AppOutcome] { [] }
}

/// A message with its receiver.
@usableFromInline
package struct Posting<Message: Sendable>: Sendable {
  @usableFromInline package var to: Endpoint
  @usableFromInline package var message: Message
  @usableFromInline var content: (any Sendable)?

  /// - Parameter content: what a message says that does not show it.
  @inlinable package init(
    to receiver: Endpoint, _ message: Message, saying content: (any Sendable)? = nil
  ) {
    to = receiver
    self.message = message
    self.content = content
  }
}

/// The server of apps whose phones need none.
@usableFromInline
package struct NoServer: AppEngine {
  @usableFromInline package typealias Input = Never
  @usableFromInline package typealias Effect = Never

  @usableFromInline package static let name = "no-server"
  @usableFromInline package static let stateVersion = 1

  @usableFromInline package init() {}

  @inlinable package mutating func handle(
    _ input: Never, at now: TraceInstant, into effects: inout [Never]
  ) throws(Refusal) {}

  @inlinable package var violations: [String] { [] }
}
