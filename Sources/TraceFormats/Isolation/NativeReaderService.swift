import Diagnostics
package import Foundation
import TraceModel

/// The child's side: reads the traces that are asked for on standard input, and writes them to
/// standard output, until there is nobody to ask.
package enum NativeReaderService {
  package static let argument = "__read-native-traces"

  /// A reader of files that are no traces, with what it answers as JSON.
  package struct Reader: Sendable {
    let name: String
    let answer: @Sendable (String) throws -> Data
  }

  package static func run(_ readers: [Reader]) -> Never {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // The files of crashes are of no use to anybody.
    setrlimit(resource(RLIMIT_CORE), &none)
    signal(SIGPIPE, SIG_IGN)
    let (requests, replies) = (PipeEnd(descriptor: 0), PipeEnd(descriptor: 1))
    while let request = next(requests) {
      limit(request)
      guard answer(request, readers, replies) else { break }
    }
    exit(0)
  }

  private static func next(_ requests: PipeEnd) -> ReadingRequest? {
    guard let memory = requests.number(),
      let reader = requests.bytes(limit: .max), let path = requests.bytes(limit: .max)
    else { return nil }
    return ReadingRequest(
      path: String(decoding: path, as: UTF8.self),
      reader: String(decoding: reader, as: UTF8.self), memory: memory)
  }

  /// Bounds what reading the file may take from now on.
  private static func limit(_ request: ReadingRequest) {
    var status = stat()
    let size = stat(request.path, &status) == 0 ? Int(clamping: status.st_size) : 0
    let (share, overflow) = size.multipliedReportingOverflow(by: 64)
    let budget = request.memory.addingReportingOverflow(overflow ? .max : share)
    if !budget.overflow, let taken = addressSpace() {
      set(RLIMIT_AS, taken + budget.partialValue)
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    // Ten seconds, and one for each MiB: a hundred times what is needed.
    set(RLIMIT_CPU, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 10 + size >> 20)
  }

  /// Sets the soft limit, which the next file may need higher.
  private static func set(_ name: __rlimit_resource, _ value: Int) {
    var limit = rlimit()
    getrlimit(resource(name), &limit)
    limit.rlim_cur = min(rlim_t(clamping: value), limit.rlim_max)
    setrlimit(resource(name), &limit)
  }

  private static func resource(_ name: __rlimit_resource) -> __rlimit_resource_t {
    __rlimit_resource_t(name.rawValue)
  }

  /// Bytes that the process has mapped; nil where the system does not say.
  private static func addressSpace() -> Int? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return strtol(line, nil, 10) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// False = nobody is there any more.
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
        return replies.write(try ReadingReply.encoder.encode(reply)) && replies.write(contents)
      }
      let trace = try NativeTrace.read(path, unread: &reply.unread)
      reply.header = trace.header
      reply.header?.track = nil
      reply.trackCount = trace.header.track?.times.count
      guard replies.write(try ReadingReply.encoder.encode(reply)) else { return false }
      return write(trace, replies)
    } catch {
      reply.failure = ReadingReply.Failure(
        error as? TraceError ?? TraceError(place: path, expected: "a trace", found: "\(error)"))
      let data = (try? ReadingReply.encoder.encode(reply)) ?? Data()
      return replies.write(data)
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
