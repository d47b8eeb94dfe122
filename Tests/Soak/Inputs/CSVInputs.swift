import Diagnostics
import Harness
import TraceFormats
import TraceModel

/// Tables with swapped cells, cut and doubled lines, numbers at the edge, and quotes of every kind.
struct CSVInputs: Inputs {
  let ending = ".csv"
  private static let names = ["t", "x", "y", "z", "lat", "lon", "d", "p", "who", "label", "phase"]

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    let separator = generator.pick([",", ",", ";", "\t"])
    let end = generator.pick(["\n", "\n", "\r\n", "\r"])
    var names = Self.names
    if generator.isTrue(oneIn: 4) { names.swapAt(generator.below(10), generator.below(10)) }
    if generator.isTrue(oneIn: 8) { names.append(generator.pick(names)) }
    if generator.isTrue(oneIn: 8) { names.removeLast(generator.below(8)) }
    var lines = [names.joined(separator: separator)]
    var time = generator.below(5)
    for _ in 0..<generator.count(60) {
      time += generator.isTrue(oneIn: 12) ? generator.below(9) - 5 : 1
      lines.append(row(time, &generator).joined(separator: separator))
    }
    rearrange(&lines, &generator)
    var bytes = Array(lines.joined(separator: end).utf8)
    if generator.isTrue(oneIn: 2000) {
      // Longer than a record may be.
      let cell = [UInt8](repeating: generator.pick([0x22, 0x31, 0x20]), count: 3 << 19)
      bytes.insert(contentsOf: cell, at: generator.below(bytes.count))
    }
    if generator.isTrue(oneIn: 2) { generator.damage(&bytes) }
    return bytes
  }

  private func row(_ time: Int, _ generator: inout SeededGenerator) -> [String] {
    let instant =
      switch generator.below(12) {
      case 0: generator.number()
      case 1: generator.date()
      default: "\(Double(time) / 100)"
      }
    var cells = [instant]
    for _ in 0..<7 {
      cells.append(generator.isTrue(oneIn: 4) ? generator.number() : "\(generator.below(20))")
    }
    cells += [generator.pick(["a", "b", generator.word()]), generator.pick(["", "jab", "hook"])]
    cells.append(generator.pick(["began", "moved", "ended", "up", "cancelled", "", "1"]))
    switch generator.below(20) {
    case 0: cells.swapAt(generator.below(cells.count), generator.below(cells.count))
    case 1: cells.removeLast(generator.below(cells.count))
    case 2: cells.append(generator.word())
    case 3: cells[generator.below(cells.count)] = "\"" + generator.word() + "\"\"\n\""
    case 4: cells[generator.below(cells.count)] = "\"" + generator.number()
    default: break
    }
    return cells
  }

  private func rearrange(_ lines: inout [String], _ generator: inout SeededGenerator) {
    for _ in 0..<generator.below(3) {
      let index = generator.below(lines.count)
      switch generator.below(5) {
      case 0: lines.swapAt(index, generator.below(lines.count))
      case 1: lines.insert(lines[index], at: index)
      case 2: lines[index] = String(lines[index].prefix(generator.below(9)))
      case 3: lines.insert("", at: index)
      default: lines.append(lines[index])
      }
    }
  }

  private static let mappings = [
    "time=t,x=x,y=y,z=z", "time=t[ms],x=x[g],y=y[mg],z=z", "time=t[iso],latitude=lat,longitude=lon",
    "time=#1,latitude=lat[rad],longitude=lon[rad],altitude=d[ft],speed=p[km/h]",
    "time=t[ns],distance=d[km]", "time=t[us],pressure=p[hPa]", "time=t,arrived=d,x=x,y=y,z=z",
    "time=t,x=x[deg/s],y=y[deg/s],z=z[deg/s]", "time=t,heading=p",
    "time=t,touch.x=x,touch.y=y,phase=phase,pointer=d", "time=t,touch.x=x,touch.y=y,phase=label",
  ]

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    message {
      var options = CSVOptions(mapping: try CSVMapping(parsing: generator.pick(Self.mappings)))
      // Without a mapping it is inferred, or refused with a proposal.
      if generator.isTrue(oneIn: 4) { options.mapping = nil }
      options.gravity = generator.pick([.included, .removed])
      options.epochUnix = generator.isTrue(oneIn: 4)
      options.sort = generator.isTrue(oneIn: 3)
      options.strict = generator.isTrue(oneIn: 6)
      options.nanIsMissing = generator.isTrue(oneIn: 2)
      if generator.isTrue(oneIn: 3) { options.splitBy = generator.pick(["who", "#9", "label"]) }
      if generator.isTrue(oneIn: 3) { options.referenceColumn = "label" }
      if generator.isTrue(oneIn: 6) { options.separator = generator.pick([",", ";", "\t"]) }
      if generator.isTrue(oneIn: 6) { options.metadata = try CSVMetadata(parsing: "subject=who") }
      let found = try CSVReader.read(path, options: options)
      try writeAtTimes(found.map { try $0.trace }, beside: path, &generator)
    }
  }
}

/// The message of what `body` throws; nil = it does not.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return Harness.message(of: error)
  }
}

/// Writes what was read, or checks that it is refused with a message, as `convert` does.
func writeAtTimes(
  _ traces: [Trace], beside path: String, _ generator: inout SeededGenerator
) throws {
  guard generator.isTrue(oneIn: 50), let trace = traces.first else { return }
  let target = path + ".written"
  try NativeTrace.write(trace, to: target + ".h5")
  for info in trace.header.channels {
    try CSVWriter.write(trace, channel: info.channel, to: target + ".csv")
  }
}
