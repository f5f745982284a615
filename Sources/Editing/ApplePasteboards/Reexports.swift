// Apple's frameworks give programs Foundation as well, so that one import is enough. The members of `UndoManager` are
// those of its superclass in Undo.
#if canImport(AppKit)
@_exported public import AppKit
#elseif canImport(UIKit)
@_exported public import UIKit
#else
@_exported public import Foundation
@_exported public import Undo
#endif
