import CPixbuf
import Formats

/// A converter of pictures between PNG, BMP and TIFF, with 8 bits for each of red, green, blue and alpha.
///
/// It frees nothing, since its process converts one picture and ends.
@safe
struct PictureConverter {
    /// The maximum length of a picture, in bytes.
    static let maxLength = 512 << 20
    /// The maximum number of pixels, which take 400 MB in memory.
    private static let maxPixels = 100_000_000

    private var functions = PixbufFunctions()

    /// Loads gdk-pixbuf; nil if it is not installed.
    init?(library: String) {
        guard unsafe pixbuf_load(&functions, library) else { return nil }
    }

    /// Converts a picture. Most programs that read BMP expect no alpha there, so transparent pixels become white.
    func convert(_ picture: [UInt8], to format: PictureFormat) throws(PictureFailure) -> [UInt8] {
        guard picture.count <= Self.maxLength else {
            throw PictureFailure("the picture has more than \(Self.maxLength) bytes")
        }
        guard let source = PictureFormat(picture) else {
            throw PictureFailure("the bytes are neither PNG nor BMP nor TIFF")
        }
        let picture = source.file(picture)
        guard source.isWhole(picture) else { throw PictureFailure("the picture is cut short") }
        let size = ImageSize(length: picture.count) { Array(picture[$0]) }
        guard let size else { throw PictureFailure("the picture has no size") }
        guard size.width <= Self.maxPixels / size.height else {
            throw PictureFailure("the picture has more than \(Self.maxPixels) pixels")
        }
        let pixels = unsafe try read(picture, source)
        // libtiff multiplies the colors by the alpha, and gdk-pixbuf passes them on as they are. glycin passes on what
        // is in the file.
        if source == .tiff, !pixbuf_uses_glycin() || PictureFormat.hasAssociatedAlpha(ofTIFF: picture) {
            unsafe change(pixels, Self.divideByAlpha)
        }
        return unsafe try write(format == .bmp ? opaque(pixels) : pixels, format)
    }

    /// Returns a picture on white. Without alpha, every version of the library writes a bitmap of 24 bits, which old
    /// programs can read.
    private func opaque(_ pixels: OpaquePointer) -> OpaquePointer {
        guard unsafe functions.gdk_pixbuf_get_has_alpha(pixels) != 0 else { return unsafe pixels }
        unsafe change(pixels, Self.placeOnWhite)
        let (width, height) = unsafe (
            functions.gdk_pixbuf_get_width(pixels), functions.gdk_pixbuf_get_height(pixels)
        )
        let stride = unsafe functions.gdk_pixbuf_get_rowstride(pixels)
        guard let start = unsafe functions.gdk_pixbuf_get_pixels(pixels) else { return unsafe pixels }
        for y in 0..<Int(height) {
            let row = unsafe start + y * Int(stride)
            for x in 0..<Int(width) {
                for color in 0..<3 { unsafe row[3 * x + color] = unsafe row[4 * x + color] }
            }
        }
        let result = unsafe functions.gdk_pixbuf_new_from_data(start, 0, 0, 8, width, height, stride, nil, nil)
        return unsafe result ?? pixels
    }

    private func read(_ picture: [UInt8], _ format: PictureFormat) throws(PictureFailure) -> OpaquePointer {
        var error: UnsafeMutablePointer<PixbufError>?
        guard let loader = unsafe functions.gdk_pixbuf_loader_new_with_type(format.rawValue, &error) else {
            throw unsafe PictureFailure(error)
        }
        guard unsafe functions.gdk_pixbuf_loader_write(loader, picture, picture.count, &error) != 0,
            unsafe functions.gdk_pixbuf_loader_close(loader, &error) != 0,
            let pixels = unsafe functions.gdk_pixbuf_loader_get_pixbuf(loader)
        else { throw unsafe PictureFailure(error) }
        return unsafe pixels
    }

    /// Calls a closure with the red, green, blue and alpha of each pixel of a picture that has alpha, to change them.
    private func change(_ pixels: OpaquePointer, _ body: (inout SIMD4<UInt8>) -> Void) {
        guard unsafe functions.gdk_pixbuf_get_has_alpha(pixels) != 0,
            let start = unsafe functions.gdk_pixbuf_get_pixels(pixels)
        else { return }
        let (width, height) = unsafe (
            Int(functions.gdk_pixbuf_get_width(pixels)), Int(functions.gdk_pixbuf_get_height(pixels))
        )
        let stride = unsafe Int(functions.gdk_pixbuf_get_rowstride(pixels))
        for y in 0..<height {
            let row = unsafe UnsafeMutableRawPointer(start + y * stride)
            for offset in Swift.stride(from: 0, to: 4 * width, by: 4) {
                var pixel = unsafe row.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                body(&pixel)
                unsafe row.storeBytes(of: pixel, toByteOffset: offset, as: SIMD4<UInt8>.self)
            }
        }
    }

    private static func divideByAlpha(_ pixel: inout SIMD4<UInt8>) {
        let alpha = Int(pixel.w)
        guard alpha > 0, alpha < 255 else { return }
        for index in 0..<3 { pixel[index] = UInt8(min((Int(pixel[index]) * 255 + alpha / 2) / alpha, 255)) }
    }

    private static func placeOnWhite(_ pixel: inout SIMD4<UInt8>) {
        let alpha = Int(pixel.w)
        for index in 0..<3 { pixel[index] = UInt8((Int(pixel[index]) * alpha + 255 * (255 - alpha) + 127) / 255) }
        pixel.w = 255
    }

    private func write(_ pixels: OpaquePointer, _ format: PictureFormat) throws(PictureFailure) -> [UInt8] {
        var error: UnsafeMutablePointer<PixbufError>?
        var buffer: UnsafeMutablePointer<CChar>?
        var size = 0
        guard
            unsafe functions.gdk_pixbuf_save_to_bufferv(
                pixels, &buffer, &size, format.rawValue, nil, nil, &error) != 0
        else { throw unsafe PictureFailure(error) }
        return unsafe Array(UnsafeRawBufferPointer(start: buffer, count: size))
    }
}

extension PictureFailure {
    fileprivate init(_ error: UnsafeMutablePointer<PixbufError>?) {
        let message = unsafe error?.pointee.message.map { unsafe String(cString: $0) }
        // The reason is one line. glycin adds the output of its loader.
        self.init(message?.split(separator: "\n").first.map(String.init) ?? "the library gives no reason")
    }
}
