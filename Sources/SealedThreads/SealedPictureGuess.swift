public import AppEngines
import PictureGuessApp
package import TraceModel

/// ``SimulatedPictureGuess`` with a ``SealedThread`` for each phone.
package struct SealedPictureGuess: PictureGuessSimulation {
  private var game: SimulatedPictureGuess

  package init(_ setup: AppSetup) { game = SimulatedPictureGuess(setup) { SealedThread() } }

  package mutating func take(_ reading: Reading) { game.take(reading) }
  package var deadline: TraceInstant? { game.deadline }
  package mutating func advance(to now: TraceInstant) { game.advance(to: now) }
  package mutating func finish(device person: DeviceID, at end: TraceInstant) {
    game.finish(device: person, at: end)
  }
  package mutating func close(at end: TraceInstant) { game.close(at: end) }

  package mutating func takeEvents() -> [AppEvent] { game.takeEvents() }
  package var detections: [DetectionRecord] { game.detections }
  package var outcomes: [AppOutcome] { game.outcomes }
  package var violations: [String] { game.violations }
  package var networkCounts: NetworkCounts { game.networkCounts }
  package var metFaults: [ExchangeFault] { game.metFaults }
  package var messages: [MessageRecord] { game.messages }
  package var unmadeDecisions: [Decision] { game.unmadeDecisions }
  package var drawnFaults: [ExchangeFault] { game.drawnFaults }
}

extension SealedThread {
  /// The simulation of the app with sealed messages, to register with an `AppCatalog`.
  public static var simulation: any AppSimulation.Type { SealedPictureGuess.self }
}
