/// Text for XML 1.0. What XML cannot hold, such as most control characters, is written as `\u{b}`.
enum XMLText {
  /// Returns a text for the content of an element.
  static func escaped(_ text: String) -> String {
    escaped(text) { scalar in
      // A parser reads a carriage return as a line feed.
      scalar == "\r" ? "&#13;" : nil
    }
  }

  /// Returns a text for an attribute in double quotes.
  static func attribute(_ text: String) -> String {
    escaped(text) { scalar in
      // A parser reads white space in an attribute as blanks.
      switch scalar {
      case "\"": "&quot;"
      case "\t": "&#9;"
      case "\n": "&#10;"
      case "\r": "&#13;"
      default: nil
      }
    }
  }

  private static func escaped(
    _ text: String, _ replacement: (Unicode.Scalar) -> String?
  ) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      // `]]>` must not stand in a text.
      case ">": result += "&gt;"
      default:
        if let special = replacement(scalar) {
          result += special
        } else if isAllowed(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          result += "\\u{\(String(scalar.value, radix: 16))}"
        }
      }
    }
  }

  /// Whether XML 1.0 has the character (production 2, less the discouraged controls).
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
    default: false
    }
  }
}

/// An element of XML with its attributes in their order.
struct XMLElement {
  private var name: String
  private var attributes: [(name: String, value: String)]
  private var text = ""
  private var children: [XMLElement]

  /// - Parameter attributes: those without a value are left out.
  init(
    _ name: String, _ attributes: [(String, String?)] = [], text: String = "",
    children: [XMLElement] = []
  ) {
    (self.name, self.text, self.children) = (name, text, children)
    self.attributes = attributes.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The document with this element as its root.
  var document: String {
    var lines = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    write(to: &lines, indented: 0)
    return lines
  }

  private func write(to output: inout String, indented depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    output += indent + "<" + name
    for attribute in attributes {
      output += " \(attribute.name)=\"\(XMLText.attribute(attribute.value))\""
    }
    if !text.isEmpty {
      output += ">\(XMLText.escaped(text))</\(name)>\n"
    } else if children.isEmpty {
      output += "/>\n"
    } else {
      output += ">\n"
      for child in children { child.write(to: &output, indented: depth + 1) }
      output += "\(indent)</\(name)>\n"
    }
  }
}
