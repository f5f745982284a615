/// The version of this bridge, as `xpb --version` and `Status` tell it.
package enum BridgeVersion {
    package static let current = "0.1.0"
}
