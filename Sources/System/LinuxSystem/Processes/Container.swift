/// The container in which this process runs.
package enum Container {
    /// The file by which Podman, with Toolbox and Distrobox, marks its containers.
    private static let podman = "/run/.containerenv"
    /// The file by which Docker marks its containers, and which stays in a virtual machine that is made of an image.
    private static let docker = "/.dockerenv"

    /// True in a container of a usual program.
    package static var isAround: Bool { exists(podman) || exists(docker) && isOnOverlay }

    /// True if the root folder is an overlay of an image's layers. The first line of proc(5)'s list is its mount.
    private static var isOnOverlay: Bool {
        Descriptor.firstLine(of: "/proc/self/mounts")?.hasPrefix("overlay / overlay") == true
    }

    private static func exists(_ path: String) -> Bool {
        (try? FileStatus(ofPath: path, followsSymlink: true)) != nil
    }
}
