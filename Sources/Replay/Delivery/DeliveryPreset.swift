/// A named delivery, with the published facts and the assumptions.
///
/// ```swift
/// Delivery.preset(named: "ideal")?.delivery == Delivery()  // true
/// ```
public struct DeliveryPreset: Hashable, Sendable {
  public let name: String
  /// A one-line summary for `--help`.
  public let summary: String
  /// The published facts, each with its source.
  public let published: [String]
  /// The assumptions for unpublished values; empty = none.
  public let assumed: String
  public let delivery: Delivery

  init(
    _ name: String, _ summary: String, published: [String] = [], assumed: String = "",
    _ change: (inout Delivery) -> Void = { _ in }
  ) {
    self.name = name
    self.summary = summary
    self.published = published
    self.assumed = assumed
    var delivery = Delivery()
    change(&delivery)
    self.delivery = delivery
  }
}

extension Delivery {
  public static var presets: [DeliveryPreset] {
    [.ideal] + DeliveryPreset.android + DeliveryPreset.ios + DeliveryPreset.location
      + DeliveryPreset.network + [.harsh]
  }

  public static func preset(named name: String) -> DeliveryPreset? {
    presets.first { $0.name == name }
  }
}

extension DeliveryPreset {
  static var ideal: DeliveryPreset {
    DeliveryPreset("ideal", "every reading arrives at the time in the trace")
  }

  static var android: [DeliveryPreset] { androidForeground + [androidBackground] }

  private static var androidForeground: [DeliveryPreset] {
    [
      DeliveryPreset(
        "android-game", "Android in the foreground, unbatched; add --device-rate 50Hz for its rate",
        published: [
          "SENSOR_DELAY_GAME asks for a reading every 20 ms, as a hint "
            + "(developer.android.com, SensorManager)",
          "sensor data arrive within 100 ms + 2 sample times "
            + "(Android Compatibility Definition 7.3, C-1-2)",
        ],
        assumed: "a delay of 5 ms, plus 2 ms on average"
      ) {
        $0.transport = .sensors
        $0.delay = 0.005
        $0.jitter = 0.002
      },
      DeliveryPreset(
        "android-batched", "Android with the sensor's queue in hardware",
        published: [
          "the accelerometer's queue holds at least 3000 readings "
            + "(Android Compatibility Definition 7.3.9, high fidelity sensors)",
          "a queue is delivered when it is full, or when its first reading has waited for the "
            + "maximum report latency (source.android.com, Batching)",
          "10 s, the longer of two latencies in a sample (Android samples, BatchStepSensor)",
        ],
        assumed: "the app requests these 10 s for every sensor; no other app requests less"
      ) {
        $0.queue = .sensors
        $0.batchCount = 3000
        $0.batchLatency = 10
      },
    ]
  }

  private static var androidBackground: DeliveryPreset {
    DeliveryPreset(
      "android-background-location", "Android, app in the background without a service",
      published: [
        "from Android 8 on, fixes only a few times each hour "
          + "(developer.android.com, Background Location Limits)",
        "from Android 9 on, no events of sensors that report continuously "
          + "(developer.android.com, Android 9 behavior changes)",
      ],
      assumed: "three fixes per hour; the network wakes the app"
    ) {
      $0.minInterval = 1200
      $0.asleep = 3600
      $0.sensorsAsleep = .drop
      $0.locationAsleep = .deliver
      $0.networkAsleep = .deliver
    }
  }

  static var ios: [DeliveryPreset] { [iosForeground] + iosBackground }

  private static var iosForeground: DeliveryPreset {
    DeliveryPreset(
      "ios-coalesced", "iOS in the foreground, readings fetched by a timer of 60 Hz",
      published: [
        "the timer of 60 Hz by which an app fetches the accelerometer "
          + "(developer.apple.com, Getting raw accelerometer events)"
      ],
      assumed: "each tick gets all readings since the last one; none is overwritten"
    ) {
      $0.queue = .sensors
      $0.tick = 1.0 / 60
    }
  }

