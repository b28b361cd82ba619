public import BelfryKit

/// What the app library keeps is what the app keeps: it survives the process and goes with the app.
extension AppStorage: KeyValueStorage {}
