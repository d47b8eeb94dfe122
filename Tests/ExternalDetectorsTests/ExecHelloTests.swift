import Diagnostics
import Foundation
import Replay
import Detectors
import TestSupport
import Testing
import TraceModel

@testable import ExternalDetectors

/// Tests how the answers of an external detector are read: the protocol in traces/FORMAT.md.
@Suite struct ExecHelloTests {
  // MARK: The command line

  @Test(arguments: [
    ("./a", ["./a"]), ("python3  a.py\t-x", ["python3", "a.py", "-x"]),
    ("'a b' \"c 'd'\" e''", ["a b", "c 'd'", "e"]), ("a''b \"\"", ["ab", ""]), ("", []),
    ("'a", nil), ("a \"b'", nil),
  ])
  func wordsOfACommandLine(text: String, words: [String]?) {
    #expect(ExecCommandLine.words(of: text) == words)
  }

  // MARK: The hello

  private static let hello = [
    "shadowbox-detector/1", "name x", "channel location", "task visit",
    "parameter p 1 0 2 m a  way", "ready",
  ]

  private func read(_ lines: [String]) throws -> ExecHello? {
    let reader = ExecHelloReader()
    for line in lines where try reader.take(line) { return reader.hello }
    return nil
  }

  @Test func aHelloIsRead() throws {
    let hello = try #require(try read(Self.hello))
    #expect(hello.name == "x" && hello.version.isEmpty && hello.threshold == nil)
    #expect(hello.channel == .location && hello.task == .visit)
    #expect(
      hello.parameters == [
        .init(name: "p", defaultValue: 1, range: 0...2, unit: .meters, summary: "a  way")
      ])
  }

  @Test(arguments: [
    ("parameter q 3 0 2 m", "parameter <name> <default> <lowest> <highest> <unit> <summary>"),
    ("parameter q 1 0 inf m", "parameter <name>"), ("parameter q nan 0 1 m", "parameter <name>"),
    ("parameter q 1 2 0 m", "parameter <name>"), ("parameter q 1 0 2 km", "a unit of m/s2"),
    ("parameter q=1 1 0 2 m", "parameter <name>"), ("parameter q", "parameter <name>"),
    ("parameter p 1 0 2 m", "each parameter once"), ("name y", "name once"),
    ("name", "name once"), ("version", "version <text>"), ("task jump", "a task ("),
    ("channel action", "channel once"), ("threshold q", "a parameter name as threshold"),
    ("", "name, version, channel"), ("Ready", "name, version, channel"),
  ])
  func aFaultInAHelloIsTold(line: String, expected: String) {
    var lines = Self.hello
    lines.insert(line, at: 5)
    if line == "task jump" { lines.remove(at: 3) }
    let error = #expect(throws: ExecFault.self) { try read(lines) }
    #expect(error?.expected.contains(expected) == true, "\(String(describing: error))")
  }

  // MARK: The conversation

  /// Output between two traces is an error.
  @Test func rejectsOutputBetweenTraces() throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      #!/bin/sh
      printf 'shadowbox-detector/1\\nname x\\nchannel user_acceleration\\ntask punch\\nready\\n'
      until [ -e go ]; do sleep 0.01; done
      echo 'detect 0 0'; touch said
      while read w r; do [ $w = end ] && echo done; done

      """, to: "child", permissions: 0o755)
    let command = try ExecCommandLine("exec:./child", relativeTo: scratch.url.path)
    var trust = ProgramTrust()
    trust.trust(command)
    let detector = try ExecDetector(trust.program(command), timeLimit: .seconds(10))
    defer { detector.close() }
    try scratch.write("", to: "go")
    while !scratch.names.contains("said") { usleep(1000) }
    var columns = VectorColumns()
    columns.append(Vector3(x: 1, y: 2, z: 3), measured: 0, arrived: 0)
    var trace = Trace(header: TraceHeader(id: "t", origin: .synthetic))
    trace.set(.vector(columns), for: .userAcceleration)
    let error = #expect(throws: Failure.self) {
      try detector.run(
        ExecParameters(detector.hello), on: MemorySource(trace), device: DeviceID(0),
        options: RunOptions(blockSize: 1))
    }
    #expect(error?.kind == .childFailed)
    #expect(
      error?.description == "exec:./child: expected no output between ready or done and the next "
        + "start, found some")
  }

  // MARK: Random output

  private static let alphabet = Array(
    "detect measure done 0123456789-+.e=kindlabelvalueplace\tnaf\u{e9}")

  private func damaged(_ line: String, _ generator: inout SeededGenerator) -> String {
    var characters = Array(line)
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0...characters.count, using: &generator)
      let letter = Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &generator)]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: characters.insert(letter, at: place)
      case 1 where place < characters.count: characters.remove(at: place)
      case 2 where place < characters.count: characters[place] = letter
      default: characters += [" "] + String(UInt64.random(in: 0 ... .max, using: &generator))
      }
    }
    return String(characters)
  }

  /// Random output is either an error or a valid detection, and never traps.
  @Test(arguments: 1...4)
  func damagedAnswersAreRefusedOrSound(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var block = VectorColumns()
    for index in 0..<Int64(20) {
      block.append(Vector3(x: 1, y: 2, z: 3), measured: index * 10, arrived: index * 10 + 5)
    }
    var sent = ExecInputs(end: TraceInstant(nanoseconds: 300))
    sent.add(0..<12, of: .vector(block))
    sent.add(TraceInstant(nanoseconds: 118))
    sent.add(12..<20, of: .vector(block))
    sent.add(TraceInstant(nanoseconds: 300), isEnd: true)
    let lines = [
      "detect 3 30", "detect 12 118 label=hook value=1.5", "detect 19 200 kind=a place=-3",
      "measure distance 12 m", "done",
    ]
    var (accepted, refused) = (0, 0)
    for _ in 0..<5_000 {
      let answer = ExecAnswer(to: sent, task: .punch)
      do throws(ExecFault) {
        for line in lines where try answer.take(damaged(line, &generator)) { break }
      } catch {
        refused += 1
        #expect(!error.expected.isEmpty && !error.found.isEmpty && error.found.count < 200)
      }
      accepted += answer.found.count
      for (one, next) in zip(answer.found, answer.found.dropFirst()) {
        #expect(
          one.input <= next.input && one.record.emitted <= next.record.emitted, "seed \(seed)")
      }
      for found in answer.found {
        #expect(
          0 <= found.input && found.input < sent.count && sent.span.contains(found.record.onset)
            && !found.record.value.isInfinite, "seed \(seed): \(found)")
      }
    }
    #expect(accepted > 1_000 && refused > 1_000, "seed \(seed): \(accepted), \(refused)")
  }

  @Test(arguments: 1...4)
  func damagedHellosAreRefusedOrSound(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (accepted, refused) = (0, 0)
    for _ in 0..<5_000 {
      let line = Int.random(in: 0..<Self.hello.count, using: &generator)
      var lines = Self.hello
      lines[line] = damaged(lines[line], &generator)
      do {
        guard let hello = try read(lines) else { continue }
        accepted += 1
        for parameter in hello.parameters {
          #expect(parameter.range.contains(parameter.defaultValue), "seed \(seed): \(lines)")
        }
      } catch {
        refused += 1
      }
    }
    #expect(accepted > 500 && refused > 500, "seed \(seed): \(accepted), \(refused)")
  }
}
