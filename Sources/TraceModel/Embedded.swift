// The detectors in a web page are compiled as Embedded Swift, which has no Codable; nothing is
// stored there. These empty protocols let each type be declared once for both.
#if hasFeature(Embedded)
  public protocol Encodable {}
  public protocol Decodable {}
  public typealias Codable = Decodable & Encodable
#endif
