import Testing

@testable import belfry

@Suite struct OptionParserTests {
    static let port = Option.value("port", short: "p", .port, default: 2197, "")
    static let host = Option.optional("host", .text("HOST"), "")
    static let type = Option.optional("push-type", .choice("TYPE", ["alert", "background"]), "")
    static let headers = Option.repeated("header", short: "H", .text("NAME:VALUE"), "")
    static let open = Option.flag("open", short: "o", "")
    static let wait = Option.optional("wait", ValueKind.duration("TIME", max: .seconds(3600)), "")

    func parse(
        _ arguments: [String], environment: [String: String] = [:], operands: OperandSpec? = nil
    )
        throws(CommandError) -> ParsedOptions
    {
        let options = [
            Self.port.spec, Self.host.spec, Self.type.spec, Self.headers.spec, Self.open.spec, Self.wait.spec,
        ]
        return try OptionParser(
            verb: ["gateway"], options: options + CommonOptions.all, operands: operands,
            environment: environment
        ).parse(arguments)
    }

    @Test(arguments: [
        ["--port", "80"], ["--port=80"], ["-p", "80"], ["-p80"], ["-op80"], ["--port", "1", "--port", "80"],
    ])
    func `an option's value may follow in any of the usual ways`(_ arguments: [String]) throws {
        #expect(try parse(arguments)[Self.port] == 80)
    }

    @Test func `what is not given has its default`() throws {
        let options = try parse([])
        #expect(options[Self.port] == 2197)
        #expect(options[Self.host] == nil)
        #expect(options[Self.headers] == [])
        #expect(!options[Self.open])
        #expect(!options.isGiven(Self.port))
    }

    @Test func `a repeatable option keeps every value in order`() throws {
        let options = try parse(["--header", "a:1", "-H", "b:2", "--header=c=3"])
        #expect(options[Self.headers] == ["a:1", "b:2", "c=3"])
    }

    @Test(arguments: [
        (["--open"], true), (["-o"], true), (["--open=false"], false), (["--open", "--open=no"], false),
    ])
    func `a flag is on when given and can be given as off`(_ arguments: [String], _ expected: Bool) throws {
        #expect(try parse(arguments)[Self.open] == expected)
    }

    @Test func `two dashes end the options`() throws {
        let files = OperandSpec(name: "FILE", help: "", countMin: 1)
        let options = try parse(["a", "--port", "1", "--", "--port", "-"], operands: files)
        #expect(options.operands == ["a", "--port", "-"])
        #expect(options[Self.port] == 1)
    }

    @Test func `a lone dash is an operand, not an option`() throws {
        let files = OperandSpec(name: "FILE", help: "", countMin: 1, countMax: 1)
        #expect(try parse(["-"], operands: files).operands == ["-"])
    }

    @Test(arguments: [
        (["--port", "x"], "--port: found 'x'; allowed: a whole number from 0 to 65535"),
        (["--port", "65536"], "--port: found '65536'; allowed: a whole number from 0 to 65535"),
        (["--port", "+80"], "--port: found '+80'; allowed: a whole number from 0 to 65535"),
        (["-p", "-1"], "-p (--port): found '-1'; allowed: a whole number from 0 to 65535"),
        (["--port"], "--port needs a value: found nothing after it; allowed: a whole number from 0 to 65535"),
        (
            ["--port", "--open"],
            "--port needs a value: found the option '--open'; allowed: a whole number from 0 to 65535"
        ),
        (["--host="], "--host: found ''; allowed: any text but the empty one"),
        (
            ["--push-type", "alrt"],
            "--push-type: found 'alrt'; allowed: alert, background; did you mean alert?"
        ),
        (["--open=perhaps"], "--open: found 'perhaps'; allowed: true or false"),
        (["--prot", "1"], "unknown option --prot; did you mean --port?"),
        (["--push", "alert"], "unknown option --push; did you mean --push-type?"),
        (["--zzzzzz"], "unknown option --zzzzzz"),
        (["-x"], "unknown option -x"),
        (["-ox"], "unknown option -x"),
        (["--=3"], "unknown option --"),
        (["extra"], "unexpected argument 'extra'"),
    ])
    func `a bad command line is refused with what was found and what is allowed`(
        _ arguments: [String], _ message: String
    ) {
        let error = #expect(throws: CommandError.self) { _ = try parse(arguments) }
        #expect(error == .usage(message))
    }

    @Test func `a long value in an error is cut`() {
        let secret = String(repeating: "s", count: 300)
        let error = #expect(throws: CommandError.self) { _ = try parse(["--port", secret]) }
        #expect(error?.message.contains(String(repeating: "s", count: 25)) == false)
    }

    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)),
        ("1h", .seconds(3600)),
    ])
    func `a length of time is read with its unit`(_ text: String, _ expected: Duration) throws {
        #expect(try parse(["--wait", text])[Self.wait] == expected)
    }

    @Test(arguments: ["5", "s", "1.5s", "-1s", "3601s", "5 s", "99999999999999999999s", "1w", "٣s"])
    func `a length of time without unit, sign-free whole number or in excess is refused`(_ text: String) {
        #expect(throws: CommandError.self) { _ = try parse(["--wait=\(text)"]) }
    }

    @Test func `a variable sets what the command line leaves out`() throws {
        let environment = ["BELFRY_PORT": "1", "BELFRY_PUSH_TYPE": "alert", "BELFRY_OPEN": "yes"]
        let options = try parse(["--push-type", "background"], environment: environment)
        #expect(options[Self.port] == 1)
        #expect(options[Self.type] == "background")
        #expect(options[Self.open])
    }

    @Test func `a variable for the verb alone counts before the general one`() throws {
        let options = try parse([], environment: ["BELFRY_PORT": "1", "BELFRY_GATEWAY_PORT": "2"])
        #expect(options[Self.port] == 2)
    }

    @Test func `a bad variable is named in the error, an empty one is no variable`() throws {
        let error = #expect(throws: CommandError.self) {
            _ = try parse([], environment: ["BELFRY_PORT": "x"])
        }
        #expect(error?.message == "BELFRY_PORT: found 'x'; allowed: a whole number from 0 to 65535")
        #expect(try parse([], environment: ["BELFRY_PORT": ""])[Self.port] == 2197)
    }

    @Test func `help cannot be asked for by a variable`() throws {
        #expect(try !parse([], environment: ["BELFRY_HELP": "1"])[CommonOptions.help])
    }

    @Test(arguments: [
        (0, "needs at least one FILE; found none"), (3, "unexpected argument 'c'"),
    ])
    func `too few and too many operands are refused`(_ count: Int, _ message: String) {
        let files = OperandSpec(name: "FILE", help: "", countMin: 1, countMax: 2)
        let arguments = Array(["a", "b", "c"].prefix(count))
        let error = #expect(throws: CommandError.self) { _ = try parse(arguments, operands: files) }
        #expect(error == .usage(message))
    }

    @Test func `the parser survives any short argument`() {
        let pieces = ["-", "--", "=", "p", "port", "1", "é", " ", "\n", "o", "\u{0}"]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    _ = try? parse([first + second + third, second + first, third])
                }
            }
        }
    }
}
