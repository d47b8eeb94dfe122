import AppEngines
import ArgumentParser
import Diagnostics
import Evaluation
import Reports

/// What makes the outcomes of apps a failure of a run.
enum FailOn: String, CaseIterable, ExpressibleByArgument {
  /// Something that a rule of the app forbids, e.g. stamina that rises.
  case violations
  /// Also what must be there and is not: a winner, a saved run.
  case outcomes
  /// Faults that met nothing.
  case unmetFaults = "unmet-faults"
}

struct FailOnOption: ParsableArguments {
  @Option(
    name: .customLong("fail-on"),
    help: .init(
      "Exit with 2 if an app breaks one of its rules (violations), also if nobody wins, nothing is "
        + "saved (outcomes), or a fault met nothing (unmet-faults); may be repeated.",
      valueName: "what"))
  var kinds: [FailOn] = []

  /// Prints what is wrong with each app.
  /// - Returns: whether something is.
  func report(_ apps: [AppRecord], _ terminal: Terminal) -> Bool {
    var fails = false
    for app in apps {
      let measured = MeasuredApp(app)
      let broken = app.outcomes.filter { outcome in
        outcome.isBroken
          && (kinds.contains(.outcomes)
            || (kinds.contains(.violations) && outcome.goal.isViolation))
      }.map { "\($0.title(of: measured.person(of: $0))) is \($0.shown)" }
      let unmet = kinds.contains(.unmetFaults) ? app.unmetFaults.map { "\($0) met nothing" } : []
      for text in broken + unmet {
        terminal.warn("\(inLine(app.entry)): \(inLine(text))")
        fails = true
      }
    }
    return fails
  }
}
