import Diagnostics

extension Row {
  func time(_ column: String) throws -> HistoryTime {
    guard let time = HistoryTime(try value(column)) else { throw DamagedRow(column: column) }
    return time
  }

  func choice<Choice: RawRepresentable>(_ column: String) throws -> Choice
  where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try value(column)) else {
      throw DamagedRow(column: column)
    }
    return choice
  }
}

extension HistoryRun {
  init(_ row: Row) throws {
    self.init(
      id: try row.value("id"), time: try row.time("time"), commit: try row.value("commit"),
      branch: try row.optional("branch"), machine: try row.value("machine"),
      toolVersion: try row.value("tool_version"), toolchain: try row.value("toolchain"),
      suite: try row.value("suite"), suiteDigest: try row.value("suite_sha256"),
      source: try row.choice("source"), verdict: try row.optional("verdict"))
  }
}

extension HistoryFigure {
  init(_ row: Row) throws {
    self.init(
      entry: try row.value("entry"), origin: try row.value("origin"),
      metric: try row.value("metric"), kind: try row.choice("kind"),
      value: try row.optional("value"), lower: try row.optional("lower"),
      upper: try row.optional("upper"), unit: try row.value("unit"),
      count: try row.optional("count"), method: try row.optional("method"))
  }
}

extension HistoryTrial {
  init(_ row: Row) throws {
    self.init(
      id: try row.value("id"), time: try row.time("time"), machine: try row.value("machine"),
      suite: try row.value("suite"), kind: try row.choice("kind"), runs: try row.value("runs"),
      alarms: try row.value("alarms"))
    guard isValid else { throw DamagedRow(column: "runs") }
  }
}
