import Diagnostics

/// Text for XML 1.0. Characters that XML does not allow, such as most controls, become `\u{b}`, and so do
/// those that a terminal does not get, see ``PrintedText``.
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
    // XML 1.0 allows no control characters (production 2) and two others less.
    escapingControls(text, keeping: ["\t", "\r"])
      .replacing(entities.merging(["\u{FFFE}": "\\u{fffe}", "\u{FFFF}": "\\u{ffff}"]) { $1 })
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
