#include "punch_reference.h"

#include <math.h>

// Exact for all times: the difference of two int64_t fits into a uint64_t.
static inline uint64_t distance(int64_t left, int64_t right) {
  return left > right ? (uint64_t)left - (uint64_t)right : (uint64_t)right - (uint64_t)left;
}

void punch_init(struct punch_state *state, float threshold, int64_t peak_window,
                int64_t refractory) {
  *state = (struct punch_state){.threshold = threshold,
                                .squared_threshold = threshold * threshold,
                                .peak_window = peak_window,
                                .refractory = refractory,
                                .below = 1};
}

struct direction {
  int32_t punch, target;
};

enum { JAB, THRUST, UPPERCUT, UNKNOWN };
enum { LOW, MIDDLE, HIGH, NOWHERE };

static struct direction first_axis(float t, float x, float y, float z) {
  if (y > t) return (struct direction){JAB, LOW};
  if (y < -t) return (struct direction){UPPERCUT, HIGH};
  if (x > t || x < -t) return (struct direction){JAB, MIDDLE};
  if (z > t) return (struct direction){THRUST, LOW};
  return (struct direction){UNKNOWN, NOWHERE};
}

static struct direction dominant_axis(float x, float y, float z) {
  float a = fabsf(x), b = fabsf(y), c = fabsf(z);
  if (b >= a && b >= c)
    return y > 0 ? (struct direction){JAB, LOW} : (struct direction){UPPERCUT, HIGH};
  if (a >= c) return (struct direction){JAB, MIDDLE};
  return z > 0 ? (struct direction){THRUST, LOW} : (struct direction){UNKNOWN, NOWHERE};
}

struct output {
  struct punch_detection *out;
  size_t count, capacity;
};

static __attribute__((noinline)) void report(struct punch_state *s, enum punch_rule rule,
                                             int64_t emitted, struct output *o) {
  struct direction d = rule == PUNCH_AXES ? first_axis(s->threshold, s->x, s->y, s->z)
                                          : dominant_axis(s->x, s->y, s->z);
  s->open = 0;
  s->has_last = 1;
  s->last_peak = s->peak_time;
  if (o->count < o->capacity)
    o->out[o->count] = (struct punch_detection){.onset = s->peak_time,
                                                .emitted = emitted,
                                                .magnitude = sqrt((double)s->squared_peak),
                                                .punch = d.punch,
                                                .target = d.target};
  o->count++;
}

static inline __attribute__((always_inline)) void step(struct punch_state *s,
                                                       enum punch_rule rule, int64_t time,
                                                       float x, float y, float z,
                                                       struct output *o) {
  float squared = x * x + y * y + z * z;
  if (__builtin_expect(s->open, 0)) {
    if (distance(time, s->opened) <= (uint64_t)s->peak_window) {
      if (squared > s->squared_peak) {
        s->squared_peak = squared;
        s->x = x, s->y = y, s->z = z;
        s->peak_time = time;
      }
      return;
    }
    report(s, rule, time, o);
  }
  float t = s->threshold;
  int over = rule == PUNCH_MAGNITUDE
                 ? squared > s->squared_threshold
                 : (fabsf(y) > t || fabsf(x) > t || z > t) && squared == squared;
  if (__builtin_expect(!over, 1)) {
    if (!s->below)
      s->below = rule == PUNCH_MAGNITUDE ? squared <= s->squared_threshold
                                         : fabsf(x) <= t && fabsf(y) <= t && fabsf(z) <= t;
    return;
  }
  if (!s->below) return;
  if (s->has_last && s->refractory > 0 &&
      distance(time, s->last_peak) < (uint64_t)s->refractory)
    return;
  s->below = 0;
  s->opened = s->peak_time = time;
  s->x = x, s->y = y, s->z = z;
  s->squared_peak = squared;
  if (s->peak_window > 0)
    s->open = 1;
  else
    report(s, rule, time, o);
}

size_t punch_stream(struct punch_state *state, enum punch_rule rule, const int64_t *times,
                    const float *x, const float *y, const float *z, size_t count,
                    struct punch_detection *out, size_t capacity) {
  struct output o = {out, 0, capacity};
  // One loop per rule, so that no loop tests the rule for every sample.
  if (rule == PUNCH_MAGNITUDE)
    for (size_t i = 0; i < count; i++) step(state, PUNCH_MAGNITUDE, times[i], x[i], y[i], z[i], &o);
  else
    for (size_t i = 0; i < count; i++) step(state, PUNCH_AXES, times[i], x[i], y[i], z[i], &o);
  return o.count;
}

typedef float vec __attribute__((vector_size(16), aligned(4)));

double read_columns(const float *x, const float *y, const float *z, size_t count) {
  vec a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0};
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    a += *(const vec *)(x + i), b += *(const vec *)(x + i + 4);
    c += *(const vec *)(y + i), d += *(const vec *)(y + i + 4);
    e += *(const vec *)(z + i), f += *(const vec *)(z + i + 4);
  }
  vec all = (a + b) + (c + d) + (e + f);
  double sum = (double)all[0] + all[1] + all[2] + all[3];
  for (; i < count; i++) sum += (double)x[i] + y[i] + z[i];
  return sum;
}
