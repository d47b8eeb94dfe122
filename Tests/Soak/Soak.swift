import Results
import TraceFormats
import ArgumentParser
import Foundation
import Harness

/// Feeds each reader of the project with damaged files, and its HTTP client with hostile answers.
///
/// The files come from a grammar, a seed and a number, so that each can be reproduced. They are
/// read in a separate process: a crash is reported with its file, which is kept, and the work
/// continues with the next case.
@main
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Reads damaged files of every format, and reports whether a reader crashed.",
    discussion: """
      Exit code 0: no crash, no hang and no memory above the limit. 1: at least one of these faults;
      the first 20 of each reader are reported.

      Native traces are read as in the commands, in a separate process. A crash of the HDF5 library
      in that process is not a fault, but an error of the file. These crashes are counted.

      The files of the reader http are answers that a server on the loopback interface gives to the
      HTTP client: whole, in pieces, dripping, cut off or without an end.

      EXAMPLES:
        soak --bytes 10000000
        soak --seconds 3600 --seed 7
        soak --reader csv --seed 7 --only 1234
        soak --reader http --files 100000
      """)

  @Option(help: "The reader; may be repeated (default: all in turn).")
  var reader: [Reader] = []

  @Option(help: "The minimum number of bytes per reader.")
  var bytes: Int?

  @Option(help: "The maximum number of files per reader.")
  var files: Int?

  @Option(help: "The seconds per reader (default without --bytes and --files: 60).")
  var seconds: Double?

  @Option(help: "The seed of the files (default: random).")
  var seed: UInt64?

  @Option(help: "Make and read only this case, and keep its file.")
  var only: Int?

  @Option(help: "The folder for the files of faults.")
  var keep = "out/soak"

  @Option(help: "A folder with more native traces to damage.")
  var corpus: String?

  @Option(help: "The memory limit for reading a file, in MiB.")
  var memory = 256

  @Flag(help: "Keep also the files on which libhdf5 crashed.")
  var keepLibraryFailures = false

  @Option(help: .hidden)
  var worker: String?

  @Option(help: .hidden)
  var from = 0

  static func main() {
    // The workers start this program again to read native traces.
    NativeFile.isolate(adding: ResultsContents.readers)
    main(nil)
  }

  func run() throws {
    if let worker, let reader = reader.first {
      try Worker(
        reader: reader, seed: seed ?? 0, folder: worker, corpus: corpus, memory: memory << 20,
        keep: keepLibraryFailures ? keep : nil
      )
      .run(from: from, bytes: bytes ?? .max, files: only != nil ? 1 : files ?? .max)
      return
    }
    let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
    var reports: [Report] = []
    for reader in reader.isEmpty ? Reader.allCases : reader {
      let supervisor = try Supervisor(
        reader: reader, seed: seed, keep: keep, keepsLibraryFailures: keepLibraryFailures,
        corpus: corpus, memory: memory << 20)
      let report = try supervisor.run(
        from: only ?? from, isSingle: only != nil,
        share: Supervisor.Share(
          bytes: bytes ?? .max, files: files ?? .max,
          seconds: seconds ?? (bytes == nil && files == nil ? 60 : .infinity)))
      print(report)
      reports.append(report)
    }
    if reports.contains(where: { !$0.faults.isEmpty }) { throw ExitCode(1) }
  }
}

/// The readers under test.
enum Reader: String, CaseIterable, ExpressibleByArgument {
  case csv, day, fit, fixture, gpslogger, gpx, http, labels, native, nmea, phyphox, results
  case scenarios, sensorlog, sensorlogger, suite, tcx, zip
}
