#pragma once
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_statistics_double.h>

// Swift cannot read GSL's method constants: they are mutable globals.
static inline const gsl_interp_type *shim_interp_linear(void) { return gsl_interp_linear; }
static inline const gsl_interp_type *shim_interp_akima(void) { return gsl_interp_akima; }
static inline const gsl_interp_type *shim_interp_steffen(void) { return gsl_interp_steffen; }
static inline const gsl_interp_type *shim_interp_cspline(void) { return gsl_interp_cspline; }
