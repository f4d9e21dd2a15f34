import { camelCase } from '@sluice/core/camel-case'
import { parse } from '#inlined/es-module-lexer'

/** The names of a library and its imports. */
interface Importable {
  readonly name: string
  readonly code: string
}

/**
 * Returns the libraries that code imports, directly or through other libraries, in the given order: those that must be
 * loaded with it. A name is matched as in the sandbox, first exactly, then as its camel case. If the imports of code
 * cannot be parsed, all libraries count as imported.
 */
export function importedLibraries<L extends Importable>(code: string, libraries: readonly L[]): readonly L[] {
  const imported = new Set<L>()
  const visit = (text: string): boolean => {
    const specifiers = importedNames(text)
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

/** Returns the library an import specifier refers to. Source: packages/docs/behaviour/user-code.md#libraries. */
export function libraryNamed<L extends Importable>(specifier: string, libraries: readonly L[]): L | undefined {
  return libraries.find(({ name }) => name === specifier) ?? libraries.find(({ name }) => camelCase(name) === specifier)
}

/**
 * Returns the names that code imports, as it writes them; undefined when its imports cannot be parsed.
 * @example
 * ```ts
 * import { importedNames } from '@sluice/transformations'
 *
 * console.log(importedNames("import { vat } from 'my-tax'\nexport const transformEvent = (event) => vat(event)")) // [ 'my-tax' ]
 * ```
 */
export function importedNames(code: string): readonly string[] | undefined {
  try {
    return parse(code)[0].flatMap((found) => ('specifier' in found ? (found.specifier ?? []) : []))
  } catch {
    return undefined
  }
}
