/// Types of text.
extension UniformType {
    /// Any text: plain, HTML, RTF, XML, source code.
    public static let text = UniformType(constant: "public.text")
    /// Text without markup, in an encoding not told.
    public static let plainText = UniformType(constant: "public.plain-text")
    /// Text without markup in UTF-8.
    public static let utf8PlainText = UniformType(constant: "public.utf8-plain-text")
    /// UTF-16 in the machine's byte order, without a mark.
    public static let utf16PlainText = UniformType(constant: "public.utf16-plain-text")
    /// UTF-16, big-endian unless a byte order mark says otherwise.
    public static let utf16ExternalPlainText = UniformType(constant: "public.utf16-external-plain-text")
    /// Any table in text.
    public static let delimitedText = UniformType(constant: "public.delimited-values-text")
    /// A table with commas between its values (RFC 4180).
    public static let commaSeparatedText = UniformType(constant: "public.comma-separated-values-text")
    /// A table with tabs between its values.
    public static let tabSeparatedText = UniformType(constant: "public.tab-separated-values-text")
    /// A table with tabs between its values, in UTF-8.
    public static let utf8TabSeparatedText = UniformType(constant: "public.utf8-tab-separated-values-text")

    /// HTML. It is text, but no plain text.
    public static let html = UniformType(constant: "public.html")
    /// HTML in XML.
    public static let xhtml = UniformType(constant: "public.xhtml")
    /// Any XML.
    public static let xml = UniformType(constant: "public.xml")
    /// Rich Text Format. It is text, but no plain text.
    public static let rtf = UniformType(constant: "public.rtf")
    /// Rich text with attachments, as a package.
    public static let rtfd = UniformType(constant: "com.apple.rtfd")
    /// Rich text with attachments, as bytes.
    public static let flatRTFD = UniformType(constant: "com.apple.flat-rtfd")
    /// Markdown (RFC 7763).
    public static let markdown = UniformType(constant: "net.daringfireball.markdown")
    /// A style sheet.
    public static let css = UniformType(constant: "public.css")
    /// JSON (RFC 8259).
    public static let json = UniformType(constant: "public.json")
    /// YAML.
    public static let yaml = UniformType(constant: "public.yaml")
    /// A property list in any form.
    public static let propertyList = UniformType(constant: "com.apple.property-list")
    /// A property list in XML.
    public static let xmlPropertyList = UniformType(constant: "com.apple.xml-property-list")
    /// A property list in binary form.
    public static let binaryPropertyList = UniformType(constant: "com.apple.binary-property-list")

    /// Any source code. It is plain text.
    public static let sourceCode = UniformType(constant: "public.source-code")
    /// Assembly language.
    public static let assemblyLanguageSource = UniformType(constant: "public.assembly-source")
    /// C.
    public static let cSource = UniformType(constant: "public.c-source")
    /// A C header.
    public static let cHeader = UniformType(constant: "public.c-header")
    /// C++.
    public static let cPlusPlusSource = UniformType(constant: "public.c-plus-plus-source")
    /// A C++ header.
    public static let cPlusPlusHeader = UniformType(constant: "public.c-plus-plus-header")
    /// Objective-C.
    public static let objectiveCSource = UniformType(constant: "public.objective-c-source")
    /// Objective-C++.
    public static let objectiveCPlusPlusSource = UniformType(constant: "public.objective-c-plus-plus-source")
    /// Swift.
    public static let swiftSource = UniformType(constant: "public.swift-source")
    /// JavaScript.
    public static let javaScript = UniformType(constant: "com.netscape.javascript-source")
    /// Any script.
    public static let script = UniformType(constant: "public.script")
    /// A script for a shell, or for Perl, PHP, Python or Ruby.
    public static let shellScript = UniformType(constant: "public.shell-script")
    /// Perl.
    public static let perlScript = UniformType(constant: "public.perl-script")
    /// PHP.
    public static let phpScript = UniformType(constant: "public.php-script")
    /// Python.
    public static let pythonScript = UniformType(constant: "public.python-script")
    /// Ruby.
    public static let rubyScript = UniformType(constant: "public.ruby-script")
    /// A makefile.
    public static let makefile = UniformType(constant: "public.make-source")
    /// The differences of two texts.
    public static let patch = UniformType(constant: "public.patch-file")
}
