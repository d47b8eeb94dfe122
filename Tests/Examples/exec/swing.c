/* A swing: acceleration above a threshold, then a rest. traces/FORMAT.md defines the lines.
   cc -O2 -o swing swing.c -lm */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  double threshold = 0, rest = 0, value, x, y, z;
  int64_t number, measured, quiet_until = INT64_MIN;
  char line[1024], name[64];

  puts("shadowbox-detector/1\nname swing\nversion 1\nchannel user_acceleration\ntask punch\n"
       "parameter threshold 30 0 2000 m/s2 magnitude\n"
       "parameter rest 0.4 0 60 s time without further detections\n"
       "threshold threshold\nready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "sample %" SCNd64 " %" SCNd64 " %*d %lf %lf %lf",
               &number, &measured, &x, &y, &z) == 5) {
      double magnitude = sqrt(x * x + y * y + z * z);
      if (!(magnitude > threshold) || measured < quiet_until) continue;
      quiet_until = measured + llrint(rest * 1e9);
      printf("detect %" PRId64 " %" PRId64 " value=%.17g\n", number, measured, magnitude);
    } else if (sscanf(line, "parameter %63s %lf", name, &value) == 2) {
      *(strcmp(name, "rest") == 0 ? &rest : &threshold) = value;
    } else if (strncmp(line, "start ", 6) == 0) {
      quiet_until = INT64_MIN;
    } else if (strncmp(line, "end ", 4) == 0) {
      puts("done");
      fflush(stdout);
    }
  }
  return 0;
}
