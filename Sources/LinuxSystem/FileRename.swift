import Glibc
package import SystemPackage

/// Names of files, put in place and taken away in one step.
package enum FileRename {
    /// Gives a file another name; what had that name before is gone (rename(2)).
    package static func replace(_ name: String, with file: String) throws(Errno) {
        guard unsafe rename(file, name) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Takes a name away, if it is there.
    package static func remove(_ name: String) {
        unsafe unlink(name)
    }
}
