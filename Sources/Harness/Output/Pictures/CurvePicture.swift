/// The picture of a sweep, in four panels: recall against false alarms per hour, precision against
/// recall, latency against recall, and recall and false alarms against the threshold.
struct CurvePicture: Picture {
  static let kind = "curve"

  /// One combination of the other parameters, over all thresholds.
  struct Curve: Encodable, Sendable {
    /// What tells it from the other curves, e.g. `refractory 0.2 s`; empty where it is alone.
    var name: String
    /// By ascending threshold; at most ``mostPoints``.
    private(set) var points: [PicturePoint]
    /// Area under the curve, where it is stated.
    var area: Double?
    /// Whether the counts hold from each threshold to the next, so that a step is drawn, and not
    /// only at the thresholds.
    var isExact: Bool

    /// More points than a panel has pixels show nothing more.
    static let mostPoints = 4000

    /// - Parameter points: by ascending threshold; of more than ``mostPoints`` so many are drawn,
    ///   evenly over the list, the first and the last among them.
    init(name: String, points: [PicturePoint], area: Double? = nil, isExact: Bool = true) {
      self.name = name
      self.points = Self.thinned(points)
      self.area = area
      self.isExact = isExact
    }

    private static func thinned(_ points: [PicturePoint]) -> [PicturePoint] {
      guard points.count > mostPoints else { return points }
      let step = Double(points.count - 1) / Double(mostPoints - 1)
      return (0..<mostPoints).map { points[Int((Double($0) * step).rounded())] }
    }
  }

  var caption: PictureCaption
  /// Each in its own colour as far as seven go; those beyond are drawn in grey.
  var curves: [Curve]
  /// The curve whose confidence bands are drawn, by its position; nil = none.
  var banded: Int?
  var marks: [PictureMark]
  /// False alarms per hour that are allowed, drawn as a line.
  var budget: Double?

  init(
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
