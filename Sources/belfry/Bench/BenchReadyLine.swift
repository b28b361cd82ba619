/// The line by which a helper of the benchmarks says that it accepts connections.
struct BenchReadyLine: Encodable, Sendable {
    var url: String
    /// The file with the authority to trust, if the helper made one.
    var ca: String?

    func print(in context: CommandContext) throws(CommandError) {
        if context.isJSON { return try context.console.printJSON(self) }
        context.console.print("ready url=\(url.logText)" + (ca.map { " ca=\($0.logText)" } ?? ""))
    }
}
