import { parse } from 'es-module-lexer/js'
import type { ModuleSet } from './module-set.ts'

/**
 * Finds libraries that import each other in a circle, which nobody means: one of them would see the other half-loaded.
 * Code that cannot be read is passed over: loading it will say what is wrong.
 *
 * @returns the names along the circle, the first one again at the end; undefined when there is none.
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
    return parse(code)[0].flatMap((found) => ('specifier' in found ? (found.specifier ?? []) : []))
  } catch {
    return []
  }
}
