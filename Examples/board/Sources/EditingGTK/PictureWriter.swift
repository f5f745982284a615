import CGtk
public import FoundationEssentials

/// Pictures that are drawn without a display, on any thread.
public enum PictureWriter {
    /// Draws a picture, and returns it as a PNG file.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - draw: Draws the contents, on a transparent background.
    public static func png(width: Int, height: Int, _ draw: (Drawing) -> Void) -> Data {
        let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_ARGB32, gint(width), gint(height))
        defer { unsafe cairo_surface_destroy(surface) }
        if let context = unsafe cairo_create(surface) {
            unsafe draw(Drawing(context, width: Double(width), height: Double(height)))
            unsafe cairo_destroy(context)
        }
        let output = Output()
        let write: cairo_write_func_t = { closure, bytes, count in
            guard let closure = unsafe closure, let bytes = unsafe bytes else { return CAIRO_STATUS_WRITE_ERROR }
            let output = unsafe Unmanaged<Output>.fromOpaque(closure).takeUnretainedValue()
            unsafe output.data.append(UnsafeBufferPointer(start: bytes, count: Int(count)))
            return CAIRO_STATUS_SUCCESS
        }
        unsafe _ = cairo_surface_write_to_png_stream(surface, write, Unmanaged.passUnretained(output).toOpaque())
        return output.data
    }

    private final class Output {
        var data = Data()
    }
}
