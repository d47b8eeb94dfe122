package import AppEngines
import Diagnostics
import Evaluation
import Foundation
package import Results
import TraceFormats
import TraceModel

/// The messages of an app's run, with the numbers that faults name them by.
package struct MessageTables {
  private let messages: [MessageRecord]
  /// By message, in bytes.
  private let sizes: [Int]

  package init(_ messages: [MessageRecord]) throws {
    self.messages = messages
    let encoder = JSONEncoder()
    sizes = try messages.map { record in
      if let bytes = record.message as? [UInt8] { return bytes.count }
      return try (record.message as? any Encodable).map { try encoder.encode($0).count } ?? 0
    }
  }

  /// A row per kind: how many were sent, and what became of them.
  package func summary(_ screen: Screen) -> String {
    let fates = MessageRecord.Fate.allCases.filter { fate in messages.contains { $0.fate == fate } }
    var table = TextTable(
      "Messages by kind",
      [.init("kind", .left, isText: true), .init("sent")] + fates.map { .init($0.rawValue) }
        + [.init("bytes", rank: 1)])
    for rows in messages.indices.inGroups(by: { messages[$0].kind }) {
      table.add(
        [messages[rows[0]].kind, "\(rows.count)"]
          + fates.map { fate in "\(rows.count { messages[$0].fate == fate })" }
          + ["\(rows.reduce(0) { $0 + sizes[$1] })"])
    }
    return table.render(screen) + "Each message, with the number for --fault: --full\n"
  }

  /// A row per message, in the order of sending.
  package func list(_ screen: Screen) -> String {
    var table = TextTable(
      "Messages in the order of sending",
      [
        .init("message", .left), .init("sent s"), .init("arrived s"), .init("fate", .left),
        .init("bytes", rank: 1), .init("kind", .left, isText: true),
      ])
    for (record, size) in zip(messages, sizes) {
      table.add([
        "\(record.number)", fixed(record.sent.seconds, 3),
        record.arrivals.map { fixed($0.seconds, 3) }.joined(separator: "\n"),
        record.fate.rawValue, "\(size)", record.kind,
      ])
    }
    return table.render(screen)
      + screen.wrapped("To lose the first of them: --fault lose:\(first)\n", indent: 2)
  }

  private var first: String { messages.first.map { "\($0.number)" } ?? "1-server:1" }

  package var csv: String {
    "message,from,to,number,kind,bytes,sent,arrived,copy_arrived,fate\n"
      + zip(messages, sizes).map { record, size in
        let times = record.arrivals.map { decimalSeconds($0.nanoseconds) } + ["", ""]
        let (link, number) = (record.number.link, record.number.number)
        return csvRow([
          "\(record.number)", "\(link.from)", "\(link.to)", "\(number)", record.kind, "\(size)",
          decimalSeconds(record.sent.nanoseconds), times[0], times[1], record.fate.rawValue,
        ])
      }.joined()
  }

  package var documents: [JSONObject] {
    zip(messages, sizes).map { record, size in
      [
        "message": "\(record.number)", "kind": record.kind, "bytes": size,
        "sent": record.sent.seconds, "arrived": record.arrivals.map(\.seconds),
        "fate": record.fate.rawValue,
      ]
    }
  }
}
