"""Prints the coefficients that scikit-learn finds for KindModelTests, for a comparison.

    pip install scikit-learn==1.5.2 && python Tests/Python/expected_discriminant.py

The features are scaled to a standard deviation of 1 first, as KindModel does. scikit-learn divides the
covariance by the number of examples, KindModel by that less the number of kinds; with equally many
examples of each kind this is one factor on all weights.
"""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

examples = np.array([
    [1.0, 2.0, 0.5], [1.5, 1.75, 0.25], [0.5, 2.5, 0.75], [1.25, 2.25, 0.0],
    [3.0, 0.5, 1.0], [3.5, 0.25, 1.5], [2.5, 1.0, 0.5], [3.25, 0.75, 1.25],
    [2.0, 3.0, 4.0], [1.5, 3.5, 3.5], [2.5, 2.75, 4.5], [2.25, 3.25, 3.75],
])  # fmt: skip
kinds = np.repeat(["hook", "straight", "uppercut"], 4)
scale = examples.std(axis=0)
model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.3, priors=[1 / 3] * 3)
model.fit(examples / scale, kinds)
factor = (len(examples) - 3) / len(examples)
weights = model.coef_ * factor / scale
offsets = (model.intercept_ - np.log(1 / 3)) * factor
print("weights", [[float(f"{w:.12g}") for w in row] for row in weights])
print("offsets", [float(f"{o:.12g}") for o in offsets])
