import Testing

@testable import belfry

@Suite struct PreviewVerbTests {
    @Test func `the occurrences are printed in the shape that scripts rely on`() async {
        let result = await CommandLineTests.run([
            "preview", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "--zone", "America/New_York", "--from",
            "2027-03-13T14:00:00Z", "--count", "2", "--json",
        ])
        #expect(result.status == .done)
        #expect(
            result.output
                == #"{"occurrences":[{"instant":"2027-03-13T14:00:00Z","local":"2027-03-13T09:00:00-05:00","#
                + #""note":null},{"instant":"2027-03-14T13:00:00Z","local":"2027-03-14T09:00:00-04:00","note":null}]}"#
                + "\n")
    }

    @Test func `a change of the clocks is told`() async {
        let result = await CommandLineTests.run([
            "preview", "daily at 02:30", "--zone", "America/New_York", "--from", "2027-03-14T00:00:00Z",
            "--count", "1",
        ])
        #expect(
            result.output == "Sun 2027-03-14 03:30 -04:00  2027-03-14T07:30:00Z"
                + "  skipped hour: 02:30 does not exist on this day, fires at 03:30\n")
    }

    @Test func `a rule that never fires or ends says so`() async {
        #expect(
            await CommandLineTests.run(["preview", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"]).output == "never\n"
        )
        let ended = await CommandLineTests.run(["preview", "daily at 09:00", "--limit", "2"])
        #expect(ended.status == .done)
        #expect(ended.output.hasSuffix("\nno further occurrence\n"))
    }

    @Test(arguments: [
        ([], "RULE is missing"), (["FREQ=DAILY;BYHOUR=24"], "BYHOUR: found '24'"),
        (["soon"], "reminder: found 'soon'"),
        (["daily at 09:00", "--zone", "Mars/Base"], "zone: found 'Mars/Base'"),
        (["daily at 09:00", "--from", "2027-03-12"], "from: found '2027-03-12'"),
        (["daily at 09:00", "--until", "soon"], "until: found 'soon'"),
        (["daily at 09:00", "--exdate", "13.03.2027"], "exdate: found '13.03.2027'"),
        (["daily at 09:00", "--count", "0"], "--count"), (["daily at 09:00", "--gap", "first"], "--gap"),
        (["daily at 09:00", "--batch", "-"], "exclude each other"),
    ])
    func `a wrong request exits 2 and says what is wrong`(_ arguments: [String], _ message: String) async {
        let result = await CommandLineTests.run(["preview"] + arguments)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.contains(message), "\(result.error)")
    }

    @Test func `a batch answers line by line, also those that are wrong`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            #"{"rule":"FREQ=DAILY;BYHOUR=9","zone":"Asia/Tokyo","from":"2027-03-12T00:00:00Z","count":1}"#
                + "\n"
                + #"{"rule":"FREQ=DAILY;BYHOUR=9","fold":"twice"}"# + "\n" + "no JSON\n",
            as: "requests.jsonl")
        let result = await CommandLineTests.run(["preview", "--batch", file])
        #expect(result.status == .failed)
        let lines = result.output.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0].contains(#""local":"2027-03-12T09:00:00+09:00""#))
        #expect(lines[1].hasPrefix(#"{"error":"fold: found 'twice'"#))
        #expect(lines[2].hasPrefix(#"{"error":"#))
    }
}
