import Foundation
import Testing
import UniformTypes

@Suite struct DeclaredTypeTests {
    /// A row of the table of built-in types.
    private struct Row {
        let identifier: String
        let parents: [String]
        let mimeTypes: [String]
        let extensions: [String]
        let description: String

        static func all() throws -> [Row] {
            try Table.rows("uniform-types.tsv").map { columns in
                Row(
                    identifier: columns[0], parents: Table.names(columns[1]),
                    mimeTypes: Table.names(columns[2]) + Table.names(columns[3]), extensions: Table.names(columns[4]),
                    description: columns[5])
            }
        }
    }

    @Test("Every built-in type is found by its identifier in any case, with all values of its row")
    func identifiers() throws {
        let rows = try Row.all()
        #expect(rows.count > 600)
        for row in rows {
            for spelling in [row.identifier, row.identifier.uppercased(), row.identifier.lowercased()] {
                let type = try #require(UniformType(spelling))
                #expect(type.isDeclared, "\(spelling)")
                #expect(type.identifier == spelling)
                #expect(type.tags[.mimeType] ?? [] == row.mimeTypes, "\(spelling)")
                #expect(type.tags[.filenameExtension] ?? [] == row.extensions, "\(spelling)")
                #expect(type.preferredMIMEType == row.mimeTypes.first, "\(spelling)")
                #expect(type.preferredFilenameExtension == row.extensions.first, "\(spelling)")
                #expect(type.typeDescription == row.description, "\(spelling)")
                #expect(type.isPublic == row.identifier.hasPrefix("public."))
            }
        }
    }

    @Test("Every tag of a row has a type with that tag, and all types with the tag are listed")
    func tags() throws {
        for row in try Row.all() {
            let type = try #require(UniformType(row.identifier))
            for name in row.mimeTypes {
                for spelling in [name, name.uppercased()] {
                    let found = try #require(UniformType(mimeType: spelling))
                    #expect(found.tags[.mimeType]?.contains(name) == true, "\(spelling) is \(found)")
                    #expect(UniformType.types(tag: spelling, tagClass: .mimeType).contains(type), "\(spelling)")
                }
                #expect(UniformType(mimeType: name, conformingTo: type) == type || isShared(name, by: row), "\(name)")
            }
            for name in row.extensions {
                let found = try #require(UniformType(filenameExtension: name.uppercased()))
                #expect(found.tags[.filenameExtension]?.contains(name) == true, "\(name) is \(found)")
                #expect(UniformType.types(tag: name, tagClass: .filenameExtension).contains(type), "\(name)")
            }
        }
    }

    /// Returns true if several types have the MIME type, so that the search for this type may find a different type.
    private func isShared(_ name: String, by row: Row) -> Bool {
        UniformType.types(tag: name, tagClass: .mimeType).count > 1
    }

    @Test("A type conforms to the types in its row, to all of their supertypes, and to no others")
    func conformance() throws {
        let rows = try Row.all()
        let parents = Dictionary(uniqueKeysWithValues: rows.map { ($0.identifier.lowercased(), $0.parents) })
        func ancestors(_ identifier: String) -> Set<String> {
            Set((parents[identifier.lowercased()] ?? []).flatMap { ancestors($0).union([$0.lowercased()]) })
        }
        let types = rows.compactMap { UniformType($0.identifier) }
        for (row, type) in zip(rows, types) {
            let expected = ancestors(row.identifier)
            #expect(Set(type.supertypes.map { $0.identifier.lowercased() }) == expected, "\(row.identifier)")
            #expect(type.supertypes.count == expected.count, "\(row.identifier)")
            #expect(type.supertypes.prefix(row.parents.count).map(\.identifier) == row.parents)
            // All ancestors, and a sample of the other types.
            for (index, other) in types.enumerated() where index % 10 == 0 || expected.contains(other.key) {
                let wanted = expected.contains(other.key) || other == type
                if type.conforms(to: other) != wanted { Issue.record("\(type) conforms to \(other): \(!wanted)") }
            }
        }
    }

    @Test("The table contains the ancestors that a search from parent to parent finds, in the same order")
    func walk() throws {
        // If the user redefines any built-in type, every lookup searches.
        let walking = Layers(user: DeclarationLayer([TypeDeclaration(identifier: "public.item")]))
        for row in try Row.all() {
            let type = try #require(UniformType(row.identifier))
            #expect(walking.supertypes(of: type) == type.supertypes, "\(type)")
        }
    }

    @Test(
        "Of types with the same MIME type, a document precedes templates, slide shows and libraries",
        arguments: [
            ("application/msword", "com.microsoft.word.doc"), ("application/vnd.ms-excel", "com.microsoft.excel.xls"),
            ("application/msexcel", "com.microsoft.excel.xls"),
            ("application/vnd.ms-powerpoint", "com.microsoft.powerpoint.ppt"),
            ("application/mspowerpoint", "com.microsoft.powerpoint.ppt"),
            ("application/x-msdownload", "com.microsoft.windows-executable"), ("audio/mp4a-latm", "public.mp4a-latm"),
        ])
    func sharedMIMETypes(name: String, identifier: String) {
        #expect(UniformType(mimeType: name)?.identifier == identifier)
        #expect(UniformType(target: name).identifier == identifier)
    }

    @Test(
        "Of types with the same extension, the most common type comes first, and a file precedes a folder",
        arguments: [
            ("ts", "public.mpeg-2-transport-stream"), ("mp4", "public.mpeg-4"), ("otf", "public.opentype-font"),
            ("xml", "public.xml"), ("plist", "com.apple.property-list"), ("app", "com.apple.application-file"),
            ("key", "com.apple.iWork.Keynote.sffkey"), ("pages", "com.apple.iWork.Pages.sffpages"),
            ("numbers", "com.apple.iWork.Numbers.sffnumbers"), ("pkg", "com.apple.installer-package-archive"),
            ("fs", "org.khronos.glsl.fragment-shader"), ("smf", "public.midi-audio"),
        ])
    func sharedExtensions(name: String, identifier: String) {
        #expect(UniformType(filenameExtension: name)?.identifier == identifier)
    }

    @Test(
        "The older names of NSPasteboard's types are targets of their types, by constant and by value",
        arguments: [
            ("NSStringPboardType", "public.utf8-plain-text"), ("NSRTFPboardType", "public.rtf"),
            ("NeXT Rich Text Format v1.0 pasteboard type", "public.rtf"), ("NSRTFDPboardType", "com.apple.flat-rtfd"),
            ("NeXT RTFD pasteboard type", "com.apple.flat-rtfd"), ("NSTIFFPboardType", "public.tiff"),
            ("NeXT TIFF v4.0 pasteboard type", "public.tiff"), ("NSPDFPboardType", "com.adobe.pdf"),
            ("Apple PDF pasteboard type", "com.adobe.pdf"), ("Apple PNG pasteboard type", "public.png"),
            ("NSHTMLPboardType", "public.html"), ("Apple HTML pasteboard type", "public.html"),
            ("NSTabularTextPboardType", "public.utf8-tab-separated-values-text"),
            ("NSColorPboardType", "com.apple.cocoa.pasteboard.color"),
            ("NSSoundPboardType", "com.apple.cocoa.pasteboard.sound"),
            ("NSFontPboardType", "com.apple.cocoa.pasteboard.character-formatting"),
            ("NSRulerPboardType", "com.apple.cocoa.pasteboard.paragraph-formatting"),
        ])
    func formerNames(name: String, identifier: String) {
        #expect(UniformType(target: name).identifier == identifier)
    }

}
