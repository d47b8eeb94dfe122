import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// A failure of a command that edits traces: the exit status, parts of the message, and no output.
struct StepCase: Sendable, CustomTestStringConvertible {
  var arguments: String
  var status: Int32
  var messages: [String]

  init(_ arguments: String, _ status: Int32, _ messages: String...) {
    self.arguments = arguments
    self.status = status
    self.messages = messages
  }

  var testDescription: String { arguments }

  func check() throws {
    let scratch = try Scratch()
    try StepTraces.write(to: scratch)
    let before = scratch.names
    let outcome = try Program.run(arguments.split(separator: " ").map(String.init), in: scratch.url)
    #expect(outcome.status == status, "\(outcome.errors)")
    for message in messages { #expect(outcome.errors.contains(message), "\(outcome.errors)") }
    #expect(scratch.names == before)
  }
}

/// Traces that the test suites of the editing commands share.
enum StepTraces {
  static func write(to scratch: Scratch) throws { try files.copy(to: scratch) }

  private static let files = MadeFiles { try make($0) }

  private static func make(_ scratch: Scratch) throws {
    func write(_ trace: Trace, _ name: String) throws {
      try NativeTrace.write(trace, to: scratch.path(name))
    }
    let motion = self.motion(seconds: 30)
    try write(motion, "motion.h5")
    var gravity = motion
    let block = try #require(motion[.userAcceleration])
    gravity.remove(.userAcceleration)
    gravity.set(block, for: .acceleration)
    try write(gravity, "gravity.h5")
    var unknown = motion
    unknown.header.setEpoch(nanoseconds: nil)
    try write(unknown, "unknown.h5")
    try write(walk(), "walk.h5")
    var synthetic = motion
    synthetic.header.origin = .synthetic
    try write(synthetic, "synthetic.h5")
    var backward = VectorColumns()
    for time in [0, 20, 10] as [Int64] {
      backward.append(Vector3(x: 1, y: 2, z: 3), measured: time, arrived: time)
    }
    var disordered = motion
    disordered.set(.vector(backward), for: .userAcceleration)
    try write(disordered, "backward.h5")
    try scratch.write("text", to: "text.h5")
  }

  /// A trace at 100 Hz from 2024-06-07T12:00:00Z, with gaps of 80 ms at 10 s and 2 s at 20 s.
  static func motion(seconds: Int, seed: UInt64 = 1) -> Trace {
    var random = SeededGenerator(seed: seed)
    var columns = VectorColumns()
    for index in 0..<seconds * 100
    where !(1001...1007).contains(index) && !(2001...2199).contains(index) {
      let time = Int64(index) * 10_000_000
      let value = Vector3(
        x: Float(random.normal()), y: Float(random.normal()), z: Float(random.normal()))
      columns.append(value, measured: time, arrived: time)
    }
    var header = TraceHeader(id: "motion", origin: .recorded)
    header.setEpoch(nanoseconds: EpochTime.nanoseconds(of: "2024-06-07T12:00:00Z"))
    header.end = TraceInstant(nanoseconds: Int64(seconds) * 1_000_000_000)
    header.subject = "Ann"
    header.references = [
      ReferenceSet(
        task: .punch,
        events: [5.0, 15, 25].map {
          ReferenceEvent(onset: TraceInstant(nanoseconds: Int64($0 * 1e9)))
        })
    ]
    var trace = Trace(header: header)
    trace.set(.vector(columns), for: .userAcceleration)
    return trace
  }

  /// A walk straight north at 2 m/s for 20 min, from the same time.
  static func walk() -> Trace {
    var fixes = FixColumns()
    for index in 0..<1200 {
      let time = Int64(index) * 1_000_000_000
      let fix = Fix(
        latitude: 46 + Double(index) * 2 / 111_160, longitude: 14.5, altitude: 300,
        horizontalAccuracy: 5)
      fixes.append(fix, measured: time, arrived: time)
    }
    var header = TraceHeader(id: "walk", origin: .recorded)
    header.setEpoch(nanoseconds: EpochTime.nanoseconds(of: "2024-06-07T12:00:00Z"))
    header.end = TraceInstant(nanoseconds: 1_199_000_000_000)
    header.subject = "Ann"
    var trace = Trace(header: header)
    trace.set(.fix(fixes), for: .location)
    return trace
  }
}

/// A folder with the traces, in which commands run.
struct StepBench {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try StepTraces.write(to: scratch)
  }

  @discardableResult
  func run(_ arguments: String, _ status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try Program.run(arguments.split(separator: " ").map(String.init), in: scratch.url)
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    return outcome
  }

  func trace(_ name: String) throws -> Trace {
    try NativeTrace.read(scratch.path(name))
  }

  /// Checks that equal input gives equal bytes.
  func expectRepeatable(_ arguments: String) throws {
    try run("\(arguments) -o one.h5")
    try run("\(arguments) -o two.h5")
    #expect(try scratch.bytes(of: "one.h5") == scratch.bytes(of: "two.h5"))
  }
}
