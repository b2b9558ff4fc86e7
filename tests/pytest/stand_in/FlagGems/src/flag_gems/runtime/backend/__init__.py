import os
import sys

# FlagGems puts the folder of vendors on the path, so that their packages have bare names as well.
sys.path.append(os.path.dirname(__file__))
