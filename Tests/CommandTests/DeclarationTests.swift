import Testing

@testable import belfry

/// Rules that hold for the declaration of every verb, and for what is generated from it.
@Suite struct DeclarationTests {
    @Test func `every verb has a summary, an example, and options with distinct names`() {
        for declaration in VerbTable.declarations {
            #expect(!declaration.summary.isEmpty && !declaration.summary.hasSuffix("."))
            #expect(!declaration.examples.isEmpty, "\(declaration.name)")
            let names = declaration.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(declaration.name)")
            let letters = declaration.allOptions.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(declaration.name)")
            for option in declaration.allOptions {
                #expect(option.help.hasSuffix("."), "--\(option.name)")
                #expect(option.name.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber })
            }
        }
        #expect(Set(VerbTable.declarations.map(\.name)).count == VerbTable.declarations.count)
    }

    @Test func `every example is a command line that its verb accepts`() throws {
        for declaration in VerbTable.declarations {
            for example in declaration.examples {
                for words in ShellWords.commands(in: example.command) where words.first == "belfry" {
                    try DocumentedCommand.check(words)
                }
            }
        }
    }

    @Test func `verbs of two words have a group with a summary`() {
        for declaration in VerbTable.declarations where declaration.words.count > 1 {
            #expect(VerbTable.groups[declaration.words[0]] != nil)
        }
    }

    @Test func `the man page names every verb and option, and no line starts as a stray request`() {
        let page = ManualPage.text()
        for declaration in VerbTable.declarations {
            #expect(page.contains(".SS belfry \(declaration.name) "))
            for option in declaration.options {
                let name = option.name.split(separator: "-").joined(separator: "\\-")
                #expect(page.contains("\\-\\-\(name)"))
            }
        }
        let requests: Set = ["TH", "SH", "SS", "TP", "PP", "B", "I", "nf", "fi", "RS", "RE"]
        for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `each completion script names every verb and option`(_ shell: String) async {
        let script = await CommandLineTests.run(["completion", shell]).output
        for declaration in VerbTable.declarations {
            for word in declaration.words { #expect(script.contains(word)) }
            for option in declaration.allOptions {
                #expect(script.contains(shell == "fish" ? "-l \(option.name) " : "--\(option.name)"))
            }
        }
    }
}
