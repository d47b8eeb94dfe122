"""Prints the targets of the library products, as `swift package dump-package` describes them.

    swift package dump-package | python3 docs/public_targets.py
"""

import json
import sys

package = json.load(sys.stdin)
products = [product for product in package["products"] if "library" in product["type"]]
print(*(target for product in products for target in product["targets"]))
