import FightApp
import Harness
import HikeApp
import PictureGuessApp
import SealedThreads
import TicTacToeApp
import WorkoutApp

await Harness.main(apps: [
  FightClient.simulation, HikeEngine.simulation, WorkoutEngine.simulation,
  TicTacToeClient.simulation, SealedThread.simulation,
])
