// The elements that the console's pages are made of: each takes its attributes, then its content.

func div(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("div", attributes, content())
}

func span(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("span", attributes, content())
}

func p(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("p", attributes, content())
}

func h1(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("h1", attributes, content())
}

func h2(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("h2", attributes, content())
}

func h3(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("h3", attributes, content())
}

func a(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("a", attributes, content())
}

func button(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("button", attributes, content())
}

func form(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("form", attributes, content())
}

func label(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("label", attributes, content())
}

func selectElement(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("select", attributes, content())
}

func option(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("option", attributes, content())
}

func table(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("table", attributes, content())
}

func thead(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("thead", attributes, content())
}

func tbody(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("tbody", attributes, content())
}

func tr(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("tr", attributes, content())
}

func th(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("th", attributes, content())
}

func td(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("td", attributes, content())
}

func ul(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("ul", attributes, content())
}

func ol(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("ol", attributes, content())
}

func li(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("li", attributes, content())
}

func dl(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("dl", attributes, content())
}

func dt(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("dt", attributes, content())
}

func dd(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("dd", attributes, content())
}

func section(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("section", attributes, content())
}

func header(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("header", attributes, content())
}

func footer(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("footer", attributes, content())
}

func main(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("main", attributes, content())
}

func nav(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("nav", attributes, content())
}

func aside(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("aside", attributes, content())
}

func progress(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("progress", attributes, content())
}

func details(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("details", attributes, content())
}

func summary(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("summary", attributes, content())
}

func code(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("code", attributes, content())
}

func pre(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("pre", attributes, content())
}

func timeElement(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("time", attributes, content())
}

func fieldset(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("fieldset", attributes, content())
}

func legend(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("legend", attributes, content())
}

func textarea(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("textarea", attributes, content())
}

func strong(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("strong", attributes, content())
}

func small(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("small", attributes, content())
}

func caption(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("caption", attributes, content())
}

func htmlElement(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("html", attributes, content())
}

func head(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("head", attributes, content())
}

func body(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("body", attributes, content())
}

func title(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("title", attributes, content())
}

func script(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("script", attributes, content())
}

func canvas(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("canvas", attributes, content())
}

func datalist(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("datalist", attributes, content())
}

func figure(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("figure", attributes, content())
}

func figcaption(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("figcaption", attributes, content())
}

func templateElement(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("template", attributes, content())
}

func svg(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("svg", attributes, content())
}

func pathShape(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("path", attributes, content())
}

func rectShape(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("rect", attributes, content())
}

func circleShape(_ attributes: Attribute..., @NodeBuilder content: Content = { [] }) -> Node {
    .element("circle", attributes, content())
}

func input(_ attributes: Attribute...) -> Node { .element("input", attributes, []) }

func br(_ attributes: Attribute...) -> Node { .element("br", attributes, []) }

func meta(_ attributes: Attribute...) -> Node { .element("meta", attributes, []) }

func linkElement(_ attributes: Attribute...) -> Node { .element("link", attributes, []) }
