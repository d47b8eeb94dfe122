#pragma once
#include <gsl/gsl_errno.h>
#include <gsl/gsl_cdf.h>
