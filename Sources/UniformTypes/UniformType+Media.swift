/// Types of images, sound and moving pictures.
extension UniformType {
    /// Any image.
    public static let image = UniformType(constant: "public.image")
    /// PNG.
    public static let png = UniformType(constant: "public.png")
    /// JPEG.
    public static let jpeg = UniformType(constant: "public.jpeg")
    /// JPEG XL.
    public static let jpegXL = UniformType(constant: "public.jpeg-xl")
    /// TIFF.
    public static let tiff = UniformType(constant: "public.tiff")
    /// GIF.
    public static let gif = UniformType(constant: "com.compuserve.gif")
    /// A Windows bitmap, with its file header.
    public static let bmp = UniformType(constant: "com.microsoft.bmp")
    /// A Windows icon.
    public static let ico = UniformType(constant: "com.microsoft.ico")
    /// WebP.
    public static let webP = UniformType(constant: "org.webmproject.webp")
    /// AVIF.
    public static let avif = UniformType(constant: "public.avif")
    /// HEIF.
    public static let heif = UniformType(constant: "public.heif")
    /// HEIF with HEVC.
    public static let heic = UniformType(constant: "public.heic")
    /// SVG. It is XML as well.
    public static let svg = UniformType(constant: "public.svg-image")
    /// What a camera's sensor saw.
    public static let rawImage = UniformType(constant: "public.camera-raw-image")
    /// An Apple icon.
    public static let icns = UniformType(constant: "com.apple.icns")
    /// Any contents in three dimensions.
    public static let threeDContent = UniformType(constant: "public.3d-content")

    /// Sound, moving pictures or both.
    public static let audiovisualContent = UniformType(constant: "public.audiovisual-content")
    /// Any sound.
    public static let audio = UniformType(constant: "public.audio")
    /// MPEG audio, layer III.
    public static let mp3 = UniformType(constant: "public.mp3")
    /// MPEG-4 with sound alone.
    public static let mpeg4Audio = UniformType(constant: "public.mpeg-4-audio")
    /// Waveform audio.
    public static let wav = UniformType(constant: "com.microsoft.waveform-audio")
    /// AIFF.
    public static let aiff = UniformType(constant: "public.aiff-audio")
    /// FLAC.
    public static let flac = UniformType(constant: "org.xiph.flac")
    /// Sound in Ogg.
    public static let oggAudio = UniformType(constant: "org.xiph.ogg-audio")
    /// MIDI.
    public static let midi = UniformType(constant: "public.midi-audio")
    /// Moving pictures, with sound or without.
    public static let movie = UniformType(constant: "public.movie")
    /// Moving pictures without sound.
    public static let video = UniformType(constant: "public.video")
    /// MPEG-1 or MPEG-2.
    public static let mpeg = UniformType(constant: "public.mpeg")
    /// MPEG-2 without sound.
    public static let mpeg2Video = UniformType(constant: "public.mpeg-2-video")
    /// An MPEG-2 transport stream.
    public static let mpeg2TransportStream = UniformType(constant: "public.mpeg-2-transport-stream")
    /// MPEG-4.
    public static let mpeg4Movie = UniformType(constant: "public.mpeg-4")
    /// QuickTime.
    public static let quickTimeMovie = UniformType(constant: "com.apple.quicktime-movie")
    /// AVI.
    public static let avi = UniformType(constant: "public.avi")
    /// WebM.
    public static let webM = UniformType(constant: "org.webmproject.webm")
    /// Matroska.
    public static let matroska = UniformType(constant: "org.matroska.mkv")
    /// Any playlist.
    public static let playlist = UniformType(constant: "public.playlist")
    /// An M3U playlist.
    public static let m3uPlaylist = UniformType(constant: "public.m3u-playlist")
}
