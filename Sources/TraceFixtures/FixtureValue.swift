internal import TraceModel

/// The value of a reading as the fields of a row.
protocol FixtureValue: WholeValue {
  func append(to bytes: inout [UInt8])
  init(_ scanner: inout FixtureScanner) throws(TraceError)
}

func append<Number: FixtureNumber>(_ numbers: Number..., to bytes: inout [UInt8]) {
  for number in numbers {
    bytes.append(UInt8(ascii: " "))
    number.append(to: &bytes)
  }
}

extension Fix: FixtureValue {
  func append(to bytes: inout [UInt8]) {
    TraceFixtures.append(
      latitude, longitude, altitude, horizontalAccuracy, speed, speedAccuracy, course, to: &bytes)
  }

  init(_ scanner: inout FixtureScanner) throws(TraceError) {
    self.init(
      latitude: try scanner.number("a latitude"), longitude: try scanner.number("a longitude"),
      altitude: try scanner.number("an altitude"),
      horizontalAccuracy: try scanner.number("a horizontal accuracy"),
      speed: try scanner.number("a speed"),
      speedAccuracy: try scanner.number("an accuracy of the speed"),
      course: try scanner.number("a course"))
  }
}

extension LocalPosition: FixtureValue {
  func append(to bytes: inout [UInt8]) { TraceFixtures.append(x, y, to: &bytes) }

  init(_ scanner: inout FixtureScanner) throws(TraceError) {
    self.init(x: try scanner.number("x in m"), y: try scanner.number("y in m"))
  }
}

extension Scalar: FixtureValue {
  func append(to bytes: inout [UInt8]) { TraceFixtures.append(value, accuracy, to: &bytes) }

  init(_ scanner: inout FixtureScanner) throws(TraceError) {
    self.init(
      value: try scanner.number("a value"), accuracy: try scanner.number("an accuracy"))
  }
}

extension Heartbeat: FixtureValue {
  func append(to bytes: inout [UInt8]) { bytes += " \(peer) \(sequence)".utf8 }

  init(_ scanner: inout FixtureScanner) throws(TraceError) {
    self.init(
      peer: try scanner.integer("the id of a peer"),
      sequence: try scanner.integer("a sequence number"))
  }
}

extension Touch: FixtureValue {
  func append(to bytes: inout [UInt8]) {
    TraceFixtures.append(x, y, to: &bytes)
    bytes += " \(phase.name) \(pointer)".utf8
  }

  init(_ scanner: inout FixtureScanner) throws(TraceError) {
    self.init(
      x: try scanner.number("x in points"), y: try scanner.number("y in points"),
      phase: try scanner.choice(Touch.Phase.allCases, \.name, "a phase"),
      pointer: try scanner.integer("the number of a finger"))
  }
}

extension Action: FixtureValue {
  func append(to bytes: inout [UInt8]) { bytes += " \(name)".utf8 }

  init(_ scanner: inout FixtureScanner) throws(TraceError) {
    self = try scanner.choice(Action.allCases, \.name, "an action")
  }
}
