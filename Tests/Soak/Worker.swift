import Foundation
import Harness
import TraceFormats
import TraceModel

/// Makes and reads one case after another, in the process that may crash.
struct Worker {
  let reader: Reader
  let seed: UInt64
  let folder: String
  /// The folder for files on which libhdf5 crashed; nil = they are not kept.
  private let keep: String?
  private let inputs: any Inputs
  private let progressDescriptor: Int32

  init(
    reader: Reader, seed: UInt64, folder: String, corpus: String?, memory: Int, keep: String?
  ) throws {
    self.reader = reader
    self.keep = keep
    self.seed = seed
    self.folder = folder
    inputs = try reader.inputs(folder: folder, corpus: corpus, memory: memory)
    progressDescriptor = open(folder + "/progress", O_RDWR | O_CREAT, 0o644)
    guard progressDescriptor >= 0 else { throw SoakError("\(folder): cannot create a file") }
    DeadlySignals.install(progressDescriptor)
  }

  /// Runs cases until they have the requested number of bytes, or there are so many of them.
  func run(from first: Int, bytes limit: Int, files: Int) throws {
    var progress = Progress()
    var number = first
    repeat {
      var generator = Self.generator(seed: seed, case: number)
      let bytes = inputs.make(&generator)
      try write(bytes)
      progress.number = Int64(number)
      progress.write(to: progressDescriptor)
      if let error = inputs.read(path, &generator) {
        progress.refused += 1
        if error.contains("the HDF5 library") {
          progress.libraryFailures += 1
          try keepFile(number)
        }
        try check(error, number)
      } else {
        progress.accepted += 1
      }
      progress.bytes += Int64(bytes.count)
      number += 1
    } while progress.bytes < limit && number - first < files
    progress.number = Int64(number)
    progress.write(to: progressDescriptor)
  }

  /// Returns the generator of a case, which depends only on the seed and the number.
  static func generator(seed: UInt64, case number: Int) -> SeededGenerator {
    var mixer = SeededGenerator(seed: seed)
    return SeededGenerator(seed: mixer.next() &+ UInt64(number))
  }

  private var path: String { folder + "/input" + inputs.ending }

  private func keepFile(_ number: Int) throws {
    guard let keep else { return }
    try FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
    let copy = "\(keep)/\(reader.rawValue)-\(seed)-\(number)\(inputs.ending)"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
  }

  private func write(_ bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SoakError("\(path): \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
  }

  /// A message is for people: it names the file, is short, and disturbs no terminal.
  private func check(_ message: String, _ number: Int) throws {
    let control = message.unicodeScalars.first { $0.value < 32 && $0 != "\n" || $0.value == 127 }
    guard message.contains(path), message.utf8.count < 4000, control == nil else {
      throw SoakError("case \(number): an unreadable message: \(message.prefix(5000))")
    }
  }
}

/// Files of one format, and the reader of them.
protocol Inputs {
  /// The extension of the file's name, with the point.
  var ending: String { get }
  func make(_ generator: inout SeededGenerator) -> [UInt8]
  /// Nil = it was read; else the message.
  /// - Parameter generator: chooses the reader's options.
  func read(_ path: String, _ generator: inout SeededGenerator) -> String?
}

extension Reader {
  func inputs(folder: String, corpus: String?, memory: Int) throws -> any Inputs {
    switch self {
    case .csv: CSVInputs()
    case .gpslogger: GPSLoggerInputs()
    case .gpx: GPXInputs()
    case .fit: FITInputs()
    case .tcx: TCXInputs()
    case .http: try HTTPInputs()
    case .labels: LabelInputs()
    case .phyphox: AppInputs(app: .phyphox)
    case .sensorlog: AppInputs(app: .sensorLog)
    case .sensorlogger: AppInputs(app: .sensorLogger)
    case .zip: ZipInputs()
    case .nmea: NMEAInputs()
    case .day: DayInputs()
    case .scenarios: ScenarioInputs()
    case .fixture: FixtureInputs()
    case .suite: try SuiteInputs(folder: folder)
    case .native: try NativeInputs(folder: folder, corpus: corpus, memory: memory)
    case .results: try NativeInputs(resultsIn: folder, memory: memory)
    }
  }
}

struct SoakError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
