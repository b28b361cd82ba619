internal import PushStore
internal import Transport

/// What is the same on every page: head, navigation, language, sign-out.
struct PageFrame {
    let visit: Visit
    let page: Page
    /// Places outside the console, such as the demo's phones.
    let outside: [NavigationItem]
    let hasGateway: Bool

    /// The page as an answer.
    var response: HTTPResponse {
        var bytes = Array("<!DOCTYPE html>".utf8)
        document.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return ConsoleHeaders.page(bytes, status: page.status, language: visit.language)
    }

    private var document: Node {
        htmlElement(.lang(visit.language.rawValue)) {
            head {
                meta(.charset)
                title { "\(page.title) · Belfry" }
                meta(.name("viewport"), .content("width=device-width, initial-scale=1"))
                meta(.name("color-scheme"), .content("light dark"))
                linkElement(.rel("icon"), .href(ConsoleFiles.link("icon.svg")), .type("image/svg+xml"))
                linkElement(.rel("stylesheet"), .href(ConsoleFiles.link("console.css")))
                for name in ["console.js"] + page.scripts {
                    script(.src(ConsoleFiles.link(name)), .flag("defer"))
                }
            }
            body(.class(page.isAlone ? "alone" : "framed")) {
                a(.class("skip"), .href(Link(onPage: "content"))) { visit(.skipToContent) }
                if page.isAlone {
                    aloneHeader
                } else {
                    topBar
                    navigation
                }
                main(.id("content"), .tabindex(-1)) {
                    if !page.isAlone { pageHeader }
                    page.content
                }
            }
        }
    }

    private var brand: Node {
        a(.class("brand"), .href(Link())) {
            svg(
                .class("logo"), .shape("viewBox", "0 0 32 32"), .aria("hidden", "true"),
                .shape("focusable", "false")
            ) {
                pathShape(.shape("d", Self.bell))
                circleShape(.shape("cx", "16"), .shape("cy", "26.5"), .shape("r", "2.6"))
            }
            span { "Belfry" }
        }
    }

    /// A bell.
    private static let bell: StaticString =
        "M16 3.2a2 2 0 0 1 2 2v.7c4.1.9 7 4.5 7 8.9v4.4c0 1 .4 1.9 1.1 2.6l.6.6c.5.5.1 1.4-.6 1.4H5.9c-.7 0-1.1-.9-.6-1.4l.6-.6c.7-.7 1.1-1.6 1.1-2.6v-4.4c0-4.4 2.9-8 7-8.9v-.7a2 2 0 0 1 2-2z"

    private var aloneHeader: Node {
        header(.class("alone-header")) {
            brand
            languageSwitch
        }
    }

    private var topBar: Node {
        header(.class("top")) {
            brand
            if let app = visit.nearestApp { appSwitch(app) }
            div(.class("spacer"))
            languageSwitch
            if let signedIn = visit.signedIn {
                form(.class("inline"), .method("post"), .action(Link("sign-out"))) {
                    visit.formToken
                    span(.class("who")) { signedIn.user.name }
                    button(.class("quiet"), .type("submit")) { visit(.signOut) }
                }
            }
        }
    }

    private func appSwitch(_ current: App) -> Node {
        details(.class("switch")) {
            summary {
                span(.class("switch-name")) { current.name }
                span(.class("switch-id")) { current.topic }
            }
            ul {
                for app in visit.apps {
                    li {
                        if app.number == current.number {
                            a(.href(Link("apps", app.id, "overview")), .aria("current", "true")) { app.name }
                        } else {
                            a(.href(Link("apps", app.id, "overview"))) { app.name }
                        }
                    }
                }
                li { a(.href(Link("apps")), .class("all")) { visit(.allApps) } }
            }
        }
    }

    private var languageSwitch: Node {
        nav(.class("languages"), .aria("label", visit(.language))) {
            for language in Language.allCases {
                if language == visit.language {
                    span(.lang(language.rawValue), .aria("current", "true")) { language.shortName }
                } else {
                    a(
                        .lang(language.rawValue), .title(language.name),
                        .href(Link("language", language.rawValue, query: [("to", visit.path)]))
                    ) { language.shortName }
                }
            }
        }
    }

    private var navigation: Node {
        nav(.class("places"), .aria("label", visit(.navigation))) {
            if let app = visit.nearestApp {
                ul {
                    for place in Page.Place.ofApp where place != .compose || visit.may(.sender) {
                        item(place, Link("apps", app.id, place.rawValue))
                    }
                }
            }
            ul(.class("service")) {
                item(.apps, Link("apps"))
                if visit.may(.owner) { item(.users, Link("users")) }
                item(.audit, Link("audit"))
                if hasGateway { item(.gateway, Link("gateway")) }
                for place in outside {
                    li { a(.href(place.link)) { visit(place.phrase) } }
                }
            }
        }
    }

    private func item(_ place: Page.Place, _ link: Link) -> Node {
        li {
            if page.place == place {
                a(.class("place-\(place.rawValue)"), .href(link), .aria("current", "page")) {
                    visit(place.phrase)
                }
            } else {
                a(.class("place-\(place.rawValue)"), .href(link)) { visit(place.phrase) }
            }
        }
    }

    private var pageHeader: Node {
        header(.class("page")) {
            if !page.trail.isEmpty {
                nav(.class("trail"), .aria("label", visit(.trail))) {
                    for step in page.trail {
                        a(.href(step.link)) { step.text }
                        span(.aria("hidden", "true")) { "/" }
                    }
                }
            }
            div(.class("page-line")) {
                h1 { page.title }
                div(.class("actions")) { page.actions }
            }
            if !page.lead.isEmpty { p(.class("lead")) { page.lead } }
        }
    }
}

/// A place outside the console that its navigation leads to, such as a phone of the demo.
public struct NavigationItem: Sendable {
    let phrase: Phrase
    let link: Link

    /// Makes an item.
    ///
    /// - Parameters:
    ///   - english: its name.
    ///   - chinese: its name in simplified Chinese.
    ///   - path: a path of this server, such as `/phone/1`; nothing else is taken.
    public init?(english: String, chinese: String, path: String) {
        guard let link = Link(ofServer: path) else { return nil }
        phrase = Phrase(english, chinese)
        self.link = link
    }
}
