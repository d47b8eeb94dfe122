import Foundation
#if canImport(FoundationXML)
  import FoundationXML
#endif
import Testing

/// An element of XML and what is in it, as Foundation's parser reads it.
final class XMLTree {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [XMLTree] = []
  fileprivate var ownText = ""

  fileprivate init(_ name: String, _ attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// - Throws: if the document is not well formed.
  convenience init(_ data: Data) throws {
    self.init("", [:])
    let builder = XMLTreeBuilder(self)
    let parser = XMLParser(data: data)
    parser.delegate = builder
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  /// The text of the element and of all in it.
  var text: String { ownText + children.map(\.text).joined() }

  func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// The elements of that name at any depth, in their order.
  func all(_ name: String) -> [XMLTree] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }
}

private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
  private var open: [XMLTree]

  init(_ root: XMLTree) { open = [root] }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = XMLTree(name, attributes)
    open.last?.children.append(element)
    open.append(element)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.ownText += text }
}
