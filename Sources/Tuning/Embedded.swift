// As in TraceModel: the files of this module need not import it for names that mean nothing.
#if hasFeature(Embedded)
  public protocol Encodable {}
  public protocol Decodable {}
  public typealias Codable = Decodable & Encodable
#endif
