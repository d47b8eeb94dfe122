import TraceModel

/// Eight samples, one vector per axis.
struct SampleGroup {
  let x: SIMD8<Float>
  let y: SIMD8<Float>
  let z: SIMD8<Float>

  /// The squared magnitudes, with the same operations in the same order as
  /// ``Vector3/squaredMagnitude``, so that both agree bit for bit.
  @inline(__always)
  var squaredMagnitude: SIMD8<Float> { x * x + y * y + z * z }
}

/// Returns a position in `range` with no match before it: the start of the first group with a
/// match, or of the remaining samples that fill no group.
///
/// A group is tested as a whole, without a branch per sample, and its bounds are checked once, so
/// this runs at memory bandwidth.
@inline(__always)
func firstGroup(
  _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, in range: Range<Int>,
  where matches: (SampleGroup) -> SIMDMask<SIMD8<Int32>>
) -> Int {
  let size = 32
  var start = range.lowerBound
  while range.upperBound - start >= size {
    let bounds = start..<start + size
    let (x, y, z) = (x.extracting(bounds), y.extracting(bounds), z.extracting(bounds))
    var found = SIMDMask<SIMD8<Int32>>(repeating: false)
    for index in stride(from: 0, to: size, by: 8) {
      found = found
        .| matches(SampleGroup(x: x[eight: index], y: y[eight: index], z: z[eight: index]))
    }
    if any(found) { return start }
    start += size
  }
  return start
}

extension Span<Float> {
  /// Loads the elements from `start` on. Written out because this form compiles to two loads.
  @inline(__always)
  fileprivate subscript(eight start: Int) -> SIMD8<Float> {
    SIMD8(
      self[start], self[start + 1], self[start + 2], self[start + 3], self[start + 4],
      self[start + 5], self[start + 6], self[start + 7])
  }
}
