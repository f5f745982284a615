public import FoundationEssentials

/// The properties that `UIPasteboard` sets, unavailable here: their messages name the methods to call instead.
///
/// Setting contents can fail, and a setter cannot throw.
public protocol PasteboardSetterGuidance {}

extension Pasteboard: PasteboardSetterGuidance {}

// The types differ from those of the properties of `Pasteboard`, which the compiler would otherwise prefer.
extension PasteboardSetterGuidance {
    /// Unavailable; see ``Pasteboard/setString(_:options:ifChangeCount:)``.
    @available(*, unavailable, message: "setting can fail; call 'try setString(_:)'")
    public var string: String {
        get { "" }
        nonmutating set {}
    }

    /// Unavailable; see ``Pasteboard/setStrings(_:options:ifChangeCount:)``.
    @available(*, unavailable, message: "setting can fail; call 'try setStrings(_:)'")
    public var strings: [String]? {
        get { nil }
        nonmutating set {}
    }

    /// Unavailable; see ``Pasteboard/setURL(_:options:ifChangeCount:)``.
    @available(*, unavailable, message: "setting can fail; call 'try setURL(_:)'")
    public var url: URL {
        get { URL(fileURLWithPath: "/") }
        nonmutating set {}
    }

    /// Unavailable; see ``Pasteboard/setURLs(_:isCut:options:ifChangeCount:)``.
    @available(*, unavailable, message: "setting can fail; call 'try setURLs(_:)'")
    public var urls: [URL]? {
        get { nil }
        nonmutating set {}
    }

    /// Unavailable; see ``Pasteboard/setImage(_:options:ifChangeCount:)``.
    @available(*, unavailable, message: "setting can fail; call 'try setImage(EncodedImage(data, type: .png))'")
    public var image: EncodedImage {
        get { EncodedImage(Data(), type: "") }
        nonmutating set {}
    }

    /// Unavailable; see ``Pasteboard/setColor(_:options:ifChangeCount:)``.
    @available(*, unavailable, message: "setting can fail; call 'try setColor(_:)'")
    public var color: PasteboardColor {
        get { PasteboardColor(red: 0, green: 0, blue: 0) }
        nonmutating set {}
    }

    /// Unavailable; see ``Pasteboard/setItems(_:options:ifChangeCount:formerOwner:)``.
    @available(*, unavailable, message: "setting can fail; call 'try setItems(_:)'")
    public var items: [PasteboardItem]? {
        get { nil }
        nonmutating set {}
    }
}
