/// Fields of forms with their labels.
enum Field {
    /// A line of text.
    static func text(
        _ name: String, _ label: String, value: String = "", type: String = "text", hint: String? = nil,
        id: String? = nil, _ attributes: Attribute...
    ) -> Node {
        let id = id ?? "field-\(name)"
        return div(.class("field")) {
            labelFor(id, label)
            Node.element(
                "input",
                [.id(id), .name(name), .type(type), .value(value)] + describedBy(id, hint) + attributes, [])
            hintNode(id, hint)
        }
    }

    /// Several lines of text.
    static func area(
        _ name: String, _ label: String, value: String = "", rows: Int = 3, hint: String? = nil,
        id: String? = nil, _ attributes: Attribute...
    ) -> Node {
        let id = id ?? "field-\(name)"
        return div(.class("field")) {
            labelFor(id, label)
            Node.element(
                "textarea", [.id(id), .name(name), .rows(rows)] + describedBy(id, hint) + attributes,
                [.text(value)])
            hintNode(id, hint)
        }
    }

    /// A choice from a list.
    static func choice(
        _ name: String, _ label: String, _ options: [(value: String, text: String)], selected: String = "",
        hint: String? = nil, id: String? = nil, _ attributes: Attribute...
    ) -> Node {
        let id = id ?? "field-\(name)"
        return div(.class("field")) {
            labelFor(id, label)
            Node.element(
                "select", [.id(id), .name(name)] + describedBy(id, hint) + attributes,
                options.map { choice in
                    option(.value(choice.value), .flag("selected", choice.value == selected)) { choice.text }
                })
            hintNode(id, hint)
        }
    }

    /// One of several alternatives.
    static func radio(
        _ name: String, _ value: String, _ label: String, isOn: Bool, hint: String? = nil
    ) -> Node {
        let id = "field-\(name)-\(value)"
        return div(.class("radio")) {
            input(
                .type("radio"), .id(id), .name(name), .value(value), .flag("checked", isOn))
            Node.element("label", [.for(id)], [.text(label)])
            if let hint { span(.class("hint")) { hint } }
        }
    }

    /// A box to tick.
    static func check(
        _ name: String, _ label: String, value: String = "1", isOn: Bool = false, hint: String? = nil
    ) -> Node {
        let id = "field-\(name)-\(value)"
        return div(.class("radio")) {
            input(.type("checkbox"), .id(id), .name(name), .value(value), .flag("checked", isOn))
            Node.element("label", [.for(id)], [.text(label)])
            if let hint { span(.class("hint")) { hint } }
        }
    }

    private static func labelFor(_ id: String, _ text: String) -> Node {
        Node.element("label", [.for(id)], [.text(text)])
    }

    private static func describedBy(_ id: String, _ hint: String?) -> [Attribute] {
        hint == nil ? [] : [.aria("describedby", id + "-hint")]
    }

    private static func hintNode(_ id: String, _ hint: String?) -> Node {
        hint.map { text in p(.class("hint"), .id(id + "-hint")) { text } } ?? .none
    }
}
