// A straightforward player in C++17: one thread, a priority queue, std::this_thread::sleep_until.
//
//   g++ -std=c++17 -O2 -o sleep_until_player sleep_until_player.cpp
//   ./sleep_until_player --devices 100 --seconds 5
//
// Prints one JSON object. README.md describes the schedule and the fields; asyncio_player.py plays the
// same schedule into the same receivers, so both must count the same detections.

#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <queue>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::int64_t;

constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr double kPi = 3.14159265358979323846;

// Exit codes of the project: wrong use, file or device error.
constexpr int kWrongUse = 64;
constexpr int kFileError = 74;

[[noreturn]] void fail(int code, const std::string& message) {
  std::fprintf(stderr, "sleep_until_player: %s\n", message.c_str());
  std::exit(code);
}

// MARK: Receivers

struct Acceleration {
  double x, y, z;  // m s-2, without gravity
};

/// Ten seconds at 100 Hz: tremor, and every second a swing of 160 ms that peaks at 60 or 20 m s-2.
std::vector<Acceleration> makeMotion() {
  std::vector<Acceleration> motion(1000);
  for (int i = 0; i < 1000; ++i) {
    const int inCycle = i % 100;
    const bool isSwing = inCycle >= 40 && inCycle < 56;
    const double peak = (i / 100) % 2 == 0 ? 60 : 20;
    motion[i] = {0.5 * std::sin(0.7 * i), isSwing ? peak * std::sin(kPi * (inCycle - 40) / 16) : 0,
                 0.5 * std::cos(0.9 * i)};
  }
  return motion;
}

/// A minute at 1 Hz: metres from the middle of a fence on a walk to and fro across it.
std::vector<double> makeWalk() {
  std::vector<double> walk(60);
  for (int i = 0; i < 60; ++i) walk[i] = 40 * std::cos(2 * kPi * i / 60);
  return walk;
}

/// What a stream's readings are delivered to. It holds the state of one device.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Takes the next reading, measured `time` after the start.
  virtual void deliver(Nanoseconds time) = 0;
  std::uint64_t detections() const { return detections_; }

 protected:
  std::uint64_t detections_ = 0;
};

/// The peak of the magnitude within 250 ms of the first sample over 30 m s-2; 400 ms refractory.
class PunchReceiver final : public Receiver {
 public:
  PunchReceiver(const std::vector<Acceleration>& motion, std::size_t position)
      : motion_(motion), position_(position % motion.size()) {}

  void deliver(Nanoseconds time) override {
    const Acceleration sample = motion_[position_];
    position_ = position_ + 1 == motion_.size() ? 0 : position_ + 1;
    const double squared = sample.x * sample.x + sample.y * sample.y + sample.z * sample.z;
    if (isOpen_) {
      if (time - opened_ <= kPeakWindow) {
        if (squared > squaredPeak_) {
          squaredPeak_ = squared;
          peakTime_ = time;
        }
        return;
      }
      isOpen_ = false;
      refractoryEnd_ = peakTime_ + kRefractory;
      ++detections_;
    }
    if (squared <= kThreshold * kThreshold) {
      isBelow_ = true;
    } else if (isBelow_ && time >= refractoryEnd_) {
      isBelow_ = false;
      isOpen_ = true;
      opened_ = peakTime_ = time;
      squaredPeak_ = squared;
    }
  }

 private:
  static constexpr double kThreshold = 30;
  static constexpr Nanoseconds kPeakWindow = 250 * kMillisecond;
  static constexpr Nanoseconds kRefractory = 400 * kMillisecond;

  const std::vector<Acceleration>& motion_;
  std::size_t position_;
  bool isBelow_ = true;
  bool isOpen_ = false;
  Nanoseconds opened_ = 0;
  Nanoseconds peakTime_ = 0;
  Nanoseconds refractoryEnd_ = 0;
  double squaredPeak_ = 0;
};

/// Counts the entries into a fence of 15 m.
class FenceReceiver final : public Receiver {
 public:
  FenceReceiver(const std::vector<double>& walk, std::size_t position)
      : walk_(walk), position_(position % walk.size()) {}

  void deliver(Nanoseconds) override {
    const bool isInside = std::abs(walk_[position_]) <= kRadius;
    position_ = position_ + 1 == walk_.size() ? 0 : position_ + 1;
    if (isInside && !wasInside_) ++detections_;
    wasInside_ = isInside;
  }

 private:
  static constexpr double kRadius = 15;

  const std::vector<double>& walk_;
  std::size_t position_;
  bool wasInside_ = false;
};