  private static var iosBackground: [DeliveryPreset] {
    [
      DeliveryPreset(
        "ios-background", "iOS, app in the background that is woken now and then",
        published: [
          "soon after it enters the background an app is suspended and runs no code, unless it "
            + "asks for time (developer.apple.com, Extending your app's background execution time)"
        ],
        assumed:
          "30 s of such time, then 5 min suspended; fixes and network messages wait for "
          + "the end of it, motion readings are lost"
      ) {
        $0.awake = 30
        $0.asleep = 300
        $0.sensorsAsleep = .drop
      },
      DeliveryPreset(
        "ios-significant-change", "iOS, significant location changes only",
        published: [
          "a fix after a move of 500 m or more "
            + "(developer.apple.com, Using the significant-change location service)",
          "no more often than every 5 min "
            + "(oreilly.com, iOS Components and Frameworks: Significant change notifications)",
        ],
        assumed: "fixes as accurate as the trace's; the service's own are from cells and Wi-Fi"
      ) {
        $0.minInterval = 300
        $0.minDistance = 500
      },
    ]
  }

  static var location: [DeliveryPreset] {
    [
      DeliveryPreset(
        "location-5s", "a fix every 5 s",
        published: [
          "an interval of 5 s for apps that show the location in real time "
            + "(developers.google.com, LocationRequest)"
        ],
        assumed: "the service gives the first fix of the trace at or after the interval"
      ) {
        $0.minInterval = 5
      },
      DeliveryPreset(
        "location-10m", "a fix every 10 m",
        published: [
          "the distance filter counts from the last delivered fix "
            + "(developer.apple.com, CLLocationManager.distanceFilter)"
        ],
        assumed: "10 m"
      ) {
        $0.minDistance = 10
      },
    ]
  }

  static var network: [DeliveryPreset] {
    [
      DeliveryPreset(
        "network-good", "network messages over 4G",
        published: [
          "4G as a test service emulates it: latency 45 ms, jitter 15 ms, loss 0.2 % "
            + "(wiki.loadero.com, Network conditions)"
        ],
        assumed: "the jitter is the mean of a Lomax distribution; losses are single"
      ) {
        $0.transport = .network
        $0.delay = 0.045
        $0.jitter = 0.015
        $0.lost = 0.002
      },
      DeliveryPreset(
        "network-poor", "network messages over EDGE on an unstable network",
        published: [
          "EDGE as a test service emulates it: latency 650 ms, jitter 100 ms "
            + "(wiki.loadero.com, Network conditions)",
          "an unstable network: loss 3 %, duplication 2 %, reordering 10 % "
            + "(help.perfecto.io, Network virtualization)",
        ],
        assumed:
          "a loss takes 3 readings, and starts at 1 % of them; an overtaken one is 1 s later"
      ) {
        $0.transport = .network
        $0.delay = 0.65
        $0.jitter = 0.1
        $0.lost = 0.01
        $0.lostBurst = 3
        $0.duplicated = 0.02
        $0.late = 0.1
        $0.lateDelay = 1
      },
    ]
  }

  static var harsh: DeliveryPreset {
    DeliveryPreset(
      "harsh", "all effects together, as a stress test", assumed: "all values: it models no phone"
    ) {
      $0.minInterval = 2
      $0.minDistance = 5
      $0.lost = 0.01
      $0.lostBurst = 3
      $0.duplicated = 0.02
      $0.delay = 0.05
      $0.jitter = 0.05
      $0.late = 0.05
      $0.lateDelay = 0.5
      $0.batchCount = 64
      $0.batchLatency = 1
      $0.tick = 1.0 / 60
      $0.awake = 60
      $0.asleep = 10
      $0.sleepSpread = 0.5
      $0.holdLimit = 512
      $0.clockStep = 0.1
      $0.clockStepAt = 30
      $0.clockDrift = 50
    }
  }
}
