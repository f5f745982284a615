// With this re-export, a program needs one import, and the rest of its source is the same with and without the bridge
// inside. Swift has no stable spelling for a re-export: a later compiler may require a change of this line.
@_exported public import Pasteboard
