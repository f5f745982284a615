#if canImport(Darwin)
// UndoManager of Apple's systems, under the name of this module.
@_exported public import Foundation
#endif
