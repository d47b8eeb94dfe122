// GSL
