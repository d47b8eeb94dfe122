// The rules of PunchDetector in idiomatic C, for comparison.
//
// Same columns (int64_t times in ns, float x, y, z), same single-precision arithmetic in the same
// order, same early exits, same NaN behaviour (only the time of such a sample is used), same
// detections. Compiled with the toolchain's clang at -O2, without -ffast-math.
#ifndef PUNCH_REFERENCE_H
#define PUNCH_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum punch_rule { PUNCH_MAGNITUDE, PUNCH_AXES };

struct punch_detection {
  int64_t onset, emitted;
  double magnitude;
  int32_t punch, target;
};

// Always armed; fires again after a sample within the threshold.
struct punch_state {
  float threshold, squared_threshold;
  int64_t peak_window, refractory;
  int below, open, has_last;
  int64_t opened, peak_time, last_peak;
  float x, y, z, squared_peak;
};

void punch_init(struct punch_state *state, float threshold, int64_t peak_window,
                int64_t refractory);

// Processes the samples in order. Returns the number of detections; of these the first `capacity`
// are written to `out`.
size_t punch_stream(struct punch_state *state, enum punch_rule rule, const int64_t *times,
                    const float *x, const float *y, const float *z, size_t count,
                    struct punch_detection *out, size_t capacity);

// Adds up the three columns with vector instructions and does nothing else, to measure the read
// bandwidth.
double read_columns(const float *x, const float *y, const float *z, size_t count);

#endif
