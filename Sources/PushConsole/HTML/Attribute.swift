/// An attribute of an element; its value is escaped when it is written.
///
/// Addresses are taken as ``Link`` only, so that none of a scheme such as `javascript:` gets into a page. There is no
/// attribute for styles or event handlers: the pages' policy forbids both.
struct Attribute: Sendable {
    let name: String
    /// Nil for one that is there or not, such as `checked`.
    let value: String?
    /// Whether it is written at all.
    let isPresent: Bool

    private init(_ name: String, _ value: String?, isPresent: Bool = true) {
        self.name = name
        self.value = value
        self.isPresent = isPresent
    }

    static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
    static func id(_ id: String) -> Attribute { Attribute("id", id) }
    static func href(_ link: Link) -> Attribute { Attribute("href", link.text) }
    static func src(_ link: Link) -> Attribute { Attribute("src", link.text) }
    static func action(_ link: Link) -> Attribute { Attribute("action", link.text) }
    static func formAction(_ link: Link) -> Attribute { Attribute("formaction", link.text) }
    static func name(_ name: String) -> Attribute { Attribute("name", name) }
    static func value(_ value: String) -> Attribute { Attribute("value", value) }
    static func type(_ type: String) -> Attribute { Attribute("type", type) }
    static func placeholder(_ text: String) -> Attribute { Attribute("placeholder", text) }
    static func title(_ text: String) -> Attribute { Attribute("title", text) }
    static func role(_ role: String) -> Attribute { Attribute("role", role) }
    static func scope(_ scope: String) -> Attribute { Attribute("scope", scope) }
    static func lang(_ language: String) -> Attribute { Attribute("lang", language) }
    static func `for`(_ id: String) -> Attribute { Attribute("for", id) }
    static func list(_ id: String) -> Attribute { Attribute("list", id) }
    static func max(_ value: String) -> Attribute { Attribute("max", value) }
    static func min(_ value: String) -> Attribute { Attribute("min", value) }
    static func rows(_ count: Int) -> Attribute { Attribute("rows", String(count)) }
    static func maxlength(_ count: Int) -> Attribute { Attribute("maxlength", String(count)) }
    static func accept(_ types: String) -> Attribute { Attribute("accept", types) }
    static func autocomplete(_ text: String) -> Attribute { Attribute("autocomplete", text) }
    static func datetime(_ text: String) -> Attribute { Attribute("datetime", text) }
    static let charset = Attribute("charset", "utf-8")
    static func content(_ text: String) -> Attribute { Attribute("content", text) }
    static func rel(_ relation: StaticString) -> Attribute { Attribute("rel", "\(relation)") }
    static func method(_ method: StaticString) -> Attribute { Attribute("method", "\(method)") }
    static func colspan(_ count: Int) -> Attribute { Attribute("colspan", String(count)) }
    static func tabindex(_ index: Int) -> Attribute { Attribute("tabindex", String(index)) }

    /// `aria-…`.
    static func aria(_ name: StaticString, _ value: String) -> Attribute {
        Attribute("aria-\(name)", value)
    }

    /// `data-…`, what scripts read.
    static func data(_ name: StaticString, _ value: String) -> Attribute {
        Attribute("data-\(name)", value)
    }

    /// `data-…` with an address.
    static func data(_ name: StaticString, _ link: Link) -> Attribute {
        Attribute("data-\(name)", link.text)
    }

    /// One that is there or not, such as `checked`.
    static func flag(_ name: StaticString, _ isPresent: Bool = true) -> Attribute {
        Attribute("\(name)", nil, isPresent: isPresent)
    }

    /// One of SVG's attributes for shapes, whose values are written in the source.
    static func shape(_ name: StaticString, _ value: StaticString) -> Attribute {
        Attribute("\(name)", "\(value)")
    }
}
