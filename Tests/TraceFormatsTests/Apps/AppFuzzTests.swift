import PackedFiles
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// Damaged recordings: a reader gives a result or throws a ``TraceError``, the same for a folder, an
/// archive and packed files; a trap ends the test run. `make soak` does more of it.
@Suite struct AppFuzzTests {
  static let recordings: [[(String, String)]] = [
    PhyphoxTests.android(PhyphoxTests.Dialect.all[4]), PhyphoxTests.paused,
    SensorLoggerTests.files(platform: "ios", standardisation: "false"),
    [
      (
        "watch.csv",
        ([SensorLogTests.header.joined(separator: ",")] + SensorLogTests.rows(SensorLogTests.times))
          .joined(separator: "\n")
      )
    ],
  ]

  /// The result as text, in which NaN equals NaN, without paths.
  private func outcome(_ path: String, _ options: RecordingOptions) -> String {
    do throws(TraceError) {
      let recording = try RecordingReader.read(path, options: options)
      var texts: [String] = []
      for trace in recording.traces { texts.append(try described(trace)) }
      return "\(recording.recognition.format) \(texts)".replacing(path + "/", with: "")
    } catch {
      return "error: \(error)".replacing(path + "/", with: "")
    }
  }

  @Test(.longer, arguments: recordings.indices)
  func damagedTablesAreReadOrRefused(index: Int) throws {
    let seed = UInt64(index + 1)
    var generator = SeededGenerator(seed: seed)
    let folder = try RecordingFolder()
    let rounds = LongTests.count(quick: 15, long: 150)
    var refused = 0
    for round in 0..<rounds {
      var files = Self.recordings[index].map { (name: $0.0, content: Array($0.1.utf8)) }
      let victim = Int(generator.next() % UInt64(files.count))
      let text = String(decoding: files[victim].content, as: UTF8.self)
      files[victim].content = TextFuzzTests.mutated(text, &generator)
      var options = RecordingOptions()
      options.sort = generator.next() % 3 == 0
      options.pauses = generator.next() % 2 == 0 ? .insert : .keep
      options.signs = generator.next() % 2 == 0 ? .android : .recorded
      let packed = files.map { (name: $0.name, content: Gzip.member($0.content)) }
      // One name, so that messages are the same.
      let outcomes = try [Zip(files), Zip(packed), Zip(files, [.dataDescriptor, .zip64])].map {
        outcome(try folder.write($0.bytes, to: "a.zip"), options)
      }
      #expect(Set(outcomes).count == 1, "seed \(seed) round \(round)")
      if outcomes[0].hasPrefix("error: ") { refused += 1 }
    }
    #expect(refused > 0 && refused < rounds * 4 / 5)
  }

  @Test(.longer) func damagedArchivesAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 9)
    let folder = try RecordingFolder()
    let rounds = LongTests.count(quick: 100, long: 400)
    var refused = 0
    let bases = [Zip(PhyphoxTests.paused).bytes, Zip(PhyphoxTests.paused, [.zip64]).bytes]
    for round in 0..<rounds {
      var bytes = bases[round % 2]
      for _ in 0..<(1 + generator.next() % 3) {
        let position = Int(generator.next() % UInt64(bytes.count))
        bytes[position] =
          [0, 1, 0xFF, UInt8(truncatingIfNeeded: generator.next())][
            Int(generator.next() % 4)]
      }
      let path = try folder.write(bytes, to: "a.zip")
      if outcome(path, RecordingOptions()).hasPrefix("error: ") { refused += 1 }
    }
    #expect(refused > rounds / 8 && refused < rounds - 1)
  }
}
