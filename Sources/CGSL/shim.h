#pragma once
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_statistics_double.h>

// Swift cannot read GSL's method constants: they are mutable globals.
static inline const gsl_interp_type *shim_interp_linear(void) { return gsl_interp_linear; }
static inline const gsl_interp_type *shim_interp_akima(void) { return gsl_interp_akima; }
static inline const gsl_interp_type *shim_interp_steffen(void) { return gsl_interp_steffen; }
static inline const gsl_interp_type *shim_interp_cspline(void) { return gsl_interp_cspline; }
static inline const gsl_qrng_type *shim_qrng_sobol(void) { return gsl_qrng_sobol; }
static inline const gsl_multimin_fminimizer_type *shim_multimin_nmsimplex2(void) {
  return gsl_multimin_fminimizer_nmsimplex2;
}
