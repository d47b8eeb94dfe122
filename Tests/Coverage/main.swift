import CoverageSimulation
import Foundation

// How often the printed intervals contain the truth, over simulated people.

var options: [String: UInt64] = ["--sets": 2000, "--seed": 1]
var part = ""
var arguments = Array(CommandLine.arguments.dropFirst())
while !arguments.isEmpty {
  let name = arguments.removeFirst()
  if name == "--figure", let named = arguments.first {
    part = named
    arguments.removeFirst()
    continue
  }
  guard options[name] != nil, let value = arguments.first.flatMap({ UInt64($0) }), value > 0 else {
    let usage = "usage: coverage [--sets N] [--seed N] [--figure PART OF ITS NAME]\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
  }
  arguments.removeFirst()
  options[name] = value
}
let study = CoverageStudy(sets: Int(options["--sets"] ?? 1), seed: options["--seed"] ?? 1)
let numbers = [3, 5, 6, 8, 12, 20]
let variations = [0, 0.5, 1, 2]

func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(width - text.count, 0)) + text
}

print(
  "Coverage of 95 % intervals in %, \(study.sets) simulated sets each, seed \(study.seed)\n"
    + "* below 93 % less two standard errors of the simulation where the level is claimed\n")
print(
  "figure                          exposure  CV   "
    + numbers.map { padded("\($0)", 6) }.joined() + "  people")
var failures = 0
let figures = TriedFigure.all.filter { part.isEmpty || $0.name.contains(part) }
let ranges = [1.0, 10]
for figure in figures {
  for range in ranges {
    for variation in variations {
      let cells = numbers.map { people -> String in
        let crowd = Crowd(people: people, range: range, variation: variation)
        guard let found = study.coverage(of: figure, for: crowd), let share = found.share else {
          return padded("-", 6)
        }
        let isClaimed = people >= 5 && figure.isClaimed(variation: variation)
        let fails = isClaimed && !found.holds
        if fails { failures += 1 }
        return padded(String(format: "%.1f", 100 * share) + (fails ? "*" : ""), 6)
      }
      let name = figure.name.padding(toLength: 32, withPad: " ", startingAt: 0)
      print(
        name + (range > 1 ? "tenfold " : "equal   ") + "  "
          + String(format: "%-4.1f", variation) + " " + cells.joined())
    }
  }
}
print("\nPairs of equal detectors whose intervals exclude each other, in %")
let compared: [TriedFigure] = [.rate, .recall(0.9), .f1, .percentile(50), .meanOfShares]
for (figure, range) in compared.filter(figures.contains).flatMap({ [($0, 1.0), ($0, 10)] }) {
  let cells = numbers.map { people -> String in
    let crowd = Crowd(people: people, range: range, variation: 1)
    let share = study.exclusions(of: figure, for: crowd)
    if let share, share >= 0.015, people >= 5 { failures += 1 }
    return padded(share.map { String(format: "%.2f", 100 * $0) } ?? "-", 6)
  }
  print(
    figure.name.padding(toLength: 32, withPad: " ", startingAt: 0)
      + (range > 1 ? "tenfold" : "equal  ") + "   1.0  "
      + cells.joined())
}
/// Laws that the method does not assume; and gamma with exposures that differ a hundredfold.
let laws: [(name: String, range: Double, law: Crowd.Law)] =
  Crowd.Law.allCases.dropFirst().map { ($0.rawValue, 1, $0) } + [
    ("gamma, hundredfold", 100, .gamma)
  ]

@MainActor func row(
  _ name: String, _ law: String, _ numbers: [Int] = numbers,
  _ cell: (Int) -> (share: Double?, fails: Bool)
) {
  let cells = numbers.map { people -> String in
    let (share, fails) = cell(people)
    if fails { failures += 1 }
    return padded((share.map { String(format: "%.1f", 100 * $0) } ?? "-") + (fails ? "*" : ""), 6)
  }
  print(
    name.padding(toLength: 23, withPad: " ", startingAt: 0)
      + law.padding(toLength: 22, withPad: " ", startingAt: 0) + cells.joined())
}

print(
  "\nCoverage under other laws, in %\nfigure                 law" + padded("people  ", 25)
    + numbers.map { padded("\($0)", 6) }.joined())
let tried: [TriedFigure] = [.rate, .recall(0.9), .recall(0.97), .f1]
for figure in tried.filter(figures.contains) {
  for (name, range, law) in laws {
    row(figure.name, name) { people in
      let crowd = Crowd(people: people, range: range, variation: 1, law: law)
      let found = study.coverage(of: figure, for: crowd)
      return (found?.share, people >= 5 && found?.holds == false)
    }
  }
}
for figure in TriedFigure.ofErrors.filter({ part.isEmpty || $0.name.contains(part) }) {
  let names = figure.name.components(separatedBy: ", ")
  row(names[0], names[1]) { people in
    let found = study.coverage(of: figure, for: Crowd(people: people, range: 1, variation: 1))
    let isClaimed = people >= 5 && figure.isClaimed(variation: 1)
    return (found?.share, isClaimed && found?.holds == false)
  }
}
if part.isEmpty || "budget".contains(part) {
  // They cost little, and a limit of 12.5 % takes a small error of the simulation.
  let study = CoverageStudy(sets: 20 * study.sets, seed: study.seed)
  let numbers = [3, 5, 6, 8, 12, 16, 20]
  print(
    "\nBudgets that are broken at a confidence of 0.9, in % of \(study.sets) sets\n"
      + "(* above 12.5 with 8 people or more)\nfigure                 law"
      + padded("people  ", 25) + numbers.map { padded("\($0)", 6) }.joined())
  let gamma = [("gamma", 1.0, Crowd.Law.gamma)]
  for (name, range, law) in gamma + laws {
    row("budget of false alarms", name, numbers) { people in
      let crowd = Crowd(people: people, range: range, variation: 1, law: law)
      let broken = study.brokenBudgets(for: crowd, confidence: 0.9)
      return (broken, people >= 8 && broken > 0.125 + 2 * (0.09 / Double(study.sets)).squareRoot())
    }
  }
}
print("\n\(failures) of the claimed cells do not hold")
exit(failures > 0 ? 1 : 0)
