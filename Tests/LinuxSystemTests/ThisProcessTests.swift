import Foundation
import LinuxSystem
import Testing

struct ThisProcessTests {
    @Test("A program knows its path, its folder and its environment")
    func facts() throws {
        #expect(try FileManager.default.isExecutableFile(atPath: ThisProcess.executablePath()))
        #expect(try ThisProcess.workingFolder() == FileManager.default.currentDirectoryPath)
        #expect(ThisProcess.environment()["PATH"] == ProcessInfo.processInfo.environment["PATH"])
        #expect(ThisProcess.arguments() == Array(CommandLine.arguments.dropFirst()))
    }
}
