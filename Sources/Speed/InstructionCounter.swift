import ChildProcesses
import Diagnostics
import Files
import Foundation

/// Counts the instructions of a program's entries with valgrind (callgrind), which needs no special
/// permissions and does not depend on the load of the machine.
struct InstructionCounter {
  /// The command and the environment that count the instructions of a program.
  struct Start {
    var words: [String]
    var variables: [String: String?]
  }

  /// The reason why nothing is counted, which is not a failure of the comparison.
  struct Unavailable: Error { var reason: String }

  private let side: SpeedSide
  private let plan: SpeedPlan

  init(_ side: SpeedSide, _ plan: SpeedPlan) { (self.side, self.plan) = (side, plan) }

  /// Returns the instructions per sample of the side's entries, by name.
  /// - Throws: ``Unavailable`` where this machine cannot count.
  func perSample() throws -> [String: Double] {
    guard let valgrind = HelperProgram.valgrind.file() else {
      throw Unavailable(reason: "valgrind is not installed")
    }
    let folder = try TemporaryFolder()
    let out = "\(folder.path)/counts"
    let words =
      [valgrind] + HelperProgram.valgrind.switches + [
        "-q", "--tool=callgrind", "--callgrind-out-file=\(out)",
        "--dump-before=\(SpeedMessages.mark)", program(in: folder.path),
      ]
    let process: SpeedProcess
    let ready: SpeedReady
    do {
      process = try SpeedProcess(
        side, samples: plan.countedSamples, plan: plan,
        under: Start(words: words, variables: variables))
      ready = try process.ready()
      _ = try process.ask(.count(passes: 1), SpeedCounted.self)
    } catch let failure as Failure where failure.kind != .interrupted {
      // The program itself runs, because its times were measured: only the counter fails.
      throw Unavailable(reason: "valgrind cannot run it: \(failure)")
    }
    process.end()
    return try Dictionary(
      ready.entries.enumerated().map { index, entry in
        let count = try total(in: "\(out).\(2 * index + 2)")
        return (entry.entry, Double(count) / Double(entry.samples))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a copy of the program without debugging information, which makes some versions of
  /// valgrind fail; the code is the same. If it cannot be copied, returns the program itself.
  private func program(in folder: String) -> String {
    let copy = "\(folder)/program"
    let isAbsolute = side.executable.hasPrefix("/")
    let own =
      isAbsolute
      ? side.executable : TracePath.absolute((side.folder ?? ".") + "/" + side.executable)
    guard let strip = HelperProgram.strip.file(),
      let run = try? HelperProgram.strip.start(
        strip, ["--strip-debug", "-o", copy, own], limit: .seconds(60)),
      run.finish() == .exited(0)
    else { return side.executable }
    return copy
  }

  /// Variables that make counts repeatable: Swift seeds its hashing per process, and glibc selects
  /// functions by processor. Traces are read by a process that is not counted.
  private var variables: [String: String?] {
    let features = ["AVX", "AVX2", "AVX512F", "AVX512VL", "FMA", "FMA4", "ERMS", "FSRM"]
    return HelperProgram.valgrindVariables.merging([
      "SWIFT_DETERMINISTIC_HASHING": "1",
      "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + features.map { "-\($0)" }.joined(separator: ","),
      "SHADOWBOX_READER": side.executable,
    ]) { $1 }
  }

  /// The instructions since the previous dump.
  private func total(in file: String) throws -> Int {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, ["summary:", "totals:"].contains(words[0]), let count = Int(words[1]) {
        return count
      }
    }
    throw Unavailable(reason: "valgrind wrote no count of the program's instructions")
  }
}
