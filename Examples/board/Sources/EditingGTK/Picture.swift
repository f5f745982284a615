import CGtk
import Editing
public import FoundationEssentials

/// A decoded picture, in rows of 8-bit RGB or RGBA.
public struct PictureData: Sendable {
    /// The width and height in pixels, at most the requested maximum.
    public let width: Int, height: Int
    let hasAlpha: Bool
    let rowLength: Int
    let pixels: Data
}

/// A failure to decode a picture.
public enum PictureError: Error, Equatable {
    /// The picture has more pixels than the limit, and was not decoded.
    case tooLarge(width: Int, height: Int)
    /// The bytes are not a complete picture in a known format.
    case unreadable(String)
}

/// The decoder of pictures. It uses nothing of the display, so any thread can use it.
public enum PictureDecoder {
    /// The limit on the pixels of a picture. Decoders of some formats, such as PNG, hold the whole picture, which takes
    /// 160 MB at this limit.
    public static let maxPixels = 40_000_000

    /// Decodes a picture to at most a maximum size.
    ///
    /// - Parameters:
    ///   - data: The bytes of an image file.
    ///   - maxWidth: The maximum width of the result.
    ///   - maxHeight: The maximum height of the result.
    /// - Throws: ``PictureError``. A picture above ``maxPixels`` is refused as soon as its size is known.
    public static func decode(_ data: Data, maxWidth: Int, maxHeight: Int) throws(PictureError) -> PictureData {
        guard let loader = unsafe gdk_pixbuf_loader_new() else { throw .unreadable("no decoder") }
        defer { unsafe g_object_unref(loader) }
        let sizing = Sizing(maxWidth: maxWidth, maxHeight: maxHeight)
        let object = OpaquePointer(loader)
        unsafe Signal.connectSize(object, "size-prepared") { width, height in
            let size = sizing.size(width, height)
            unsafe gdk_pixbuf_loader_set_size(UnsafeMutablePointer(object), gint(size.width), gint(size.height))
        }
        let problem = unsafe write(data, to: loader, until: { sizing.isTooLarge })
        let closing = unsafe finish(loader)
        if sizing.isTooLarge { throw .tooLarge(width: sizing.width, height: sizing.height) }
        if let problem = problem ?? closing { throw .unreadable(problem) }
        guard let pixbuf = unsafe gdk_pixbuf_loader_get_pixbuf(loader) else { throw .unreadable("no picture") }
        return unsafe PictureData(pixbuf)
    }

    /// Writes the bytes in pieces, stopping as soon as the picture is refused. Returns an error message.
    private static func write(
        _ data: Data, to loader: UnsafeMutablePointer<GdkPixbufLoader>, until isEnough: () -> Bool
    ) -> String? {
        unsafe data.withUnsafeBytes { bytes -> String? in
            var offset = 0
            while offset < bytes.count, !isEnough() {
                let count = min(bytes.count - offset, 1 << 16)
                var error: UnsafeMutablePointer<GError>?
                let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let isWritten = unsafe gdk_pixbuf_loader_write(
                    loader, base.map { unsafe $0 + offset }, gsize(count), &error)
                if isWritten == 0 { return unsafe text(of: error) }
                offset += count
            }
            return nil
        }
    }

    private static func finish(_ loader: UnsafeMutablePointer<GdkPixbufLoader>) -> String? {
        var error: UnsafeMutablePointer<GError>?
        return unsafe gdk_pixbuf_loader_close(loader, &error) == 0 ? text(of: error) : nil
    }

    private static func text(of error: UnsafeMutablePointer<GError>?) -> String {
        guard let error = unsafe error else { return "not a picture" }
        defer { unsafe g_error_free(error) }
        return unsafe String(cString: error.pointee.message)
    }

    /// The size of a picture, according to its header, and of the result.
    private final class Sizing {
        private let maxWidth: Int, maxHeight: Int
        private(set) var width = 0, height = 0

        init(maxWidth: Int, maxHeight: Int) {
            self.maxWidth = maxWidth
            self.maxHeight = maxHeight
        }

        var isTooLarge: Bool { width > 0 && height > PictureDecoder.maxPixels / width }

