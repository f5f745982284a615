/// What the desktop knows of types: its shared MIME-info database. It knows MIME types, not identifiers.
///
/// It is asked only where no declaration says anything, from any thread. All names go in and come out in small letters
/// and are never empty; extensions have no dot.
package protocol DesktopTypes: Sendable {
    /// The MIME type that this one is another name of; nil when it is not known as an alias.
    func canonicalName(ofMIMEType name: String) -> String?
    /// The MIME types it is a kind of, the nearest first.
    func parents(ofMIMEType name: String) -> [String]
    /// The MIME type of files with that extension.
    func mimeType(ofExtension name: String) -> String?
    /// The extensions that files of that MIME type have, the usual one first.
    func extensions(ofMIMEType name: String) -> [String]
}
