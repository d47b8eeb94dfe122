import FightApp
import Harness
import HikeApp
import PictureGuessApp
import SealedThreads
import TicTacToeApp
import WorkoutApp

await Harness.main(apps: [
  SimulatedFight.self, SimulatedHike.self, SimulatedWorkout.self, SimulatedTicTacToe.self,
  SimulatedPictureGuess<SealedThread>.self,
])
