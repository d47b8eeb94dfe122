/// Reduces a list that makes a test fail to a list without superfluous elements.
///
/// Zeller and Hildebrandt's ddmin: it tries halves, then their complements, then finer and finer
/// parts. The result is 1-minimal: without any single element the test no longer fails.
///
/// ```swift
/// DeltaDebugging.reduced([1, 2, 3, 4, 5, 6]) { $0.contains(2) && $0.contains(5) }  // [2, 5]
/// ```
public enum DeltaDebugging {
  /// - Parameters:
  ///   - list: a list with which the test fails.
  ///   - fails: whether the test fails with a part of the list, which keeps its order.
  /// - Returns: the reduced list, which fails. At most O(n²) tests for n elements; O(k log n) where
  ///   k elements fail on their own.
  public static func reduced<Element>(
    _ list: [Element], fails: ([Element]) throws -> Bool
  ) rethrows -> [Element] {
    if try fails([]) { return [] }
    var list = list
    var parts = 2
    while list.count > 1 {
      if let smaller = try smaller(list, parts, fails) {
        // After a complement, the other parts keep their size.
        parts = smaller.isPart ? 2 : max(parts - 1, 2)
        list = smaller.list
      } else if parts < list.count {
        parts = min(parts * 2, list.count)
      } else {
        break
      }
    }
    return list
  }

  private static func smaller<Element>(
    _ list: [Element], _ parts: Int, _ fails: ([Element]) throws -> Bool
  ) rethrows -> (list: [Element], isPart: Bool)? {
    let bounds = (0...parts).map { $0 * list.count / parts }
    let ranges = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    for range in ranges {
      if try fails(Array(list[range])) { return (Array(list[range]), true) }
    }
    // With two parts, each is the complement of the other.
    guard parts > 2 else { return nil }
    for range in ranges {
      let rest = Array(list[..<range.lowerBound] + list[range.upperBound...])
      if try fails(rest) { return (rest, false) }
    }
    return nil
  }
}
