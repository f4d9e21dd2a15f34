import { camelCase } from '@sluice/core'
import { parse } from 'es-module-lexer/js'

/** A library as far as imports go. */
export interface Importable {
  readonly name: string
  readonly code: string
}

/**
 * The libraries that code imports, and those they import in turn, in the order they were given: what has to be loaded
 * with it. Names are matched as the sandbox does: the name itself first, then its camel case. Of code whose imports
 * cannot be read, all libraries count as imported.
 */
export function importedLibraries<L extends Importable>(code: string, libraries: readonly L[]): readonly L[] {
  const imported = new Set<L>()
  const visit = (text: string): boolean => {
    const specifiers = importsOf(text)
    if (specifiers === undefined) return false
    for (const specifier of specifiers) {
      const found = libraryNamed(specifier, libraries)
      if (found === undefined || imported.has(found)) continue
      imported.add(found)
      if (!visit(found.code)) return false
    }
    return true
  }
  return visit(code) ? libraries.filter((library) => imported.has(library)) : libraries
}

/** The library an import specifier stands for. Source: packages/docs/behaviour/user-code.md#libraries. */
export function libraryNamed<L extends Importable>(specifier: string, libraries: readonly L[]): L | undefined {
  return libraries.find(({ name }) => name === specifier) ?? libraries.find(({ name }) => camelCase(name) === specifier)
}

/** Undefined when they cannot be read. */
function importsOf(code: string): readonly string[] | undefined {
  try {
    return parse(code)[0].flatMap((found) => ('specifier' in found ? (found.specifier ?? []) : []))
  } catch {
    return undefined
  }
}
