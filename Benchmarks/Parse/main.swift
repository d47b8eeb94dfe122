import TraceFormats
import TraceModel

// Reads a GPX into columns and writes nothing: `parse walk.gpx` prints the seconds that it took,
// from opening the file on, and the points that it found.

guard CommandLine.arguments.count == 2 else { fatalError("usage: parse file.gpx") }
let clock = ContinuousClock()
let start = clock.now
let imported = try GPXReader.read(CommandLine.arguments[1])
let elapsed = start.duration(to: clock.now)
print(elapsed / .seconds(1), imported.report.samples)
