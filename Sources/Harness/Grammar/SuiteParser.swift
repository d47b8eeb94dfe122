import Diagnostics
import Apps
import Detectors
import Digests
import Foundation
import Replay
import Evaluation
import TraceModel
import Yams

/// Reads suites. Every key is checked: a misspelt one would otherwise change what is measured
/// without a word.
struct SuiteParser {
  let path: String
  let registry: DetectorRegistry

  /// - Throws: ``Failure`` as `suite.yml:12: what is wrong`.
  static func read(_ path: String, registry: DetectorRegistry) throws -> Suite {
    let bytes = try bytes(of: path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badData, "\(path): expected UTF-8 text, found other bytes")
    }
    do {
      var suite = try SuiteParser(path: path, registry: registry).parse(text)
      let digest = SHA256Digest()
      bytes.withUnsafeBytes { digest.update($0) }
      suite.sha256 = digest.finish()
      return suite
    } catch let error as Failure where error.kind == .wrongUse {
      // A name that is not known is wrong use on a command line, and bad data in a file.
      throw Failure(.badData, error.description)
    }
  }

  /// Many times what anybody writes by hand, and little enough to be read whole.
  private static let largestSuite = 1 << 20

  /// The file's bytes; a pipe is read to its end.
  private static func bytes(of path: String) throws -> Data {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure(
        .fileError,
        "\(path): cannot be read as a suite: "
          + (errno == ENOENT ? "no such file" : String(cString: strerror(errno))))
    }
    defer { try? handle.close() }
    var bytes = Data()
    do {
      while bytes.count <= largestSuite, let piece = try handle.read(upToCount: largestSuite),
        !piece.isEmpty
      {
        bytes += piece
      }
    } catch {
      throw Failure(
        .fileError, "\(path): cannot be read as a suite: \(error.localizedDescription)")
    }
    guard bytes.count <= largestSuite else {
      throw Failure(
        .badData, "\(path): expected a suite of at most 1 MiB, found a larger file")
    }
    return bytes
  }

  func parse(_ text: String) throws -> Suite {
    try SuiteText(path: path, text: text).requireNoAliases()
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch {
      throw SuiteText(path: path, text: text).failure(error)
    }
    guard let root else { throw Failure(.badData, "\(path): the suite is empty") }
    let fields = try Fields(
      root, parser: self, known: ["schema", "name", "traces", "entries", "apps"])
    let schema = try fields.string("schema")
    guard schema == Suite.schema else {
      throw failure(fields.node, "expected schema \(Suite.schema), found \(schema)")
    }
    let sets = try traceSets(fields.required("traces"))
    var suite = Suite(
      name: try fields.optionalString("name") ?? fileStem, path: path, traceSets: sets,
      entries: [])
    let names = sets.map(\.name)
    var seen: Set<String> = []
    func checkName(_ name: String, _ node: Node) throws {
      guard seen.insert(name).inserted else {
        throw failure(node, "entry \(name) is there twice; names must be unique")
      }
    }
    // A suite of apps alone has no other entries.
    if fields["entries"] != nil || fields["apps"] == nil {
      for node in try list(fields.required("entries"), "entries") {
        let entry = try parseEntry(node, sets: names)
        try checkName(entry.name, node)
        suite.entries.append(entry)
      }
    }
    if let apps = fields["apps"] {
      for node in try list(apps, "apps") {
        let entry = try parseApp(node, sets: names, of: suite)
        try checkName(entry.name, node)
        suite.apps.append(entry)
      }
    }
    return suite
  }

  private func list(_ node: Node, _ what: String) throws -> Node.Sequence {
    guard let sequence = node.sequence, !sequence.isEmpty else {
      throw failure(node, "expected a list of \(what)")
    }
    return sequence
  }

  private func parseApp(_ node: Node, sets: [String], of suite: Suite) throws -> Suite.AppEntry {
    let fields = try Fields(
      node, parser: self,
      known: [
        "name", "app", "preset", "traces", "tolerance", "gravity_filter", "policy", "delivery",
        "device_rate", "network", "seed", "together",
      ])
    let place = "\(path):\(line(node))"
    let choice = try AppChoice(
      name: try fields.string("app"), preset: try fields.optionalString("preset"), place: place)
    var options = AppOptions()
    options.script = try fields["policy"].map(script)
    options.network = try fields["network"].map(network) ?? options.network
    options.seed = try fields["seed"].map(seed) ?? options.seed
    var entry = Suite.AppEntry(
      name: try name(of: fields) ?? choice.title, choice: choice,
      traces: try traces(of: fields, sets: sets, place: place),
      tolerance: try fields.duration("tolerance"),
      gravityFilter: try fields["gravity_filter"].map(gravityFilter),
      deviceRate: try fields["device_rate"].map(deviceRate),
      delivery: try fields["delivery"].map(delivery), options: options, place: place)
    entry.isTogether = try fields.flag("together") ?? false
    try choice.checkCount(suite.files(of: entry).count, place: place)
    return entry
  }

  /// As on the command line, or as a mapping.
  private func network(_ node: Node) throws -> NetworkConditions {
    let place = "\(path):\(line(node)): network"
    if let text = node.string { return try NamedNetwork.conditions(text, place: place) }
    guard let mapping = node.mapping else {
      throw failure(node, "expected network as \(NamedNetwork.keys.joined(separator: ", "))")
    }
    return try NamedNetwork.conditions(
      mapping.map { key, value in
        guard let name = key.string, let text = value.string else {
          throw failure(key, "expected network as name: value")
        }
        return (name, text)
      }, place: place)
  }

  private func seed(_ node: Node) throws -> UInt64 {
    guard let text = node.string, let seed = UInt64(text) else {
      throw failure(node, "expected seed as a whole number")
    }
    return seed
  }

  private func name(of fields: Fields) throws -> String? {
    if let name = fields["name"], name.string?.isEmpty ?? true {
      throw failure(name, "expected a name of the entry, found none")
    }
    return try fields.optionalString("name")
  }

  /// The trace sets that an entry names.
  private func traces(of fields: Fields, sets: [String], place: String) throws -> [String] {
    let traces = try strings(fields.required("traces"), "traces")
    for name in traces where !sets.contains(name) {
      throw Failure.unknown("trace set", name, known: sets, place: place)
    }
    return traces
  }

  private var fileStem: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  private func traceSets(_ node: Node) throws -> [Suite.TraceSet] {
    guard let mapping = node.mapping, !mapping.isEmpty else {
      throw failure(node, "expected named sets of trace files")
    }
    var sets: [Suite.TraceSet] = []
    var seen: Set<String> = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard seen.insert(name).inserted else {
        throw failure(key, "trace set \(name) is there twice")
      }
      let patterns = try strings(value, "trace set \(name)")
      var files: [String] = []
      for pattern in patterns {
        let found = expand(pattern)
        guard !found.isEmpty else {
          throw Failure(
            .fileError,
            "\(path):\(line(value)): no file matches \(pattern), relative to the suite's folder")
        }
        files += found
      }
      sets.append(Suite.TraceSet(name: name, files: files))
    }
    return sets
  }

  /// The files that a shell pattern matches, sorted.
  private func expand(_ pattern: String) -> [String] {
    let folder = Suite.folder(of: path)
    // What looks like a pattern in the folder's own name is none.
    let escaped = folder.map { "\\*?[".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    let full = pattern.hasPrefix("/") || folder == "." ? pattern : escaped + "/" + pattern
    var matches = glob_t()
    defer { globfree(&matches) }
    guard glob(full, 0, nil, &matches) == 0 else { return [] }
    return (0..<Int(matches.gl_pathc)).compactMap { index in
      matches.gl_pathv[index].map { String(cString: $0) }
    }
  }

  private func parseEntry(_ node: Node, sets: [String]) throws -> Suite.Entry {
    let fields = try Fields(
      node, parser: self,
      known: [
        "name", "detector", "preset", "parameters", "traces", "tolerance", "gravity_filter",
        "policy", "delivery", "device_rate",
      ])
    let place = "\(path):\(line(node))"
    let name = try name(of: fields)
    var choice = DetectorChoice(
      detector: try fields.string("detector"),
      preset: try fields.optionalString("preset") ?? "default")
    let detector = try registry.detector(
      named: choice.detector, place: place, relativeTo: Suite.folder(of: path))
    if let parameters = fields["parameters"] {
      try take(parameters, of: detector, into: &choice, hasPreset: fields["preset"] != nil)
    }
    _ = try detector.parameters(
      of: choice, for: TraceHeader(id: "", origin: .recorded), place: place)
    if detector.isExternal, let node = fields["policy"] {
      throw failure(node, "expected no policy beside an exec: detector, which is heard at the end")
    }
    return Suite.Entry(
      name: name ?? choice.title,
      choice: choice, traces: try traces(of: fields, sets: sets, place: place),
      tolerance: try fields.duration("tolerance"),
      gravityFilter: try fields["gravity_filter"].map(gravityFilter),
      deviceRate: try fields["device_rate"].map(deviceRate),
      delivery: try fields["delivery"].map(delivery),
      policy: try fields["policy"].map(policy), place: place)
  }

  /// Parameters as `name: value`, or the name of a parameter file, relative to the suite.
  private func take(
    _ node: Node, of detector: AnyDetector, into choice: inout DetectorChoice, hasPreset: Bool
  ) throws {
    if let file = node.string, node.mapping == nil {
      let folder = Suite.folder(of: path)
      let full = file.hasPrefix("/") || folder == "." ? file : folder + "/" + file
      let found: DetectorChoice
      do {
        found = try ParameterFile.read(full).choice(full, registry: registry, relativeTo: folder)
      } catch let error as Failure {
        // Where it is named, too: the name may be a mistake in the suite.
        throw Failure(error.kind, "\(path):\(line(node)): \(error.description)")
      }
      guard found.detector == choice.detector, !hasPreset || found.preset == choice.preset else {
        throw failure(
          node,
          "\(file) is for detector \(found.detector)/\(found.preset), not for "
            + "\(choice.detector)/\(choice.preset)")
      }
      choice = found
      return
    }
    guard let mapping = node.mapping else {
      throw failure(node, "expected parameters as name: value, or the name of a parameter file")
    }
    for (key, value) in mapping {
      guard let name = key.string, let text = value.string else {
        throw failure(key, "expected parameters as name: value")
      }
      choice.overrides[name] = try detector.value(
        of: name, text, place: "\(path):\(line(key))")
    }
  }

  private func gravityFilter(_ node: Node) throws -> GravityFilter.Parameters {
    if node.string == "lowpass" { return GravityFilter.Parameters() }
    guard node.mapping != nil else {
      throw failure(
        node, "expected gravity_filter as lowpass, or as its time_constant and freeze_band")
    }
    let fields = try Fields(node, parser: self, known: ["time_constant", "freeze_band"])
    var parameters = GravityFilter.Parameters()
    if let constant = try fields.duration("time_constant") {
      guard constant > .zero else {
        throw failure(node, "expected a time_constant above zero")
      }
      parameters.timeConstant = Double(constant.nanoseconds) / 1e9
    }
    if let band = try fields.quantity("freeze_band", unit: .metersPerSecondSquared) {
      guard band >= 0 else { throw failure(node, "expected a freeze_band of zero or more") }
      parameters.freezeBand = band
    }
    return parameters
  }

  private func deviceRate(_ node: Node) throws -> Double {
    guard let text = node.string, let rate = DeviceRateOptions.rate(of: text) else {
      throw failure(node, "expected device_rate as a rate above zero, such as 50 Hz")
    }
    return rate
  }

  /// As on the command line, or as a mapping of preset, seed and what differs from the preset.
  private func delivery(_ node: Node) throws -> NamedDelivery {
    let place = "\(path):\(line(node)): delivery"
    if let text = node.string { return try NamedDelivery(spelling: text, place: place) }
    guard let mapping = node.mapping else {
      throw failure(node, "expected delivery as a name, or as preset, seed and parameters")
    }
    var preset = RunRecord.idealDelivery
    var seed: UInt64 = 1
    var changes: [NamedDelivery.Change] = []
    for (key, value) in mapping {
      guard let name = key.string, let text = value.string else {
        throw failure(key, "expected parameters of the delivery as name: value")
      }
      switch name {
      case "preset": preset = text
      case "seed":
        guard let number = UInt64(text) else {
          throw failure(value, "expected seed as a whole number")
        }
        seed = number
      default: changes.append(.init(name: name, value: text))
      }
    }
    return try NamedDelivery(preset: preset, changes: changes, seed: seed, place: place)
  }

  /// What the people of an app do: a policy, and how they hold the button.
  private func script(_ node: Node) throws -> PersonScript {
    let own = ["arm_after", "hold_for"]
    let fields = try Fields(node, parser: self, known: Self.policyKeys + own)
    var script = PersonScript(try policy(node, known: Self.policyKeys + own))
    script.armAfter = try fields.duration("arm_after").map(seconds) ?? script.armAfter
    script.holdFor = try fields.duration("hold_for").map(seconds) ?? script.holdFor
    return script
  }

  private static let policyKeys = ["confirm_after", "continue_after", "cancel", "spread", "seed"]

  private func policy(_ node: Node) throws -> ScriptedPolicy {
    try policy(node, known: Self.policyKeys)
  }

  private func policy(_ node: Node, known: [String]) throws -> ScriptedPolicy {
    let fields = try Fields(node, parser: self, known: known)
    var policy = ScriptedPolicy()
    if let delay = try fields.duration("confirm_after") { policy.confirmAfter = delay }
    if let delay = try fields.duration("continue_after") { policy.continueAfter = delay }
    policy.cancelProbability = try fields.fraction("cancel") ?? 0
    policy.spread = try fields.fraction("spread") ?? 0
    if let node = fields["seed"] { policy.seed = try seed(node) }
    return policy
  }

  private func strings(_ node: Node, _ what: String) throws -> [String] {
    if let one = node.string, node.sequence == nil { return [one] }
    guard let sequence = node.sequence, !sequence.isEmpty else {
      throw failure(node, "expected \(what) as a list of names")
    }
    return try sequence.map { item in
      guard let text = item.string else {
        throw failure(item, "expected \(what) as a list of names")
      }
      return text
    }
  }

  private func line(_ node: Node) -> Int { node.mark?.line ?? 1 }

  func failure(_ node: Node, _ message: String) -> Failure {
    Failure(.badData, "\(path):\(line(node)): \(message)")
  }

  /// The keys of a mapping, all of them known.
  private struct Fields {
    let node: Node
    let parser: SuiteParser
    private let values: Node.Mapping

    init(_ node: Node, parser: SuiteParser, known: [String]) throws {
      guard let mapping = node.mapping else {
        throw parser.failure(node, "expected keys such as \(known.joined(separator: ", "))")
      }
      for key in mapping.keys {
        guard let name = key.string, known.contains(name) else {
          throw Failure.unknown(
            "key", key.string ?? "?", known: known, place: "\(parser.path):\(parser.line(key))")
        }
      }
      self.node = node
      self.parser = parser
      values = mapping
    }

    subscript(key: String) -> Node? { values[Node(key)] }

    func required(_ key: String) throws -> Node {
      guard let value = self[key] else { throw parser.failure(node, "expected key \(key)") }
      return value
    }

    func string(_ key: String) throws -> String {
      let value = try required(key)
      guard let text = value.string else { throw parser.failure(value, "expected \(key) as text") }
      return text
    }

    func optionalString(_ key: String) throws -> String? {
      self[key] == nil ? nil : try string(key)
    }

    func quantity(_ key: String, unit: ParameterUnit) throws -> Double? {
      guard let value = self[key] else { return nil }
      guard let text = value.string, let number = Quantity.value(of: text, unit: unit) else {
        throw parser.failure(
          value,
          "expected \(key) as a number with a unit of "
            + Quantity.names(of: unit).joined(separator: ", "))
      }
      return number
    }

    func duration(_ key: String) throws -> Duration? {
      guard let value = self[key] else { return nil }
      guard let text = value.string, let duration = Quantity.duration(of: text) else {
        throw parser.failure(value, "expected \(key) as a time such as 150 ms")
      }
      return duration
    }

    func flag(_ key: String) throws -> Bool? {
      guard let value = self[key] else { return nil }
      guard let flag = value.bool else {
        throw parser.failure(value, "expected \(key) as true or false")
      }
      return flag
    }

    func fraction(_ key: String) throws -> Double? {
      guard let value = self[key] else { return nil }
      guard let text = value.string, let number = Double(text), (0...1).contains(number) else {
        throw parser.failure(value, "expected \(key) as a number from 0 to 1")
      }
      return number
    }
  }
}

extension Harness {
  /// What is wrong with a suite's file, as `run` would tell it; nil = nothing. No trace is read.
  package static func fault(inSuite path: String) -> String? {
    do {
      _ = try SuiteParser.read(path, registry: .builtIn)
      return nil
    } catch {
      return message(of: error)
    }
  }

  /// An error as the person at the terminal is told it.
  package static func message(of error: any Error) -> String {
    switch error {
    case let error as Failure: error.description
    case let error as TraceError: Failure(error).description
    default: Failure(.badData, "\(error)").description
    }
  }
}
