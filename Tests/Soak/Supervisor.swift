import Foundation

/// Starts workers, and a new one after each crash, until a reader has its share of bytes or time.
struct Supervisor {
  let reader: Reader
  let seed: UInt64
  let keep: String
  let keepsLibraryFailures: Bool
  let corpus: String?
  /// The memory limit of a worker in bytes.
  let memory: Int
  private let folder: String

  /// The seconds after which a case counts as a hang; it takes milliseconds, or a second on a busy
  /// machine.
  private static let patience = 60.0

  init(
    reader: Reader, seed: UInt64, keep: String, keepsLibraryFailures: Bool, corpus: String?,
    memory: Int
  ) throws {
    self.reader = reader
    self.seed = seed
    self.keep = keep
    self.keepsLibraryFailures = keepsLibraryFailures
    self.corpus = corpus
    self.memory = memory
    folder = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// What a reader is fed with; the first limit counts.
  struct Share {
    var bytes: Int
    var files: Int
    var seconds: Double
  }

  func run(from first: Int, isSingle: Bool, share: Share) throws -> Report {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var report = Report(reader: reader, seed: seed)
    let end = Date().addingTimeInterval(share.seconds)
    var next = first
    while report.bytes < share.bytes, next - first < share.files, Date() < end, !report.isFull {
      var rest = share
      rest.bytes -= report.bytes
      rest.files -= next - first
      let ended = try work(from: next, rest, isSingle: isSingle, until: end)
      report.add(ended.progress)
      report.peakMemory = max(report.peakMemory, ended.peakMemory)
      next = Int(ended.progress.number) + 1
      if let fault = ended.fault(memory: memory) {
        report.faults.append(
          Report.Fault(what: fault, number: next - 1, file: try kept(next - 1)))
        // A fault before the first case would repeat for every case.
        if ended.progress.number < 0 { break }
      }
      if isSingle {
        report.keptFile = try kept(first)
        break
      }
    }
    return report
  }

  struct Ended {
    var progress = Progress()
    /// The status from wait(2).
    var status: Int32 = 0
    var isHanging = false
    var isOutOfTime = false
    var peakMemory = 0

    func fault(memory: Int) -> String? {
      if isHanging { return "a hang of \(Int(Supervisor.patience)) s" }
      if peakMemory > memory { return "\(peakMemory >> 20) MiB of memory" }
      if isOutOfTime || status == 0 { return nil }
      let signal = status & 0x7F
      guard signal != 0 else { return "exit code \(status >> 8 & 0xFF)" }
      let place =
        switch Blame(rawValue: progress.blame) ?? .unknown {
        case .library: "in libhdf5"
        case .project: "in the project's code"
        case .unknown: "at an unknown place"
        }
      return "\(String(cString: strsignal(signal))) \(place)"
    }
  }

  private func work(
    from first: Int, _ share: Share, isSingle: Bool, until end: Date
  ) throws -> Ended {
    try? FileManager.default.removeItem(atPath: progressPath)
    let process = try spawn(arguments(from: first, share, isSingle: isSingle))
    var ended = Ended()
    var last = (number: Int64(-2), since: Date())
    var usage = rusage()
    while wait4(process, &ended.status, WNOHANG, &usage) == 0 {
      usleep(20_000)
      let number = Progress(contentsOf: progressPath)?.number ?? -1
      if number != last.number { last = (number, Date()) }
      if !ended.isOutOfTime, Date() > end {
        ended.isOutOfTime = true
        kill(process, SIGKILL)
      } else if Date().timeIntervalSince(last.since) > Self.patience {
        ended.isHanging = true
        // The handler records where it hangs.
        kill(process, SIGABRT)
      }
    }
    ended.progress = Progress(contentsOf: progressPath) ?? Progress()
    // Linux counts in kibibytes.
    ended.peakMemory = usage.ru_maxrss * 1024
    return ended
  }

  private var progressPath: String { folder + "/progress" }

  private func arguments(from first: Int, _ share: Share, isSingle: Bool) -> [String] {
    var arguments = [
      CommandLine.arguments[0], "--worker", folder, "--reader", reader.rawValue, "--seed",
      "\(seed)", "--memory", "\(memory >> 20)", "--from", "\(first)", "--bytes",
      "\(share.bytes)", "--files", "\(share.files)",
    ]
    if isSingle { arguments += ["--only", "\(first)"] }
    if keepsLibraryFailures { arguments += ["--keep-library-failures", "--keep", keep] }
    if let corpus { arguments += ["--corpus", corpus] }
    return arguments
  }

  private func spawn(_ arguments: [String]) throws -> pid_t {
    var process: pid_t = 0
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let result = posix_spawn(&process, "/proc/self/exe", nil, nil, &pointers, environ)
    guard result == 0 else { throw SoakError("posix_spawn: \(String(cString: strerror(result)))") }
    return process
  }

  /// Keeps the file of a case, which is the last one written.
  private func kept(_ number: Int) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let inputs = names.filter { $0.hasPrefix("input") }
    // Files written from it have longer names.
    guard let name = inputs.min(by: { $0.count < $1.count }) else { return "" }
    try FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
    let path = "\(keep)/\(reader.rawValue)-\(seed)-\(number)\(name.dropFirst("input".count))"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: path)
    return path
  }
}

/// The result for one reader.
struct Report: CustomStringConvertible {
  struct Fault {
    var what: String
    var number: Int
    var file: String
  }

  let reader: Reader
  let seed: UInt64
  var bytes = 0
  var accepted = 0
  var refused = 0
  var peakMemory = 0
  var faults: [Fault] = []
  /// The number of files on which libhdf5 crashed in its own process.
  var libraryFailures = 0
  var keptFile: String?

  init(reader: Reader, seed: UInt64) {
    self.reader = reader
    self.seed = seed
  }

  /// The number of faults after which a reader is stopped.
  static let most = 20

  var isFull: Bool { faults.count >= Self.most }

  mutating func add(_ progress: Progress) {
    bytes += Int(progress.bytes)
    accepted += Int(progress.accepted)
    refused += Int(progress.refused)
    libraryFailures += Int(progress.libraryFailures)
  }

  var description: String {
    let lines = faults.map { fault in
      "  FAULT case \(fault.number): \(fault.what); kept as \(fault.file); repeat with "
        + "soak --reader \(reader.rawValue) --seed \(seed) --only \(fault.number)"
    }
    let left = isFull ? ["  stopped after \(Self.most) faults; there may be more"] : []
    let kept = keptFile.map { ["  kept as \($0)"] } ?? []
    var head =
      "\(reader.rawValue): seed \(seed), \(bytes) bytes in \(accepted + refused) files, "
      + "\(accepted) read, \(refused) refused, \(faults.count) faults, "
      + "at most \(peakMemory >> 20) MiB"
    if [.native, .results].contains(reader) {
      head += "; libhdf5 crashed on \(libraryFailures), which were refused"
    }
    return ([head] + lines + left + kept).joined(separator: "\n")
  }
}
