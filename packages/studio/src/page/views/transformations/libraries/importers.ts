import type { Library, Transformation } from '../transformation.ts'

type Named = Pick<Library, 'importName' | 'code'>

/**
 * Returns the transformations whose newest code imports a library, directly or through other libraries. An import in a
 * comment counts too: the parser of the server is WebAssembly, which the policy of the page does not allow.
 */
export function importersOf(
  { importName }: Named,
  transformations: readonly Transformation[],
  libraries: readonly Named[],
): readonly Transformation[] {
  const found = new Set([importName])
  // A set also visits the names that are added while it is read.
  for (const name of found)
    for (const library of libraries) if (imports(library.code, name)) found.add(library.importName)
  return transformations.filter(({ code }) => [...found].some((name) => imports(code, name)))
}

/** Whether code imports or re-exports what has this name, by a statement or a call. */
function imports(code: string, name: string): boolean {
  const isImport = (before: string): boolean => {
    const head = before.slice(-100).trimEnd()
    return ['from', 'import', 'import('].some((word) => head.endsWith(word))
  }
  return [`'${name}'`, `"${name}"`].some((quoted) => code.split(quoted).slice(0, -1).some(isImport))
}
