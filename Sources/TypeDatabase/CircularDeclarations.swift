package import UniformTypes

/// Declarations that conform to themselves by way of others.
package enum CircularDeclarations {
    /// The numbers of those declarations: what is left when all are taken away that lead to no other, and all that no
    /// other leads to.
    package static func indices(in declarations: [TypeDeclaration?]) -> Set<Int> {
        var numbers: [UniformType: Int] = [:]
        for (number, declaration) in declarations.enumerated() {
            guard let type = declaration.flatMap({ UniformType($0.identifier) }) else { continue }
            numbers[type] = numbers[type] ?? number
        }
        var targets: [Int: Set<Int>] = [:]
        for (number, declaration) in declarations.enumerated() {
            let parents = (declaration?.conformsTo ?? []).compactMap { UniformType($0) }
            // A parent that is not declared here may have ancestors that are.
            targets[number] = Set(
                parents.flatMap { parent -> [Int] in
                    if let number = numbers[parent] { return [number] }
                    return parent.isBuiltIn ? parent.supertypes.compactMap { numbers[$0] } : []
                })
        }
        let outward = Self.remaining(Array(declarations.indices), targets)
        var sources: [Int: Set<Int>] = [:]
        for (number, others) in targets { for other in others { sources[other, default: []].insert(number) } }
        return Set(Self.remaining(Array(outward), sources.mapValues { $0.intersection(outward) }))
    }

    /// What is left of the nodes when each is taken away that leads to none that is left (Kahn's algorithm).
    private static func remaining(_ nodes: [Int], _ targets: [Int: Set<Int>]) -> Set<Int> {
        var sources: [Int: [Int]] = [:]
        var open: [Int: Int] = [:]
        for node in nodes {
            let others = targets[node] ?? []
            open[node] = others.count
            for other in others { sources[other, default: []].append(node) }
        }
        var ready = nodes.filter { open[$0] == 0 }
        var rest = Set(nodes)
        while let node = ready.popLast() {
            rest.remove(node)
            for source in sources[node] ?? [] {
                open[source, default: 0] -= 1
                if open[source] == 0 { ready.append(source) }
            }
        }
        return rest
    }
}
