internal import PushService
internal import PushStore

/// `belfry import`.
enum ImportVerb: Verb {
    static let isDry = Option.flag("dry-run", "Read and check everything, store nothing.")

    static let declaration = VerbDeclaration(
        words: ["import"],
        summary: "take installations over from LeanCloud or Parse",
        discussion: """
            Reads an export of the class _Installation: a JSON array, {"results": […]}, an object a line, or BSON, \
            each also packed with gzip. Object ids and times stay what they were. A row that the app has saved \
            here since is not touched. An import that was broken off goes on where it was when the same file is \
            given again.

            Says at the end what was left out and why. The exit code is 1 when nothing could be taken.
            """,
        options: [KeyAddVerb.app.spec, isDry.spec] + StoreOptions.all,
        operands: OperandSpec(name: "FILE", help: "The export.", countMin: 1, countMax: 1, isPath: true),
        examples: [
            .init(
                purpose: "what would be done",
                command: "belfry import --app news --dry-run _Installation.0.jsonl"),
            .init(purpose: "a packed backup", command: "belfry import --app news _Installation.bson.gz"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let path = options.operands[0]
        let report = try await StoreOptions.with(options, for: .bulk) { store in
            guard let id = options[KeyAddVerb.app] else { throw CommandError.usage("needs --app ID") }
            let app = try await StoreOptions.app(id, in: store)
            let file = try ExportFile(path: path)
            var bar = ProgressBar(total: file.byteCount, console: context.console)
            let task = InstallationImport(
                into: store, app: app, isDry: options[isDry], now: context.instant)
            do {
                let report = try await task.run(file: file.identity, nextBytes: { try file.next() }) {
                    count in
                    bar.update(file.readByteCount, "\(count) rows")
                }
                bar.finish()
                if !options[isDry] {
                    try await StoreOptions.record(
                        "import", "\(report.stored) of \(report.read) rows", app: app.number, in: store,
                        context)
                }
                return report
            } catch let error as ImportError {
                bar.finish()
                throw CommandError.failed("\(path): \(error.message)")
            }
        }
        if context.isJSON {
            try context.console.printJSON(report)
        } else {
            print(report, isDry: options[isDry], context.console)
        }
        return report.stored == 0 && report.read > 0 ? .failed : .done
    }

    private static func print(_ report: ImportReport, isDry: Bool, _ console: Console) {
        if report.resumedAfter > 0 { console.print("went on after row \(report.resumedAfter)") }
        console.print("\(report.read) rows read, \(report.stored) \(isDry ? "could be " : "")stored")
        for reason in report.skipped {
            console.print("\(reason.count) left out: \(reason.reason)")
            for example in reason.examples { console.print("    \(example)") }
        }
    }
}
