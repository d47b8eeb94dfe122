import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Reports
import TraceFormats

struct EnrollCommand: EvaluationCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "enroll", abstract: "Learns the kinds of events from a person's examples.",
    discussion: """
      A person does each kind a few times, e.g. 5 straight punches, 5 hooks and 5 uppercuts. The \
      labels of the references name the kinds. A jab, a cross and everything straight are scored as \
      straight; "upper" in a name makes an uppercut, "hook" a hook. The hand can be part of the \
      name: lead-hook, right-uppercut.

      The file has a profile for each subject of the traces. Other commands take it as a parameter, \
      and use for each trace the profile of its subject:
        --parameters profile=person.json
      A subject without a profile has punches of unknown kind: across people, kinds are no better than \
      chance.

      EXAMPLES:
        shadowbox enroll examples/ --gravity-filter lowpass --per-kind 5 -o person.json
        shadowbox replay fight.h5 --gravity-filter lowpass \\
          --parameters profile=person.json
      """)

  @OptionGroup var data: EvaluationDatasetOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var deviceRate: DeviceRateOptions

  @Option(help: "The number of examples of each kind, the earliest; default: all.")
  var perKind: Int?

  @Option(name: .shortAndLong, help: "The file of profiles to write (.json).") var output: String
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    try requirePositive(perKind, "--per-kind")
    let dataset = try await readData(registry)
    let path = try outputFiles.checked(output, .profiles, inputs: files(of: dataset))
    let report = EnrolmentReport(
      try Enrolment(dataset, perKind: perKind), of: dataset, perKind: perKind)
    try StandardOutput.write(report.lines.map { onOneLine($0) + "\n" }.joined())
    for warning in report.warnings { terminal.warn(warning) }
    try outputFiles.prepared(report.file(), at: path).commit()
    terminal.say("profiles in \(output)")
  }
}
