package import SystemPackage

extension FilePath {
    /// The path of those bytes; see ``LosslessText``. Bytes behind a NUL are left out.
    package init(lossless string: String) {
        let characters = LosslessText.bytes(of: string).map { CInterop.PlatformChar(bitPattern: $0) } + [0]
        self = unsafe characters.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
        }
    }
}