/// Counts the returns after more than three intervals without a heartbeat.
class HeartbeatReceiver final : public Receiver {
 public:
  void deliver(Nanoseconds time) override {
    if (time - lastSeen_ > kExpiry) ++detections_;
    lastSeen_ = time;
  }

 private:
  static constexpr Nanoseconds kExpiry = 4500 * kMillisecond;

  Nanoseconds lastSeen_ = 0;
};

// MARK: Schedule

constexpr Nanoseconds kAccelerometerPeriod = 10 * kMillisecond;
constexpr Nanoseconds kLocationPeriod = 1 * kSecond;
constexpr Nanoseconds kHeartbeatPeriod = 1500 * kMillisecond;

struct Stream {
  std::unique_ptr<Receiver> receiver;
  Nanoseconds period;
  Nanoseconds first;  // after the start
};

/// Each kind of stream is spread evenly over its period: device d of N begins d/N of it later.
std::vector<Stream> makeStreams(std::int64_t devices, const std::vector<Acceleration>& motion,
                                const std::vector<double>& walk) {
  std::vector<Stream> streams;
  streams.reserve(3 * devices);
  for (std::int64_t d = 0; d < devices; ++d) {
    const auto add = [&](std::unique_ptr<Receiver> receiver, Nanoseconds period) {
      streams.push_back({std::move(receiver), period, period * d / devices});
    };
    add(std::make_unique<PunchReceiver>(motion, 37 * d), kAccelerometerPeriod);
    add(std::make_unique<FenceReceiver>(walk, 7 * d), kLocationPeriod);
    add(std::make_unique<HeartbeatReceiver>(), kHeartbeatPeriod);
  }
  return streams;
}

/// Deliveries scheduled before `end`.
std::size_t countDeliveries(const std::vector<Stream>& streams, Nanoseconds end) {
  std::size_t count = 0;
  for (const Stream& stream : streams) {
    if (stream.first < end) count += (end - stream.first + stream.period - 1) / stream.period;
  }
  return count;
}

// MARK: Playing

struct Due {
  Nanoseconds instant;  // after the start
  std::uint32_t stream;
};

struct IsLater {
  bool operator()(const Due& a, const Due& b) const {
    return a.instant != b.instant ? a.instant > b.instant : a.stream > b.stream;
  }
};

struct Outcome {
  std::vector<Nanoseconds> lateness;  // in order of delivery
  std::size_t missed = 0;
  double cpuSeconds = 0;
  double wallSeconds = 0;
};

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return time.tv_sec + 1e-6 * time.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Outcome play(std::vector<Stream>& streams, Nanoseconds end) {
  std::priority_queue<Due, std::vector<Due>, IsLater> queue;
  for (std::uint32_t i = 0; i < streams.size(); ++i) {
    if (streams[i].first < end) queue.push({streams[i].first, i});
  }
  Outcome outcome;
  // Written to now, so that no page is touched for the first time while playing.
  outcome.lateness.resize(countDeliveries(streams, end));

  std::size_t delivered = 0;
  const double cpuBefore = cpuSeconds();
  // The first sleep takes up what it took to get here.
  const Clock::time_point start = Clock::now() + std::chrono::milliseconds(100);
  while (!queue.empty()) {
    const Due due = queue.top();
    queue.pop();
    Stream& stream = streams[due.stream];
    const Clock::time_point scheduled = start + std::chrono::nanoseconds(due.instant);

    std::this_thread::sleep_until(scheduled);
    const Nanoseconds lateness = std::chrono::nanoseconds(Clock::now() - scheduled).count();
    stream.receiver->deliver(due.instant);

    outcome.lateness[delivered++] = lateness;
    if (lateness > stream.period) ++outcome.missed;
    const Nanoseconds next = due.instant + stream.period;
    if (next < end) queue.push({next, due.stream});
  }
  outcome.wallSeconds = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.cpuSeconds = cpuSeconds() - cpuBefore;
  return outcome;
}

// MARK: Report

