import TraceFormats
import TraceModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Reads a GPX into columns and writes nothing: `parse walk.gpx` prints the CPU time in seconds from
// opening the file on, and the number of points.

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

guard CommandLine.arguments.count == 2 else { fatalError("usage: parse file.gpx") }
let start = processorSeconds()
let imported = try GPXReader.read(CommandLine.arguments[1])
print(processorSeconds() - start, imported.report.samples)
