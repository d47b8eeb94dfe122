import AppEngines
import Evaluation
import FightApp
import HikeApp
import PictureGuessApp
import SealedThreads
import TestSupport
import TicTacToeApp
import WorkoutApp

extension Program {
  /// The apps that the program registers.
  static let apps: [any AppSimulation.Type] = [
    FightClient.simulation, HikeEngine.simulation, WorkoutEngine.simulation,
    TicTacToeClient.simulation, SealedThread.simulation,
  ]

  /// What the program knows by name, without external detectors.
  static var registry: DetectorRegistry {
    var registry = DetectorRegistry.builtIn
    registry.apps = AppCatalog(apps)
    return registry
  }
}
