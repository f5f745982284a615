/// A kind of contents, named by an everyday word.
package enum TypeClass: String, CaseIterable, Sendable {
    case text, image, html, files, url, color, audio, video

    /// What belongs to the class is this or conforms to it.
    package var type: UniformType {
        switch self {
        case .text: .text
        case .image: .image
        case .html: .html
        case .files: .fileURL
        case .url: .url
        case .color: .color
        case .audio: .audio
        case .video: .movie
        }
    }

    /// What is written when a source is said to be of the class; nil where the class says too little to tell.
    package var concreteType: UniformType? {
        switch self {
        case .text: .utf8PlainText
        case .image, .audio, .video: nil
        case .html, .files, .url, .color: type
        }
    }
}
