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
for figure in figures {
  for isUnequal in [false, true] {
    for variation in variations {
      let cells = numbers.map { people -> String in
        let crowd = Crowd(people: people, isUnequal: isUnequal, variation: variation)
        guard let found = study.coverage(of: figure, for: crowd), let share = found.share else {
          return padded("-", 6)
        }
        let isClaimed = figure.isClaimed && people >= 5 && variation <= 1
        let fails = isClaimed && !found.holds
        if fails { failures += 1 }
        return padded(String(format: "%.1f", 100 * share) + (fails ? "*" : ""), 6)
      }
      let name = figure.name.padding(toLength: 32, withPad: " ", startingAt: 0)
      print(
        name + (isUnequal ? "tenfold " : "equal   ") + "  "
          + String(format: "%-4.1f", variation) + " " + cells.joined())
    }
  }
}
print("\nPairs of equal detectors whose intervals exclude each other, in %")
let compared: [TriedFigure] = [.rate, .recall(0.9), .f1, .percentile(50), .mean]
for (figure, isUnequal) in compared.filter(figures.contains).flatMap({ [($0, false), ($0, true)] })
{
  let cells = numbers.map { people -> String in
    let crowd = Crowd(people: people, isUnequal: isUnequal, variation: 1)
    let share = study.exclusions(of: figure, for: crowd)
    if let share, share >= 0.01, people >= 5 { failures += 1 }
    return padded(share.map { String(format: "%.2f", 100 * $0) } ?? "-", 6)
  }
  print(
    figure.name.padding(toLength: 32, withPad: " ", startingAt: 0)
      + (isUnequal ? "tenfold" : "equal  ") + "   1.0  "
      + cells.joined())
}
print("\n\(failures) of the claimed cells do not hold")
exit(failures > 0 ? 1 : 0)
