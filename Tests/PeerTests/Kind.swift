import TestSupport

/// What is copied and pasted: a column of the matrix.
enum Kind: CaseIterable, Sendable {
    case text, emptyText, html, image, files, undecodableFiles, fileList, note, reverseDNS, absent
    case fourByteText, largeText, largeNote

    /// The head of its column.
    var title: String {
        switch self {
        case .text: "text"
        case .emptyText: "empty"
        case .html: "HTML"
        case .image: "image"
        case .files: "files"
        case .undecodableFiles: "odd names"
        case .fileList: "file list"
        case .note: "custom"
        case .reverseDNS: "reverse-DNS"
        case .absent: "absent"
        case .fourByteText: "4-byte text"
        case .largeText: "20 MB text"
        case .largeNote: "20 MB custom"
        }
    }

    /// What a sentence calls it.
    var phrase: String {
        switch self {
        case .text: "a text"
        case .emptyText: "an empty text"
        case .html: "HTML"
        case .image: "an image"
        case .files: "files"
        case .undecodableFiles: "a file whose name is not UTF-8"
        case .fileList: "a file manager's list"
        case .note: "bytes of a type of its own"
        case .reverseDNS: "bytes under a reverse-DNS name"
        case .absent: "something else than is asked for"
        case .fourByteText: "a text whose characters of four bytes are cut by the borders of the pieces"
        case .largeText: "20 MB of text"
        case .largeNote: "20 MB of a type of its own"
        }
    }

    /// The KIND that a toolkit's program pastes it as.
    var form: String {
        switch self {
        case .text, .emptyText, .fourByteText, .largeText: "text"
        case .html: "html"
        case .image: "image"
        case .files, .undecodableFiles: "files"
        case .fileList: "x-special/gnome-copied-files"
        case .note, .largeNote, .absent: "application/x-example-note"
        case .reverseDNS: "com.example.note"
        }
    }

    /// The TYPE that xpb calls it.
    var type: String {
        switch self {
        case .text, .emptyText, .fourByteText, .largeText: "text"
        case .html: "html"
        case .image: "public.png"
        case .files, .undecodableFiles: "text/uri-list"
        case .fileList, .note, .largeNote, .absent, .reverseDNS: form
        }
    }
}
