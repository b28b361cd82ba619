/// The arguments of a verb that are not options.
struct OperandSpec: Sendable {
    /// The word that stands for one of them in help texts: `FILE`.
    var name: String
    var help: String
    var countMin: Int
    /// nil: as many as the system lets through.
    var countMax: Int?
    var choices: [String] = []
    var isPath = false

    /// `FILE`, `[FILE]`, `FILE…`.
    var usage: String {
        let one = countMax == 1 ? name : name + "…"
        return countMin == 0 ? "[\(one)]" : one
    }
}
