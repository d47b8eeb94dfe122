// Embedded Swift, which the detectors in a web page are compiled as, has no Codable: nothing is stored
// there. The names stand for nothing then, so that a type is written down once.
#if hasFeature(Embedded)
  public protocol Encodable {}
  public protocol Decodable {}
  public typealias Codable = Decodable & Encodable
#endif
