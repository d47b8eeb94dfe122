/// Text for XML 1.0. Characters that XML does not allow, such as most controls, become `\u{b}`, and so do
/// those that turn the direction of what follows.
enum XMLText {
  // `]]>` must not occur in a text. A parser reads a carriage return as a line feed.
  private static let ofElements: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;",
  ]
  // A parser reads white space in an attribute as blanks.
  private static let ofAttributes = ofElements.merging(
    ["\"": "&quot;", "\t": "&#9;", "\n": "&#10;"]) { $1 }

  /// Returns a text for the content of an element.
  static func escaped(_ text: String) -> String { escaped(text, ofElements) }

  /// Returns a text for an attribute in double quotes.
  static func attribute(_ text: String) -> String { escaped(text, ofAttributes) }

  private static func escaped(_ text: String, _ entities: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if let entity = entities[scalar] {
        result += entity
      } else if isAllowed(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  /// Whether XML 1.0 allows the character (production 2, without the discouraged controls).
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069: false
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
    default: false
    }
  }
}

struct XMLElement {
  private var name: String
  private var attributes: [(String, String?)]
  private var text: String
  private var children: [XMLElement]

  /// - Parameter attributes: in their order; those without a value are left out.
  init(
    _ name: String, _ attributes: [(String, String?)] = [], text: String = "",
    children: [XMLElement] = []
  ) {
    (self.name, self.attributes) = (name, attributes)
    (self.text, self.children) = (text, children)
  }

  /// The first line of a document.
  static let heading = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  var document: String {
    var lines = Self.heading
    write(to: &lines, indented: 0)
    return lines
  }

  private func write(to output: inout String, indented depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    output += indent + "<" + name
    for case (let name, let value?) in attributes {
      output += " \(name)=\"\(XMLText.attribute(value))\""
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