        /// Returns the size of the result. For a picture that is too large, it is zero, which ends the decoding.
        func size(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
            self.width = width
            self.height = height
            if isTooLarge { return (0, 0) }
            let scale = min(1, Double(maxWidth) / Double(width), Double(maxHeight) / Double(height))
            return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
        }
    }
}

extension PictureData {
    fileprivate init(_ pixbuf: OpaquePointer) {
        width = unsafe Int(gdk_pixbuf_get_width(pixbuf))
        height = unsafe Int(gdk_pixbuf_get_height(pixbuf))
        hasAlpha = unsafe gdk_pixbuf_get_has_alpha(pixbuf) != 0
        rowLength = unsafe Int(gdk_pixbuf_get_rowstride(pixbuf))
        let length = unsafe Int(gdk_pixbuf_get_byte_length(pixbuf))
        if let bytes = unsafe gdk_pixbuf_read_pixels(pixbuf) {
            unsafe pixels = Data(bytes: bytes, count: length)
        } else {
            pixels = Data()
        }
    }
}

/// A picture that can be drawn. It belongs to the thread of the main loop.
@safe
public final class Picture {
    let pixbuf: OpaquePointer
    /// The width and height in pixels.
    public let width: Int, height: Int

    /// Makes a picture from decoded pixels; nil on failure.
    public init?(_ data: PictureData) {
        let bytes = unsafe data.pixels.withUnsafeBytes { unsafe g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { unsafe g_bytes_unref(bytes) }
        guard data.width > 0, data.height > 0,
            let pixbuf = unsafe gdk_pixbuf_new_from_bytes(
                bytes, GDK_COLORSPACE_RGB, data.hasAlpha ? 1 : 0, 8, gint(data.width), gint(data.height),
                gint(data.rowLength))
        else { return nil }
        unsafe self.pixbuf = pixbuf
        width = data.width
        height = data.height
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
}

/// An icon of the theme.
public final class ImageView: Widget {
    private let side: Int

    /// Makes an empty square view of a size in pixels. Icons in the view are at most 24 pixels large.
    public init(size: Int) {
        side = size
        unsafe super.init(made: gtk_image_new())
        unsafe gtk_widget_set_size_request(pointer, gint(size), gint(size))
    }

    /// Shows an icon of the theme.
    public func show(icon: String) {
        unsafe gtk_image_set_pixel_size(opaque, gint(min(side, 24)))
        unsafe gtk_image_set_from_icon_name(opaque, icon)
    }
}

/// A picture at its own proportions, and not larger than it is.
public final class PictureView: Canvas {
    private final class Shown {
        var picture: Picture?
    }

    private let shown = Shown()

    /// Makes an empty view.
    ///
    /// - Parameter title: The name for assistive technologies.
    public init(title: String) {
        super.init(title: title, isFocusable: false) { [shown] drawing in
            guard let picture = shown.picture else { return }
            // The view may be narrower than the picture.
            let scale = min(drawing.width / Double(picture.width), drawing.height / Double(picture.height))
            drawing.picture(
                picture,
                in: EditRectangle(
                    x: 0, y: 0, width: Double(picture.width) * scale, height: Double(picture.height) * scale))
        }
        unsafe gtk_widget_set_halign(pointer, GTK_ALIGN_START)
    }

    /// Shows a picture at most as wide, and as high, as a number of pixels; nil removes the picture.
    public func show(_ picture: Picture?, maxWidth: Int, maxHeight: Int) {
        shown.picture = picture
        isVisible = picture != nil
        guard let picture else { return }
        let scale = min(1, Double(maxWidth) / Double(picture.width), Double(maxHeight) / Double(picture.height))
        setContentSize(width: Int(Double(picture.width) * scale), height: Int(Double(picture.height) * scale))
        redraw()
    }
}

extension Signal {
    typealias Size = (_ width: Int, _ height: Int) -> Void

    /// Connects a handler that takes a width and a height.
    static func connectSize(_ object: OpaquePointer, _ name: String, _ body: @escaping Size) {
        let handler: @convention(c) (gpointer?, gint, gint, gpointer?) -> Void = { _, width, height, data in
            unsafe ClosureBox<Size>.body(data)?(Int(width), Int(height))
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Size>.retain(body))
    }
}
