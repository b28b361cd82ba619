internal import FoundationEssentials
internal import Recurrence

/// `belfry preview`.
enum PreviewVerb: Verb {
    static let zone = Option.optional(
        "zone", short: "z", .text("ZONE"), "The device's time zone, such as Asia/Tokyo; without it UTC.")
    static let from = Option.optional(
        "from", .text("TIME"), "The first instant of interest, such as 2027-03-12T00:00:00Z; without it now.")
    static let count = Option.value(
        "count", short: "n", .integer("N", 1...PreviewRequest.countMax), default: PreviewRequest.countDefault,
        "How many occurrences to show.")
    static let start = Option.optional(
        "start", .text("TIME"),
        "Where the rule begins: a local time, a date, or a time with Z; without it the day of --from.")
    static let until = Option.optional("until", .text("TIME"), "The last time at which it may fire.")
    static let limit = Option.optional(
        "limit", .integer("N", 1...RecurrenceLimits.countMax),
        "How many times it fires in all, counted from --start.")
    static let exdate = Option.repeated(
        "exdate", .text("TIME"), "A time or day that is left out; may be given more than once.")
    static let timezone = Option.value(
        "timezone", .text("ZONE"), default: "device",
        "Whose clocks the rule follows: the device's, those of one zone, or UTC.")
    static let gap = Option.value(
        "gap", ValueKind<GapPolicy>.choice("POLICY"), default: .shiftForward, defaultText: "shift-forward",
        "What happens to a time that clocks jump over.")
    static let fold = Option.value(
        "fold", ValueKind<FoldPolicy>.choice("POLICY"), default: .first, defaultText: "first",
        "Which one counts when clocks show a time twice.")
    static let monthEnd = Option.optional(
        "month-end", ValueKind<MonthEndPolicy>.choice("POLICY"),
        defaultText: "skip, for a reminder last-day", "What happens in a month without the rule's day.")
    static let batch = Option.optional(
        "batch", .path("FILE"),
        "Read requests from a file, or '-' for standard input: one JSON object a line, with the options' names as keys."
    )

    static let declaration = VerbDeclaration(
        words: ["preview"],
        summary: "show when a rule fires next, with daylight saving time",
        discussion: """
            Takes a rule of RFC 5545 (FREQ=…) or a line such as 'daily at 09:00', 'weekly on mon,wed at 08:00', \
            'monthly on last at 18:30', 'every 2 hours from 22:00 to 06:00 on mon-fri'.

            With --batch each line is an object such as {"rule":"FREQ=DAILY;BYHOUR=9","zone":"Asia/Tokyo"}; further \
            keys are from, count, start, until, limit, exdates, timezone, gap, fold and month_end. Each gets one line \
            of JSON in answer; what cannot be evaluated gets {"error":…}, and the exit code is 1.
            """,
        options: [
            zone.spec, from.spec, count.spec, start.spec, until.spec, limit.spec, exdate.spec, timezone.spec,
            gap.spec, fold.spec, monthEnd.spec, batch.spec,
        ],
        operands: OperandSpec(
            name: "RULE", help: "A rule of RFC 5545, or a reminder in words.", countMin: 0, countMax: 1),
        examples: [
            .init(
                purpose: "nine o'clock across a change of the clocks",
                command:
                    "belfry preview 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0' --zone America/New_York --from 2027-03-12T00:00:00Z --count 5"
            ),
            .init(
                purpose: "a reminder in words",
                command: "belfry preview 'every 2 hours from 22:00 to 06:00 on mon-fri' --zone Europe/Berlin"),
            .init(purpose: "many rules at once", command: "belfry preview --batch requests.jsonl"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let now = context.now()
        if let file = options[batch] {
            guard options.operands.isEmpty else {
                throw .usage("preview: RULE and --batch exclude each other")
            }
            return try runBatch(InputFile.read(file), now: now, console: context.console)
        }
        guard let rule = options.operands.first else { throw .usage("preview: RULE is missing") }
        let request = PreviewRequest(
            rule: rule, zone: options[zone], from: options[from], count: options[count],
            start: options[start],
            until: options[until], limit: options[limit], exdates: options[exdate],
            timezone: options[timezone],
            gap: options[gap].rawValue, fold: options[fold].rawValue, monthEnd: options[monthEnd]?.rawValue)
        let occurrences = try request.occurrences(now: now)
        if context.isJSON {
            try context.console.printJSON(PreviewReport(occurrences))
            return .done
        }
        for occurrence in occurrences { context.console.print(PreviewReport.text(occurrence)) }
        if occurrences.isEmpty {
            context.console.print("never")
        } else if occurrences.count < options[count] {
            context.console.print("no further occurrence")
        }
        return .done
    }

    private static func runBatch(
        _ bytes: [UInt8], now: Int64, console: Console
    ) throws(CommandError) -> CommandStatus {
        let decoder = JSONDecoder()
        var hasErrors = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let request = try? decoder.decode(PreviewRequest.self, from: Data(line)) else {
                hasErrors = true
                try console.printJSON(
                    PreviewReport.Failure(error: "no object with a text 'rule', or a key of a wrong type"))
                continue
            }
            do throws(CommandError) {
                try console.printJSON(PreviewReport(request.occurrences(now: now)))
            } catch {
                hasErrors = true
                try console.printJSON(PreviewReport.Failure(error: error.message))
            }
        }
        return hasErrors ? .failed : .done
    }
}
