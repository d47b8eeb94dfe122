extension SimulatedFight {
  public static var legend: String {
    """
    Stamina begins at 100 %, and who has none left has lost. A hit takes as much of it as the punch had g,
    over 25. hits per swing: hits over punches that were detected before the end. damage error: mean
    distance from what the punch's true peak would have taken, in % of full stamina (not of the damage);
    hits beyond sensor range: hits whose true peak the sensor cuts off, which makes most of that error.
    wins counted: one for one fight, unless both phones report it. odds: of people with these made-up
    statistics against each other, by a model of simulated people; nothing real follows from them.
    """
  }
}

extension SimulatedHike {
  public static var legend: String {
    """
    prompts: how often the phone asked to check in. visits: waypoints that were checked in at. reward: for
    all waypoints; finish time: until then, from setting out. order kept: visited in the route's order.
    prompt distance: mean distance from the waypoint at the prompt. uploads: check-ins that the server has.
    """
  }
}

extension SimulatedWorkout {
  public static var legend: String {
    """
    distance error: against the true distance. duration: without pauses; moving time: without standing
    either. pace: seconds to the mile. splits: kilometres and miles that were told. weekly total: of the
    week in which it was run. friends: people of the address book who have the app too. saved: whether
    the server has the run.
    """
  }
}
