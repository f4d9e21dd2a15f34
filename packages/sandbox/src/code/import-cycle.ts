import { parseImports } from '#parse-imports'
import type { ModuleSet } from './module-set.ts'

/**
 * Finds a cycle of libraries that import each other. Cycles are never intended: one of the libraries would see another
 * half-loaded. Code that cannot be parsed is skipped; loading it reports the error.
 *
 * @returns the names along the cycle, ending with the first one again; undefined when there is no cycle.
 */
export function importCycle(modules: ModuleSet): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): readonly string[] | undefined => {
    const at = path.indexOf(name)
    if (at >= 0) return [...path.slice(at), name]
    if (done.has(name)) return undefined
    done.add(name)
    for (const specifier of importsOf(modules.code(name) ?? '')) {
      const imported = modules.resolve(specifier)
      const cycle = imported === undefined ? undefined : visit(imported, [...path, name])
      if (cycle) return cycle
    }
    return undefined
  }
  for (const specifier of importsOf(modules.mainCode)) {
    const imported = modules.resolve(specifier)
    const cycle = imported === undefined ? undefined : visit(imported, [])
    if (cycle) return cycle
  }
  return undefined
}

function importsOf(code: string): readonly string[] {
  try {
    return parseImports(code)[0].flatMap((found) => ('specifier' in found ? (found.specifier ?? []) : []))
  } catch {
    return []
  }
}
