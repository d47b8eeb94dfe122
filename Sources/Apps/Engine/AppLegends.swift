extension SimulatedFight {
  public static var legend: String {
    """
    Stamina begins at 100 %; a fighter with none left has lost. A hit takes 4 % for each g of the punch.
    hits per swing: hits divided by punches detected before the end. damage error: mean distance from the
    damage of the punch's true peak, in % of full stamina (not of the damage); hits beyond sensor range:
    hits with a true peak above the sensor's range, which causes most of that error. wins counted: one per
    fight, unless both phones report it. odds: for these simulated profiles, from a model of simulated
    people; they mean nothing for real people.
    """
  }
}

extension SimulatedHike {
  public static var legend: String {
    """
    prompts: number of check-in prompts. visits: waypoints checked in at. reward: for all waypoints; finish
    time: from the start until then. order kept: visited in the route's order. prompt distance: mean
    distance from the waypoint at the prompt. uploads: check-ins stored by the server.
    """
  }
}

extension SimulatedWorkout {
  public static var legend: String {
    """
    distance error: relative to the true distance. duration: without pauses; moving time: also without
    standing. pace: seconds per mile. splits: kilometres and miles reported. weekly total: of the week of
    the run. friends: contacts in the address book who use the app. saved: whether the server has the run.
    """
  }
}
