import RichText
import Testing

/// HTML and the plain text expected from it.
struct HTMLCase: Sendable, CustomTestStringConvertible {
    let html: String
    let text: String

    init(_ html: String, _ text: String) {
        self.html = html
        self.text = text
    }

    var testDescription: String { html }
}

@Suite struct HTMLPlainTextTests {
    private func text(_ html: String) -> String {
        String(decoding: RichText.plainText(fromHTML: Array(html.utf8)), as: UTF8.self)
    }

    @Test("White space collapses as in CSS", arguments: HTMLCase.whiteSpace)
    func whiteSpace(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("Blocks are on their own lines, with an empty line around paragraphs", arguments: HTMLCase.blocks)
    func blocks(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("A break ends its line, and the last break of a block does not add a line", arguments: HTMLCase.breaks)
    func breaks(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("List items have their bullet or number", arguments: HTMLCase.lists)
    func lists(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("Rows are lines, with a tab between cells", arguments: HTMLCase.tables)
    func tables(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("Invisible text is left out", arguments: HTMLCase.hidden)
    func hidden(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("Form fields display their text", arguments: HTMLCase.forms)
    func forms(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("Tags are recognized in every notation, and a less-than sign is text", arguments: HTMLCase.tags)
    func tags(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }

    @Test("Misnested tags end where a browser ends them", arguments: HTMLCase.misnesting)
    func misnesting(sample: HTMLCase) {
        #expect(text(sample.html) == sample.text)
    }
}

extension HTMLCase {
    static let all = whiteSpace + blocks + breaks + lists + tables + hidden + forms + tags + misnesting

    static let whiteSpace = [
        HTMLCase("", ""), HTMLCase("  a \n\t b\r\n c ", "a b c"), HTMLCase("a<b> b</b>", "a b"),
        HTMLCase("a<!--!>b-->c", "ac"), HTMLCase("a<!---!>b-->c", "ac"), HTMLCase("a<!--->b", "ab"),
        HTMLCase("a<!---->b", "ab"), HTMLCase("a<!-- b --!>c", "ac"),
        HTMLCase("<div style='visibility:inherit'>a</div>", "a"),
        HTMLCase("<p style='visibility:hidden'>x<b style='visibility:inherit'>y</b></p>z", "z"),
        HTMLCase("<span style='color:red' style='display:none'>a</span>", "a"),
        HTMLCase("a <b> b</b>", "a b"), HTMLCase("<b>a </b>b", "a b"), HTMLCase("<b>a</b>b", "ab"),
        HTMLCase("<div> a </div> <div> b </div>", "a\nb"), HTMLCase("a <br> b", "a\nb"),
        HTMLCase("a&nbsp; &nbsp;b", "a   b"), HTMLCase("&nbsp;", " "), HTMLCase("a\u{A0}b", "a b"),
        HTMLCase("<span style=\"white-space: pre\">a  b\n c</span>  d", "a  b\n c d"),
        HTMLCase("<p style='white-space:pre-wrap'>a  b\r\n c</p>", "a  b\n c"),
        HTMLCase("<p style='WHITE-SPACE:Pre-Line !important'>a  b \n  c</p>", "a b\nc"),
        HTMLCase("<div style='white-space-collapse: preserve'>a  b", "a  b"),
        HTMLCase("<pre>a  b\n  c\n</pre>d", "a  b\n  c\nd"), HTMLCase("<pre>\n\na</pre>", "\na"),
        HTMLCase("<pre>a<span style='white-space:normal'>  b\n c</span></pre>", "a b c"),
        HTMLCase("a&#10;b&#32; c", "a b c"), HTMLCase("a\0b", "ab"), HTMLCase("a\u{200B}b", "a\u{200B}b"),
    ]

    static let blocks = [
        HTMLCase("a<div>b</div>c", "a\nb\nc"), HTMLCase("<div><div>a</div></div><div>b</div>", "a\nb"),
        HTMLCase("<p>a</p><p>b</p>", "a\n\nb"), HTMLCase("<p>a<p>b", "a\n\nb"),
        HTMLCase("a<p>b</p>c", "a\n\nb\n\nc"),
        HTMLCase("<h1>a</h1>b", "a\n\nb"), HTMLCase("<div><p>a</p></div><div>b</div>", "a\n\nb"),
        HTMLCase("<p></p><div></div>a<div></div><p></p>", "a"), HTMLCase("a<hr>b", "a\nb"),
        HTMLCase("<blockquote>a</blockquote>b", "a\nb"), HTMLCase("<section>a</section><article>b", "a\nb"),
        HTMLCase("<span style='display:block'>a</span><span>b</span>", "a\nb"),
        HTMLCase("a<div style='display: inline-block'>b</div>", "ab"),
        HTMLCase("a<unknown-element>b</unknown-element>c", "abc"), HTMLCase("<o:p>a</o:p>", "a"),
    ]

    static let breaks = [
        HTMLCase("a<br>b", "a\nb"), HTMLCase("a<br/>b<BR clear=all>c", "a\nb\nc"), HTMLCase("a<br><br>b", "a\n\nb"),
        HTMLCase("a</br>b", "a\nb"), HTMLCase("<div>a<br></div><div>b</div>", "a\nb"),
        HTMLCase("<div>a</div><div><br></div><div>b</div>", "a\n\nb"), HTMLCase("<p>a<br></p><p>b", "a\n\nb"),
        HTMLCase("<p>a</p><br><p>b</p>", "a\n\n\n\nb"), HTMLCase("<br>a", "\na"), HTMLCase("a<br>", "a"),
        HTMLCase("a<br><br>", "a\n"), HTMLCase("<div>a</div><div><br></div>", "a\n"),
        HTMLCase("a<br class=\"Apple-interchange-newline\">", "a\n"),
        HTMLCase("a<br style='display:none'>b", "ab"),
    ]

    static let lists = [
        HTMLCase("<ul><li>a</li><li>b</li></ul>c", "• a\n• b\nc"),
        HTMLCase("<ul>\n<li>a\n<li>b\n</ul>", "• a\n• b"),
        HTMLCase("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        HTMLCase("<ol start=3><li>a<li value=9>b<li>c", "3. a\n9. b\n10. c"),
        HTMLCase("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "• a\n    • b\n• c"),
        HTMLCase("<ol type=a><li>a</ol><ol type=I><li>a<li>b</ol>", "a. a\nI. a\nII. b"),
        HTMLCase("<ul style='list-style-type: none'><li>a</ul>", "a"),
        HTMLCase("<ol><li style='list-style: square inside'>a<li>b", "• a\n2. b"),
        HTMLCase("<li>a</li>", "• a"), HTMLCase("<ol><li></li><li>b</li></ol>", "2. b"),
        HTMLCase("<ul><li><p>a</p><p>b</p></li></ul>", "• a\n\nb"), HTMLCase("<ol><li><b>a</b></ol>", "1. a"),
        HTMLCase("<dl><dt>a<dd>b<dt>c</dl>", "a\nb\nc"), HTMLCase("<ol><li><br></li><li>b</li></ol>", "1. \n2. b"),
        HTMLCase(String(repeating: "<ul>", count: 50) + "<li>a", String(repeating: "    ", count: 8) + "• a"),
        HTMLCase("<ol start=9223372036854775807><li>a<li>b</ol>", "1. a\n2. b"),
    ]

    static let tables = [
        HTMLCase("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>e", "a\tb\nc\td\ne"),
        HTMLCase("<table>\n<tbody>\n <tr>\n <td>a</td>\n <td> b </td>\n</tr>\n</tbody>\n</table>", "a\tb"),
        HTMLCase("<table><tr><td>a<td>b<tr><td>c<td>d", "a\tb\nc\td"), HTMLCase("<td>a</td><td>b</td>", "a\tb"),
        HTMLCase("<tr><td>a</td></tr><tr><td>b</td></tr>", "a\nb"),
        HTMLCase("<table><tr><td></td><td>b</td></tr><tr><td>c</td><td></td></tr></table>", "\tb\nc\t"),
        HTMLCase("<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>", "a\tb"),
        HTMLCase("<table><tr><td>a<br></td><td><div>b</div></td></tr></table>", "a\tb"),
        HTMLCase("<table><caption>t</caption><thead><tr><th>a<tbody><tr><td>b</table>", "t\na\nb"),
        HTMLCase("x<table><tr><td><table><tr><td>a<td>b</table><td>c</table>y", "x\na\tb\tc\ny"),
        HTMLCase("<table><td>a<td>b</table>", "a\tb"),
        HTMLCase("<table><tr><td>a<br>b</td><td>c</table>", "a\nb\tc"),
        HTMLCase("<table><tr><td style='display:none'>a</td><td>b</td></tr></table>", "b"),
    ]

    static let hidden = [
        HTMLCase("<head><title>t</title><style>p{}</style></head><body>a</body>", "a"),
        HTMLCase("a<script>if (a<b) document.write('</b>')</script>b", "ab"),
        HTMLCase("<SCRIPT>x</Script >a", "a"), HTMLCase("<script>x</scripty></script>a", "a"),
        HTMLCase("<style>a", ""), HTMLCase("<noscript>a</noscript>b", "b"),
        HTMLCase("<template><p>a</p></template>b", "b"),
        HTMLCase("<p hidden>a</p>b", "b"), HTMLCase("<p hidden>a<p>b", "b"),
        HTMLCase("a<div hidden>x</div>b", "ab"),
        HTMLCase("<div style=\"color:red; display : NONE\"><p>a<br></p></div>b", "b"),
        HTMLCase("<div style='visibility:hidden'>a<b style='visibility:visible'>b</b></div>", "b"),
        HTMLCase("a<!-- b -->c", "ac"), HTMLCase("a<!-->b-->c", "ab-->c"), HTMLCase("a<!--b", "a"),
        HTMLCase("a<!--b--!>c", "ac"), HTMLCase("a<![CDATA[b]]>c", "ac"),
        HTMLCase("<!DOCTYPE html><?xml version='1'?>a", "a"),
        HTMLCase("<![if !supportLists]>a<![endif]>b", "ab"), HTMLCase("<!--[if mso]><p>a</p><![endif]-->b", "b"),
        HTMLCase("<html><body><!--StartFragment-->a<!--EndFragment--></body></html>", "a"),
        HTMLCase("<video>a</video><img alt=b><input value=c>d", "d"),
    ]

    static let forms = [
        HTMLCase("<textarea>\n a <b>\n c &amp;</textarea>d", " a <b>\n c &d"),
        HTMLCase("<select><option>a<option>b</select>c", "a\nb\nc"), HTMLCase("<button>a</button>b", "ab"),
        HTMLCase("<xmp><b>&amp;</xmp>a", "<b>&amp;\na"),
        HTMLCase("a<plaintext><b></plaintext>", "a\n<b></plaintext>"),
    ]

    static let tags = [
        HTMLCase("<P CLASS=a>b</P>", "b"), HTMLCase("<a title='<b>' href=\"x>y\">c</a>", "c"),
        HTMLCase("<a title=b>c>d", "c>d"), HTMLCase("a < b <3 <", "a < b <3 <"), HTMLCase("a </ b>c", "a c"),
        HTMLCase("</>a", "a"), HTMLCase("a<b", "a"), HTMLCase("a<b c='", "a"), HTMLCase("a</b", "a"),
        HTMLCase("<a hidden>b</a>c", "c"), HTMLCase("<a/hidden/>b</a>c", "c"), HTMLCase("<a hidden=''>b</a>c", "c"),
        HTMLCase("<a b=\"c\"hidden>d</a>e", "e"), HTMLCase("<a =hidden>b</a>", "b"),
        HTMLCase("<div a='b\"c'>d", "d"),
    ]

    static let misnesting = [
        HTMLCase("<b hidden><i>a</b>b</i>c", "bc"), HTMLCase("<b hidden><p>a</b>b</p>", "b"),
        HTMLCase("<div hidden><span>a</div>b", "b"), HTMLCase("<span hidden><div>a</span>b</div></span>c", "c"),
        HTMLCase("<div hidden><table><tr><td></div>a</table></div>b", "b"),
        HTMLCase("<p><i hidden>a<p>b</i>c", "c"), HTMLCase("</div></p></b>a", "a"),
        HTMLCase("<a hidden>a<a>b</a>", "b"),
    ]
}
