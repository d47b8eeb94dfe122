import Diagnostics
import TraceFormats
import TraceModel

/// Tracks whose elements are doubled, dropped, nested and left open, with entities and declarations.
struct GPXInputs: Inputs {
  let ending = ".gpx"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var text = generator.pick([
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "", "<?xml version='1.0'?>",
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "\u{FEFF}<?xml version=\"1.0\"?>",
    ])
    if generator.isTrue(oneIn: 12) { text += bomb(&generator) }
    text += "<gpx version=\"1.1\" creator=\"\(attribute(&generator))\">"
    for _ in 0..<generator.below(3) { text += point("wpt", &generator) }
    for _ in 0..<(1 + generator.below(2)) { text += track(&generator) }
    text += generator.isTrue(oneIn: 20) ? "" : "</gpx>"
    if generator.isTrue(oneIn: 300) {
      let depth = generator.below(60_000)
      text += String(repeating: generator.pick(["<a>", "<trk>", "<extensions>"]), count: depth)
    }
    if generator.isTrue(oneIn: 2000) {
      text +=
        generator.pick(["<!--", "<a b=\"", "<![CDATA[", "&", "<"])
        + String(repeating: generator.pick(["x", "-", "]"]), count: 3 << 19)
    }
    var bytes = Array(text.utf8)
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  /// Entities that would multiply if they were expanded.
  private func bomb(_ generator: inout SeededGenerator) -> String {
    let entities = (1..<12).map { level in
      let references = String(repeating: "&e\(level - 1);", count: 10)
      return "<!ENTITY e\(level) \"\(references)\">"
    }
    return "<!DOCTYPE gpx [<!ENTITY e0 \"boom\">\(entities.joined())"
      + generator.pick(["]>", "", "<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"])
  }

  private func track(_ generator: inout SeededGenerator) -> String {
    var points = (0..<generator.count(25)).map { _ in point("trkpt", &generator) }
    if points.count > 2, generator.isTrue(oneIn: 6) {
      points.swapAt(generator.below(points.count), generator.below(points.count))
    }
    let segments = "<trkseg>" + points.joined(separator: "\n") + close("trkseg", &generator)
    return "<trk><name>\(name(&generator))</name>" + segments + close("trk", &generator)
  }

  private func point(_ name: String, _ generator: inout SeededGenerator) -> String {
    let odd = generator.isTrue(oneIn: 10)
    let latitude = odd ? generator.number() : "\(46 + Double(generator.below(1000)) / 1e5)"
    let longitude = odd ? generator.number() : "\(13 + Double(generator.below(1000)) / 1e5)"
    let quote = generator.pick(["\"", "\"", "'"])
    var attributes = ["lat=\(quote)\(latitude)\(quote)", "lon=\(quote)\(longitude)\(quote)"]
    switch generator.below(20) {
    case 0 where generator.isTrue(oneIn: 20): attributes.append(attributes[0])
    case 1 where generator.isTrue(oneIn: 20): attributes.removeLast()
    case 2 where generator.isTrue(oneIn: 20):
      attributes.append("\(generator.word())=\"\(attribute(&generator))\"")
    default: break
    }
    if generator.isTrue(oneIn: 15) { return "<\(name) \(attributes.joined(separator: " "))/>" }
    var parts = ["<time>\(generator.date())</time>"]
    if generator.isTrue(oneIn: 2) { parts.append("<ele>\(generator.number())</ele>") }
    if generator.isTrue(oneIn: 3) {
      parts.append("<extensions><x:speed>\(generator.number())</x:speed><accuracy>1</accuracy>")
      parts.append(close("extensions", &generator))
    }
    if generator.isTrue(oneIn: 8) { parts.append(generator.pick(parts)) }
    if generator.isTrue(oneIn: 8) { parts.append("<hdop>\(generator.number())</hdop>") }
    return "<\(name) \(attributes.joined(separator: " "))>" + parts.joined()
      + close(name, &generator)
  }

  private func close(_ name: String, _ generator: inout SeededGenerator) -> String {
    switch generator.below(3000) {
    case 0: ""
    case 1: "</\(name)></\(name)>"
    case 2: "</gpx>"
    case 3: "<\(name)>"
    default: "</\(name)>"
    }
  }

  private func name(_ generator: inout SeededGenerator) -> String {
    generator.isTrue(oneIn: 4) ? content(&generator) : "a &amp; b"
  }

  private func content(_ generator: inout SeededGenerator) -> String {
    generator.pick([
      "a &amp; b", "&#38;", "&#x1F4A5;", "&#x110000;", "&#99999999999999999999;", "&e11;", "&;",
      "&amp",
      "<![CDATA[<trkpt>]]>", "<!-- -- -->", "<?php ?>", generator.number(), generator.word(),
    ])
  }

  private func attribute(_ generator: inout SeededGenerator) -> String {
    generator.isTrue(oneIn: 4)
      ? "a" : generator.pick(["a", "&lt;", "&quot;", "<", "\n", generator.number()])
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    message {
      var options = GPXOptions()
      options.sort = generator.isTrue(oneIn: 3)
      options.strict = generator.isTrue(oneIn: 6)
      options.waypointsAsPlaces = generator.isTrue(oneIn: 2)
      if generator.isTrue(oneIn: 4) { options.assumeInterval = .seconds(1) }
      if generator.isTrue(oneIn: 4) { options.metersPerHDOP = 5 }
      let found = try GPXReader.read(path, options: options)
      try writeAtTimes([found.trace], beside: path, &generator)
    }
  }
}
