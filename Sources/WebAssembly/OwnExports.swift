// Further exports of a module that was built with a custom detector.

#if arch(wasm32) && OWN_DETECTOR
  import Detectors
  import PageRuns

  nonisolated(unsafe) private var ownTexts: [UInt8] = []

  /// The number of the custom detector; other modules lack this function and the next.
  @_expose(wasm, "ownNumber") @_cdecl("sb_own_number")
  public func exportOwnNumber() -> Int32 { Int32(PageDetector.own.rawValue) }

  /// Its name and the digest of the sources that it was built with: texts that end with 0.
  @_expose(wasm, "ownTexts") @_cdecl("sb_own_texts")
  public func exportOwnTexts() -> UnsafeMutableRawPointer? {
    ownTexts = Array(PageDetector.own.name.utf8) + [0]
    ownSources.withUTF8Buffer { ownTexts += $0 }
    ownTexts.append(0)
    return address(&ownTexts)
  }

  @_expose(wasm, "ownTextsLength") @_cdecl("sb_own_texts_length")
  public func exportOwnTextsLength() -> Int32 { Int32(ownTexts.count) }
#endif
