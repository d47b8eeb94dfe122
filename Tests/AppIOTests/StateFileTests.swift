import AppIO
import AppEngines
import Foundation
import Testing
import TraceModel

/// Counts, and remembers the numbers that JSON finds hard.
private struct CountingEngine: AppEngine, Equatable {
  static let name = "counting"
  static let stateVersion = 2
  var count = 0
  var numbers = [
    0.1 + 0.2, -0.0, .infinity, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ]
  var generator = SeededGenerator(seed: 3)

  mutating func handle(
    _ input: Int, at now: TraceInstant, into effects: inout [Int]
  ) throws(Refusal) {
    guard input > 0 else { throw Refusal("not-positive", "expected a positive number") }
    count += input
    effects.append(count)
  }
  var violations: [String] { count < 0 ? ["the count is negative"] : [] }
}

/// The same app, a version earlier.
private struct OlderEngine: AppEngine {
  static let name = "counting"
  static let stateVersion = 1
  var count = 7
  mutating func handle(_: Int, at _: TraceInstant, into _: inout [Int]) throws(Refusal) {}
  var violations: [String] { [] }
}

/// The same app and version in another form.
private struct NewerEngine: AppEngine, Equatable {
  static let name = "counting"
  static let stateVersion = 2
  var count = 0
  var name = ""
  mutating func handle(_: Int, at _: TraceInstant, into _: inout [Int]) throws(Refusal) {}
  var violations: [String] { [] }
}

private struct OtherEngine: AppEngine {
  static let name = "other"
  static let stateVersion = 1
  var count = 3
  mutating func handle(_: Int, at _: TraceInstant, into _: inout [Int]) throws(Refusal) {}
  var violations: [String] { [] }
}

@Suite struct StateFileTests {
  private let own: TestFolder
  private var folder: URL { own.url }
  private var path: String { folder.appending(path: "state.json").path }

  init() throws {
    own = try TestFolder()
  }

  private func engine(_ count: Int) -> CountingEngine {
    var engine = CountingEngine()
    engine.count = count
    return engine
  }

