extension SimulatedFight {
  public static var legend: String {
    """
    Stamina begins at 100 %; a fighter with none left has lost. A hit takes 4 % for each g of the punch.
    hits per swing: hits divided by punches detected before the end. hits limited: hits that took less than
    measured, because no report may win a fight alone. damage error: mean distance of the measured damage
    from that of the punch's true peak, in % of full stamina (not of the damage); hits beyond sensor range:
    hits with a true peak above the sensor's range, which causes most of that error. wins counted: one per
    fight, unless both phones report it. odds: for these simulated profiles, from a model of simulated
    people; they mean nothing for real people. hit delay: from the peak of a punch to the opponent's view
    with the stamina; hits not seen: those that have none. 0 unless a preset allows them: stamina rises,
    wins counted twice, moves out of turn; hits lost: acknowledged, and not on the server; unended fights:
    without an end, even long after, or both phones wait.
    """
  }
}

extension SimulatedHike {
  public static var legend: String {
    """
    prompts: number of check-in prompts. visits: waypoints checked in at. reward: for all waypoints; finish
    time: from the start until then. order kept: visited in the route's order. prompt distance: mean
    distance from the waypoint at the prompt. prompt delay: from the first true entry into a waypoint's
    circle to its first prompt, below 0 = before. uploads: check-ins stored by the server. Counted as
    violations: visits twice or out of order; bad fix prompts: by a fix that is invalid or worse than 100 m; check-ins
    lost: neither on the server nor waiting on the phone.
    """
  }
}

extension SimulatedWorkout {
  public static var legend: String {
    """
    distance error: relative to the true distance. duration: without pauses; moving time: also without
    standing. pace: seconds per mile. splits: kilometres and miles reported. weekly total: of the week of
    the run. week rank: among the friends, 1 = the most distance. friends: contacts in the address book who
    use the app. saved: whether the server has the run. Counted as violations: workouts lost: neither on the
    server nor waiting on the phone; wrong weeks: the week shown with another total; tracks to strangers:
    shown to somebody who is not a friend of both sides.
    """
  }
}
