import TraceFormats
import ArgumentParser
import Foundation
import Harness

/// Feeds each reader of the project with damaged files, for as long as one likes.
///
/// The files are made by grammar, from a seed and a number, so that each can be made again. They are
/// read in a process of their own: what crashes it is told with the file, which is kept, and the
/// work goes on after it.
@main
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Reads damaged files of every format, and says whether a reader gave way.",
    discussion: """
      Exit code 0: no crash, no hang and no memory beyond the bound. 1: one of these (a fault), of
      which the first 20 of each reader are told.

      Native traces are read as the commands read them, in a process of their own: that the HDF5
      library gives way there is no fault but an error of the file. How often it did is told.

      EXAMPLES:
        soak --bytes 10000000
        soak --seconds 3600 --seed 7
        soak --reader csv --seed 7 --only 1234
      """)

  @Option(help: "Which reader; may be repeated. By default each in turn.")
  var reader: [Reader] = []

  @Option(help: "How many bytes each reader gets at least.")
  var bytes: Int?

  @Option(help: "How many seconds each reader has; without --bytes the default is 60.")
  var seconds: Double?

  @Option(help: "What the files are made from.")
  var seed: UInt64?

  @Option(help: "Make and read this one case, and keep its file.")
  var only: Int?

  @Option(help: "Where the files of faults are kept.")
  var keep = "out/soak"

  @Option(help: "A folder with native traces that are damaged besides those made here.")
  var corpus: String?

  @Option(help: "The memory that reading a file may take, in MiB.")
  var memory = 256

  @Flag(help: "Keep also the files on which libhdf5 gave way.")
  var keepLibraryFailures = false

  @Option(help: .hidden)
  var worker: String?

  @Option(help: .hidden)
  var from = 0

  static func main() {
    // Its workers start it again to read native traces.
    NativeFile.isolate()
    main(nil)
  }

  func run() throws {
    if let worker, let reader = reader.first {
      try Worker(
        reader: reader, seed: seed ?? 0, folder: worker, corpus: corpus, memory: memory << 20,
        keep: keepLibraryFailures ? keep : nil
      )
      .run(from: from, bytes: bytes ?? .max, isSingle: only != nil)
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
        bytes: bytes ?? .max, seconds: seconds ?? (bytes == nil ? 60 : .infinity))
      print(report)
      reports.append(report)
    }
    if reports.contains(where: { !$0.faults.isEmpty }) { throw ExitCode(1) }
  }
}

/// What is fed.
enum Reader: String, CaseIterable, ExpressibleByArgument {
  case csv, gpslogger, gpx, labels, native, nmea, phyphox, sensorlog, sensorlogger, suite, zip
}