  private func damage() throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data[data.count / 2] ^= 1
    try data.write(to: URL(fileURLWithPath: path))
  }

  @Test func opensWhatWasSaved() throws {
    let file = StateFile<CountingEngine>(path: path)
    #expect(try file.open() == nil)
    try file.save(engine(5))
    try file.save(engine(6))
    let opened = try #require(try file.open())
    #expect(opened.engine == engine(6))
    #expect(opened.engine.numbers[1].sign == .minus)
    #expect(opened.notice == nil)
    var generators = (opened.engine.generator, SeededGenerator(seed: 3))
    #expect(generators.0.next() == generators.1.next())
  }

  @Test func damagedStateGivesTheOneBeforeAndIsKept() throws {
    let file = StateFile<CountingEngine>(path: path)
    try file.save(engine(5))
    try file.save(engine(6))
    try damage()
    let damaged = try Data(contentsOf: URL(fileURLWithPath: path))
    let opened = try #require(try file.open())
    #expect(opened.engine == engine(5))
    #expect(opened.notice?.contains("state.json.damaged") == true)
    let kept = folder.appending(path: "state.json.damaged")
    #expect(try Data(contentsOf: kept) == damaged)
    // Going on from there loses nothing either.
    try file.save(engine(9))
    #expect(try file.open()?.engine == engine(9))
    #expect(try Data(contentsOf: kept) == damaged)
  }

  @Test func damagedStateWithoutOneBeforeIsRefusedAndKept() throws {
    let file = StateFile<CountingEngine>(path: path)
    try file.save(engine(5))
    try damage()
    let error = try #require(throws: TraceError.self) { try file.open() }
    #expect(error.description.contains("a new state can be started"))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    #expect(try file.open() == nil)
  }

  @Test func savingOverADamagedStateKeepsTheGoodOneBefore() throws {
    let file = StateFile<CountingEngine>(path: path)
    try file.save(engine(5))
    try file.save(engine(6))
    try damage()
    try file.save(engine(7))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    try damage()
    #expect(try file.open()?.engine == engine(5))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged-2"))
  }

  private func damage(_ path: String) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data[data.count / 2] ^= 1
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// Nothing can be opened any more: the app starts anew, says so, and everything is kept.
  @Test func damageOfBothStartsAnewAndKeepsBoth() throws {
    let file = StateFile<CountingEngine>(path: path)
    try file.save(engine(5))
    try file.save(engine(6))
    try damage()
    try damage(path + ".previous")
    let kept = try [path, path + ".previous"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let opened = try file.open(orStart: engine(1))
    #expect(opened.engine == engine(1))
    let names = [path + ".damaged", path + ".previous.damaged"]
    for name in names { #expect(opened.notice?.contains(name) == true) }
    #expect(opened.notice?.hasSuffix("started anew") == true)
    #expect(try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == kept)
    try file.save(engine(2))
    #expect(try file.open(orStart: engine(9)).engine == engine(2))
  }

  @Test func damageOfTheOneBeforeAloneStartsAnew() throws {
    let file = StateFile<CountingEngine>(path: path)
    try file.save(engine(5))
    try FileManager.default.moveItem(atPath: path, toPath: path + ".previous")
    try damage(path + ".previous")
    #expect(try file.open(orStart: engine(1)).notice?.contains(".previous.damaged") == true)
    #expect(try file.open(orStart: engine(1)).notice == nil)
  }

  /// A state of another version is kept under another name.
  @Test func anotherVersionIsSetAside() throws {
    let older = StateFile<OlderEngine>(path: path)
    try older.save(OlderEngine())
    try older.save(OlderEngine(count: 8))
    let files = [path, path + ".previous"].map { URL(fileURLWithPath: $0) }
    let saved = try files.map { try Data(contentsOf: $0) }
    let file = StateFile<CountingEngine>(path: path)
    #expect(throws: TraceError.self) { try file.open() }
    #expect(FileManager.default.fileExists(atPath: path))
    let opened = try file.open(orStart: engine(1))
    #expect(opened.engine == engine(1))
    let kept = ["state.json.version-1", "state.json.previous.version-1"].map {
      folder.appending(path: $0)
    }
    for url in kept { #expect(opened.notice?.contains(url.path) == true) }
    #expect(try kept.map { try Data(contentsOf: $0) } == saved)
    try file.save(opened.engine)
    #expect(try file.open(orStart: engine(2)).engine == engine(1))
  }

  /// A state that a newer program wrote is kept for it.
  @Test func aNewerVersionIsSetAside() throws {
    try StateFile<CountingEngine>(path: path).save(engine(5))
    let opened = try StateFile<OlderEngine>(path: path).open(orStart: OlderEngine())
    #expect(opened.engine.count == 7)
    #expect(opened.notice?.contains("state.json.version-2") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A state of this version in a form that is not known, e.g. of a build in between.
  @Test func anUnknownFormOfThisVersionIsSetAside() throws {
    try StateFile<CountingEngine>(path: path).save(engine(5))
    let file = StateFile<NewerEngine>(path: path)
    #expect(throws: TraceError.self) { try file.open() }
    let opened = try file.open(orStart: NewerEngine(count: 3))
    #expect(opened.engine.count == 3)
    #expect(opened.notice?.contains("state.json.version-2") == true)
    try file.save(opened.engine)
    #expect(try file.open(orStart: NewerEngine()).engine.count == 3)
  }

  /// A state of another app stays: the path is wrong.
  @Test func aStateOfAnotherAppStays() throws {
    try StateFile<OtherEngine>(path: path).save(OtherEngine())
    let file = StateFile<CountingEngine>(path: path)
    #expect(throws: TraceError.self) { try file.open(orStart: engine(1)) }
    #expect(try StateFile<OtherEngine>(path: path).open() != nil)
  }

  @Test(arguments: ["elsewhere/state.json", "none-yet.json"]) func aLinkStaysOne(
    _ target: String
  ) throws {
    let folder = folder.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    let file = StateFile<CountingEngine>(path: path)
    for count in 1...2 { try file.save(engine(count)) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    let real = self.folder.appending(path: target).path
    #expect(try StateFile<CountingEngine>(path: real).open()?.engine == engine(2))
    try damage(real)
    #expect(try file.open()?.engine == engine(1))
    #expect(FileManager.default.fileExists(atPath: real + ".damaged"))
  }

  @Test func aLinkToItselfAndAPipeAreRefused() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "state.json")
    let file = StateFile<CountingEngine>(path: path)
    #expect(throws: TraceError.self) { try file.open() }
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: TraceError.self) { try file.open() }
    #expect(throws: TraceError.self) { try file.save(engine(1)) }
  }

  /// Two programs have the same state open; the second to save gets an error, and loses nothing.
  @Test func twoSaversDoNotOverwriteEachOther() throws {
    let (one, other) = (
      StateFile<CountingEngine>(path: path), StateFile<CountingEngine>(path: path)
    )
    #expect(try one.open() == nil && other.open() == nil)
    try one.save(engine(1))
    let error = try #require(throws: TraceError.self) { try other.save(engine(10)) }
    #expect(
      error.description
        == "\(path): expected no file, or one that was opened before, found a state that another "
        + "program saved; open it and go on from there, or save with overwriting: true")
    #expect(try other.open()?.engine == engine(1))
    try other.save(engine(11))
    #expect(throws: TraceError.self) { try one.save(engine(2)) }
    try one.save(engine(2), overwriting: true)
    #expect(try StateFile<CountingEngine>(path: path + ".previous").open()?.engine == engine(11))
    // It is gone: nothing can be overwritten.
    try FileManager.default.removeItem(atPath: path)
    try one.save(engine(3))
  }

  /// Each adds one, again and again: no addition is lost, whoever comes first.
  @Test func saversAtTheSameTimeLoseNothing() async throws {
    let path = path
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let file = StateFile<CountingEngine>(path: path)
          var added = 0
          while added < 10 {
            guard let found = try? file.open(orStart: CountingEngine()) else { continue }
            var engine = found.engine
            engine.count += 1
            if (try? file.save(engine)) != nil { added += 1 }
          }
        }
      }
    }
    #expect(try StateFile<CountingEngine>(path: path).open()?.engine.count == 40)
  }

  /// One object, used from several threads: its own saves are no other program's.
  @Test func oneFileIsSavedFromSeveralThreads() async throws {
    let file = StateFile<CountingEngine>(path: path)
    let engines = (1...40).map(engine)
    let failures = await withTaskGroup(of: Int.self) { group in
      for engine in engines {
        group.addTask { (try? file.save(engine)) == nil ? 1 : 0 }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
    #expect(try file.open() != nil)
  }

  /// The one before is an intact state of another version: it is neither replaced nor forgotten.
  @Test func anotherVersionBeforeIsKept() throws {
    try StateFile<OlderEngine>(path: path).save(OlderEngine())
    try FileManager.default.moveItem(atPath: path, toPath: path + ".previous")
    let before = try Data(contentsOf: URL(fileURLWithPath: path + ".previous"))
    let file = StateFile<CountingEngine>(path: path)
    try file.save(engine(1))
    #expect(throws: TraceError.self) { try file.save(engine(2)) }
    try damage()
    let error = try #require(throws: TraceError.self) { try file.open() }
    #expect(error.description.contains("version 1"))
    #expect(error.description.contains("state.json.damaged"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".previous")) == before)
  }

  @Test func savingOverAnotherVersionIsRefused() throws {
    try StateFile<OlderEngine>(path: path).save(OlderEngine())
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: TraceError.self) { try StateFile<CountingEngine>(path: path).save(engine(1)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func otherVersionIsRefusedAndLeftAlone() throws {
    try StateFile<OlderEngine>(path: path).save(OlderEngine())
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = try #require(throws: TraceError.self) {
      try StateFile<CountingEngine>(path: path).open()
    }
    #expect(
      error.description
        == "\(path): expected the state of counting, version 2, found counting, version 1; open it "
        + "with the program that wrote it, or start a new state elsewhere")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func everyDamageIsNoticed() throws {
    let bytes = try SavedState.bytes(of: engine(3))
    #expect(try SavedState.engine(CountingEngine.self, from: bytes) == engine(3))
    for position in bytes.indices {
      var damaged = bytes
      damaged[position] ^= 0x20
      #expect(throws: TraceError.self) { try SavedState.engine(CountingEngine.self, from: damaged) }
      let short = Array(bytes[..<position])
      #expect(throws: TraceError.self) { try SavedState.engine(CountingEngine.self, from: short) }
    }
  }
}
