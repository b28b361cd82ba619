internal import BelfryKit
