import ArgumentParser
import Reports

/// The options of every command that writes files.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Replace output files that Shadowbox did not write.")
  var force = false
}

/// A command with ``CommonOptions``.
protocol TerminalCommand: ParsableCommand {
  var common: CommonOptions { get }
}

/// A command that writes files.
protocol WritingCommand: TerminalCommand {
  var writing: WritingOptions { get }
}

extension TerminalCommand {
  /// The rules for the files that the command writes.
  var outputPolicy: OutputFile.Policy {
    let terminal = common.terminal
    return OutputFile.Policy(
      replacesOthers: (self as? any WritingCommand)?.writing.force ?? false,
      announce: { terminal.say($0) })
  }
}

extension RunCommand: WritingCommand {}
extension ReplayCommand: WritingCommand {}
extension BenchCommand: WritingCommand {}
extension ScoreCommand: TerminalCommand {}
extension SweepCommand: WritingCommand {}
extension TuneCommand: WritingCommand {}
extension SynthCommand: WritingCommand {}
extension InfoCommand: TerminalCommand {}
extension ValidateCommand: TerminalCommand {}
extension ConvertCommand: WritingCommand {}
extension ResampleCommand: WritingCommand {}
extension TrimCommand: WritingCommand {}
extension MergeCommand: WritingCommand {}
extension AlignCommand: WritingCommand {}
extension AnonymizeCommand: WritingCommand {}
