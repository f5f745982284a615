import Glibc
import LinuxSystem
import SystemPackage

/// The process that converts one picture, from its standard input to its standard output, and ends.
///
/// A picture may come from any program, and may be made to break its reader. So the bridge does not read pictures: this
/// process does, with limits on its memory and time. It loads
/// gdk-pixbuf, which is on every desktop with GTK.
package enum PictureProcess {
    /// The option of the bridge's program that makes it such a process, followed by the name of a ``PictureFormat``.
    package static let option = "--convert-picture"

    /// Where the library may be. The bridge offers conversions only if it is in one of these folders.
    private static let folders = [
        "/usr/lib64", "/usr/lib", "/lib64", "/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
        "/usr/local/lib",
    ]
    private static let library = "libgdk_pixbuf-2.0.so.0"

    /// True if the library is installed.
    package static var isAvailable: Bool {
        folders.contains { unsafe access("\($0)/\(library)", R_OK) == 0 }
    }

    /// The limit on the memory of the process, in bytes.
    private static let maxMemory: UInt = 3 << 30
    /// The limit on the processor time, in seconds.
    private static let maxTime: UInt = 30

    /// Converts the picture, and ends the process: with status 0, or with status 1 after a line on standard error.
    package static func run(to name: String) -> Never {
        limitResources()
        do {
            guard let format = PictureFormat(rawValue: name) else { throw PictureFailure("no format '\(name)'") }
            let input = try FileDescriptor.standardInput.readToEnd(atMost: PictureConverter.maxLength + 1)
            guard let converter = PictureConverter(library: library) else { throw PictureFailure("no \(library)") }
            try FileDescriptor.standardOutput.writeBytes(try converter.convert(input, to: format))
            exit(0)
        } catch let failure as PictureFailure {
            fail(failure.message)
        } catch {
            fail("\(error)")
        }
    }

    private static func limitResources() {
        for (resource, limit) in [(RLIMIT_AS, maxMemory), (RLIMIT_CPU, maxTime), (RLIMIT_CORE, 0)] {
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
        }
    }

    private static func fail(_ message: String) -> Never {
        _ = try? FileDescriptor.standardError.writeAll("\(message)\n".utf8)
        exit(1)
    }
}

/// The reason why a picture was not converted.
package struct PictureFailure: Error, Equatable {
    /// A clause without a period.
    package let message: String

    init(_ message: String) { self.message = message }
}
