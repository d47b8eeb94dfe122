import Diagnostics
import Files
import Foundation
import TraceModel

/// The child's side: reads the files that are requested on stdin, and writes them to stdout, until the
/// parent closes stdin.
package enum NativeReaderService {
  package static let argument = "__read-native-traces"

  /// A reader of files other than traces, which answers with JSON.
  package struct Reader: Sendable {
    let name: String
    let answer: @Sendable (String) throws -> Data
  }

  package static func run(_ readers: [Reader]) -> Never {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // A crash must not leave a core file.
    setrlimit(resource(RLIMIT_CORE), &none)
    signal(SIGPIPE, SIG_IGN)
    let (requests, replies) = (PipeEnd(descriptor: 0), PipeEnd(descriptor: 1))
    while let request = try? requests.message(ReadingRequest.self) {
      limit(request)
      guard answer(request, readers, replies) else { break }
    }
    exit(0)
  }

  /// Limits the memory and the processor time that reading the file may take from now on.
  private static func limit(_ request: ReadingRequest) {
    var status = stat()
    let size = stat(request.path, &status) == 0 ? Int(clamping: status.st_size) : 0
    let (share, overflow) = size.multipliedReportingOverflow(by: 64)
    let budget = request.memory.addingReportingOverflow(overflow ? .max : share)
    if !budget.overflow, let taken = addressSpace() { set(RLIMIT_AS, taken + budget.partialValue) }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    // Ten seconds, and one for each MiB: a hundred times the usual time.
    set(RLIMIT_CPU, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 10 + size >> 20)
  }

  /// Sets the soft limit, because the next file may need a higher one.
  private static func set(_ name: __rlimit_resource, _ value: Int) {
    var limit = rlimit()
    getrlimit(resource(name), &limit)
    limit.rlim_cur = min(rlim_t(clamping: value), limit.rlim_max)
    setrlimit(resource(name), &limit)
  }

  private static func resource(_ name: __rlimit_resource) -> __rlimit_resource_t {
    __rlimit_resource_t(name.rawValue)
  }

  /// The bytes that the process has mapped; nil if the system does not state them.
  private static func addressSpace() -> Int? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return strtol(line, nil, 10) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// False = the parent is gone.
  private static func answer(
    _ request: ReadingRequest, _ readers: [Reader], _ replies: PipeEnd
  ) -> Bool {
    var reply = ReadingReply()
    let path = request.path
    do {
      if !request.reader.isEmpty {
        guard let reader = readers.first(where: { $0.name == request.reader }) else {
          throw TraceError(
            .inputOutput, place: path, expected: "a program that reads \(request.reader)",
            found: "one without that reader")
        }
        let contents = try reader.answer(path)
        // Texts that many rows share are one text in the file.
        try ReaderBudget.requireUnpacked(
          contents.count, from: TracePath.size(of: path), each: ReaderBudget.columnsForEach, path,
          remedy: ReaderBudget.repack)
        return try replies.send(reply) && replies.write(contents)
      }
      let trace = try NativeTrace.read(path, unread: &reply.unread)
      reply.header = trace.header
      reply.header?.track = nil
      reply.trackCount = trace.header.track?.times.count
      return try replies.send(reply) && write(trace, replies)
    } catch {
      reply.failure =
        error as? TraceError ?? TraceError(place: path, expected: "a trace", found: "\(error)")
      return (try? replies.send(reply)) ?? false
    }
  }

  private static func write(_ trace: Trace, _ replies: PipeEnd) -> Bool {
    let sink: ColumnBytes.Sink = { replies.write($0) ? nil : .closedPipe }
    do {
      for info in trace.header.channels {
        guard let block = trace[info.channel] else { continue }
        try ColumnBytes.write(block, to: sink)
      }
      if let track = trace.header.track { try ColumnBytes.write(track, to: sink) }
      return true
    } catch {
      return false
    }
  }
}
