import CYaml
import Diagnostics

/// The events of the YAML library, checked before it makes values of them.
///
/// A few lines of aliases can expand to more than the memory holds, and comparing keys of lists or
/// mappings can take for ever ("billion laughs"). No suite needs either. Text that is not YAML passes,
/// up to its fault: there the library stops too.
enum YAMLEvents {
  static func requirePlain(_ text: String, of path: String) throws {
    try requireNoTags(text, of: path)
    var parser = yaml_parser_t()
    yaml_parser_initialize(&parser)
    defer { yaml_parser_delete(&parser) }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
    var text = text
    try text.withUTF8 { bytes in
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      var nesting = Nesting()
      while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else { return }
        defer { yaml_event_delete(&event) }
        guard event.type != YAML_STREAM_END_EVENT, event.type != YAML_NO_EVENT else { return }
        guard let fault = nesting.fault(of: event.type) else { continue }
        let mark = event.start_mark
        throw badData("\(path):\(mark.line + 1):\(mark.column + 1): expected \(fault)")
      }
    }
  }

  /// libyaml compares each declaration of a tag with all before it.
  private static func requireNoTags(_ text: String, of path: String) throws {
    // The line breaks of YAML 1.1.
    let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
    let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { breaks.contains($0) }
    let tag = "%TAG".unicodeScalars
    for (number, line) in lines.enumerated()
    where line.drop(while: { $0 == "\u{FEFF}" }).starts(with: tag) {
      throw badData("\(path):\(number + 1): expected no %TAG, found one; remove the line")
    }
  }

  /// The lists and mappings around an event.
  private struct Nesting {
    /// For each mapping whether its next value is a key; nil for a list.
    private var levels: [Bool?] = []

    mutating func fault(of type: yaml_event_type_t) -> String? {
      switch type {
      case YAML_ALIAS_EVENT:
        return "no alias (*); write out its content, and put a file pattern that begins with * in "
          + "quotes"
      case YAML_SCALAR_EVENT: turn()
      case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
        guard levels.last != true else {
          return "text as a key, found a list or keys; put text that begins with [ or { in quotes"
        }
        levels.append(type == YAML_MAPPING_START_EVENT ? true : nil)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        levels.removeLast()
        turn()
      default: break
      }
      return nil
    }

    /// After a key comes its value, and after that the next key.
    private mutating func turn() {
      if let isKey = levels.last ?? nil { levels[levels.count - 1] = !isKey }
    }
  }
}
