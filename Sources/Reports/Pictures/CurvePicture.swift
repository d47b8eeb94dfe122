package import Tuning

/// The picture of a sweep, in four panels: recall against false alarms per hour, precision against
/// recall, latency against recall, and recall and false alarms against the threshold.
package struct CurvePicture: Picture {
  package static let kind = "curve"

  /// One combination of the other parameters, over all thresholds.
  package struct Curve: Encodable, Sendable {
    /// What tells it from the other curves, e.g. `refractory 0.2 s`; empty where it is alone.
    package var name: String
    /// By ascending threshold; at most ``mostPoints``.
    package private(set) var points: [PicturePoint]
    /// Area under the curve, where it is stated.
    package var area: Double?
    /// Whether the counts hold from each threshold to the next, so that a step is drawn, and not
    /// only at the thresholds.
    package var isExact: Bool

    /// More points than a panel has pixels show nothing more.
    package static let mostPoints = 4000

    /// - Parameter points: by ascending threshold; of more than ``mostPoints`` so many are drawn,
    ///   evenly over the list, the first and the last among them.
    package init(name: String, points: [PicturePoint], area: Double? = nil, isExact: Bool = true) {
      self.name = name
      self.points = Self.thinned(points)
      self.area = area
      self.isExact = isExact
    }

    /// The figures of a curve with their intervals; without latencies, which it does not know.
    package init(name: String, _ curve: ThresholdCurve, area: Double? = nil) {
      func point(_ index: Int, at threshold: Double) -> PicturePoint {
        PicturePoint(
          threshold: threshold, counts: curve.counts(at: index),
          falseAlarms: curve.falseAlarms(at: index))
      }
      var points = Self.evenly(Array(curve.thresholds.indices), atMost: Self.mostPoints - 1)
        .map { point($0, at: curve.thresholds[$0]) }
      // The last step holds up to there.
      if curve.isExact, curve.upper > curve.thresholds[curve.count - 1] {
        points.append(point(curve.count - 1, at: curve.upper))
      }
      self.init(name: name, points: points, area: area, isExact: curve.isExact)
    }

    private static func thinned(_ points: [PicturePoint]) -> [PicturePoint] {
      evenly(points, atMost: mostPoints)
    }

    private static func evenly<Element>(_ elements: [Element], atMost most: Int) -> [Element] {
      guard elements.count > most else { return elements }
      let step = Double(elements.count - 1) / Double(most - 1)
      return (0..<most).map { elements[Int((Double($0) * step).rounded())] }
    }
  }

  package var caption: PictureCaption
  /// Each in its own colour as far as seven go; those beyond are drawn in grey.
  package var curves: [Curve]
  /// The curve whose confidence bands are drawn, by its position; nil = none.
  package var banded: Int?
  package var marks: [PictureMark]
  /// False alarms per hour that are allowed, drawn as a line.
  package var budget: Double?

  package init(
    caption: PictureCaption, curves: [Curve], banded: Int? = 0, marks: [PictureMark] = [],
    budget: Double? = nil
  ) {
    self.caption = caption
    self.curves = curves
    self.banded = banded
    self.marks = marks
    self.budget = budget
  }
}