/// The percentile by nearest rank, or null where fewer than ten values lie beyond it.
std::string percentile(const std::vector<Nanoseconds>& sorted, std::size_t perMille) {
  if (sorted.size() * (1000 - perMille) < 10'000) return "null";
  return std::to_string(sorted[(sorted.size() * perMille + 999) / 1000 - 1]);
}

void report(const Outcome& outcome, std::int64_t devices, double seconds,
            std::uint64_t detections) {
  std::vector<Nanoseconds> sorted = outcome.lateness;
  std::sort(sorted.begin(), sorted.end());
  std::printf(
      "{\"player\": \"C++ sleep_until\", \"devices\": %lld, \"seconds\": %g, "
      "\"deliveries\": %zu, \"missed\": %zu, \"detections\": %llu, "
      "\"lateness_ns\": {\"p50\": %s, \"p90\": %s, \"p99\": %s, \"p99_9\": %s, \"max\": %s}, "
      "\"cpu_seconds\": %.6f, \"wall_seconds\": %.6f}\n",
      static_cast<long long>(devices), seconds, sorted.size(), outcome.missed,
      static_cast<unsigned long long>(detections), percentile(sorted, 500).c_str(),
      percentile(sorted, 900).c_str(), percentile(sorted, 990).c_str(),
      percentile(sorted, 999).c_str(),
      sorted.empty() ? "null" : std::to_string(sorted.back()).c_str(), outcome.cpuSeconds,
      outcome.wallSeconds);
}

void writeSamples(const std::vector<Nanoseconds>& lateness, std::FILE* file,
                  const std::string& path) {
  bool isWritten = true;
  for (const Nanoseconds value : lateness) {
    isWritten = isWritten && std::fprintf(file, "%lld\n", static_cast<long long>(value)) > 0;
  }
  if (std::fclose(file) != 0 || !isWritten) {
    fail(kFileError, path + ": cannot be written: " + std::strerror(errno));
  }
}

// MARK: Options

struct Options {
  std::int64_t devices = 100;
  double seconds = 5;
  long timerSlack = -1;  // ns; -1 = as the system has it
  std::string samples;
};

constexpr const char* kUsage =
    "usage: sleep_until_player [--devices N] [--seconds S] [--timer-slack NS] [--samples FILE]\n"
    "  --devices N       simulated devices, 1...100000 (default 100)\n"
    "  --seconds S       length of the schedule, up to 3600 (default 5)\n"
    "  --timer-slack NS  asks Linux for another timer slack than its 50000 ns\n"
    "  --samples FILE    writes every lateness in ns, a line each, in order of delivery\n";

double number(const std::string& option, const char* text, double least, double most) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= least && value <= most)) {
    char range[64];
    std::snprintf(range, sizeof range, "%g...%g", least, most);
    fail(kWrongUse, option + ": expected a number in " + range + ", found '" + text + "'");
  }
  return value;
}

double wholeNumber(const std::string& option, const char* text, double least, double most) {
  const double value = number(option, text, least, most);
  if (value != std::floor(value)) {
    fail(kWrongUse, option + ": expected a whole number, found '" + text + "'");
  }
  return value;
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string option = arguments[i];
    if (option == "--help" || option == "-h") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    }
    const bool isKnown = option == "--devices" || option == "--seconds" ||
                         option == "--timer-slack" || option == "--samples";
    if (!isKnown) fail(kWrongUse, "unknown option '" + option + "'; see --help");
    if (i + 1 == count) fail(kWrongUse, option + ": a value is missing");
    const char* value = arguments[++i];
    if (option == "--devices") {
      options.devices = static_cast<std::int64_t>(wholeNumber(option, value, 1, 100'000));
    } else if (option == "--seconds") {
      options.seconds = number(option, value, 0.001, 3600);
    } else if (option == "--timer-slack") {
      options.timerSlack = static_cast<long>(wholeNumber(option, value, 1, 1e9));
    } else {
      options.samples = value;
    }
  }
  return options;
}

void setTimerSlack(long nanoseconds) {
#ifdef __linux__
  if (prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(nanoseconds), 0, 0, 0) == 0) return;
  fail(kFileError, std::string("--timer-slack: refused by the system: ") + std::strerror(errno));
#else
  static_cast<void>(nanoseconds);
  fail(kWrongUse, "--timer-slack: only Linux has one");
#endif
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  std::FILE* samples = nullptr;
  if (!options.samples.empty() && !(samples = std::fopen(options.samples.c_str(), "w"))) {
    fail(kFileError, options.samples + ": cannot be opened: " + std::strerror(errno));
  }
  const std::vector<Acceleration> motion = makeMotion();
  const std::vector<double> walk = makeWalk();
  std::vector<Stream> streams = makeStreams(options.devices, motion, walk);
  const auto end = static_cast<Nanoseconds>(std::llround(options.seconds * kSecond));
  // Eight bytes each: what is measured must not be the machine's swapping.
  constexpr std::size_t kMostDeliveries = 100'000'000;
  if (countDeliveries(streams, end) > kMostDeliveries) {
    fail(kWrongUse, "more than 100 million deliveries; take fewer devices or seconds");
  }
  if (options.timerSlack >= 0) setTimerSlack(options.timerSlack);

  const Outcome outcome = play(streams, end);

  std::uint64_t detections = 0;
  for (const Stream& stream : streams) detections += stream.receiver->detections();
  report(outcome, options.devices, options.seconds, detections);
  if (samples) writeSamples(outcome.lateness, samples, options.samples);
}
