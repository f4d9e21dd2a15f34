import type { ModuleSet } from './module-set.ts'

/** Longest list of names in an advice. */
const namesMax = 30

/** Where user code asks for something that does not exist, and what exists instead. */
export interface LoadAdvice {
  /** Module, line and column. */
  readonly place?: string
  readonly text: string
}

/** Advice on an import of a module that does not exist. @param apiModules specifiers of built-in modules. */
export function unknownImport(specifier: string, modules: ModuleSet, apiModules: readonly string[]): LoadAdvice {
  const libraries = modules.importNames
  const place = placeOf(modules, (found) => found.specifier === specifier)
  const all = [...libraries, ...apiModules]
  const own = libraries.length === 0 ? 'this program has no library' : `the libraries ${listed(libraries)}`
  return {
    place,
    text: `${didYouMean(specifier, all)}Code can import ${own}, and ${listed(apiModules)}; packages of npm only when they are bundled into a library.`,
  }
}

/** Advice on an import of a name that a library does not export. @param moduleName of the library. */
export function unknownExport(name: string, moduleName: string, modules: ModuleSet): LoadAdvice {
  const names = exportedNames(modules.source(moduleName) ?? '')
  const imports = ({ clause, specifier }: Import): boolean =>
    modules.resolve(specifier) === moduleName &&
    (name === 'default' || clause.split(/[^\p{L}\p{N}_$]+/u).includes(name))
  const place = placeOf(modules, imports, name === 'default' ? '' : name)
  return {
    place,
    text: names.length === 0 ? 'It exports no name.' : `${didYouMean(name, names)}It exports ${listed(names)}.`,
  }
}

/** Advice on code without an entry point. */
export function noEntryPoint(modules: ModuleSet): LoadAdvice {
  const code = modules.mainCode
  const names = exportedNames(code)
  const wrong = names.find((name) => name === 'transformEvent' || name === 'transformBatch')
  if (wrong !== undefined) return { text: `${wrong} is not a function.` }
  const found = /\b(?:function|const|let|var) (transformEvent|transformBatch)\b/.exec(code)
  if (found?.[1] !== undefined && !names.includes('default')) {
    const at = code.indexOf(found[1], found.index)
    return { place: placeAt(modules.mainName, code, at), text: `Put export in front of ${found[1]}.` }
  }
  const own = names.length === 0 ? 'This code exports nothing.' : `This code exports ${listed(names)}.`
  return { text: `${own} Write: export function transformEvent(event) { return event }` }
}

/** Longest part of a module that is searched for exports. */
const searchedCharsMax = 100_000

/** Names that the text of a module exports, as far as they can be seen in it. */
function exportedNames(text: string): readonly string[] {
  const code = text.slice(0, searchedCharsMax)
  const declared: string[] = []
  for (const part of code.split(/\bexport\b/).slice(1)) {
    const text = part.slice(0, importCharsMax).trimStart()
    // Names in a list; `a as b` exports b.
    if (text.startsWith('{'))
      for (const entry of text.slice(1, Math.max(1, text.indexOf('}'))).split(','))
        declared.push(entry.trim().split(' ').at(-1) ?? '')
    else declared.push(/^(?:async )?(?:function|const|let|var|class)[ *]+([\w$]+)/.exec(text)?.[1] ?? '')
  }
  const standard = /\bexport default\b/.test(code) ? ['default'] : []
  return [...new Set([...declared, ...standard])].filter((name) => name !== '')
}

interface Import {
  /** Index of the statement in the code. */
  readonly at: number
  /** What is between `import` and the specifier. */
  readonly clause: string
  readonly specifier: string
}

/** Longest import statement and most of them that are searched, so that the time is bounded whatever the code. */
const importCharsMax = 2_000
const importsMax = 1_000

/** Yields what looks like import statements, and other text that does. */
function* importsIn(code: string): Generator<Import> {
  let at = code.indexOf('import')
  for (let count = 0; at !== -1 && count < importsMax; count += 1) {
    const text = code.slice(at, at + importCharsMax)
    const quote = text.search(/["']/)
    const end = quote === -1 ? -1 : text.indexOf(text[quote] ?? '', quote + 1)
    if (end !== -1) yield { at, clause: text.slice('import'.length, quote), specifier: text.slice(quote + 1, end) }
    at = code.indexOf('import', at + 1)
  }
}

/** Finds the first import that fits in the modules, the main one first, and the place of a name in it. */
function placeOf(modules: ModuleSet, fits: (found: Import) => boolean, name = ''): string | undefined {
  for (const moduleName of [modules.mainName, ...modules.libraryModules]) {
    const code = modules.source(moduleName) ?? ''
    for (const found of importsIn(code))
      if (fits(found))
        return placeAt(moduleName, code, name === '' ? found.at : code.indexOf(name, found.at + 'import'.length))
  }
  return undefined
}

function placeAt(moduleName: string, code: string, at: number): string {
  const lines = code.slice(0, at).split('\n')
  return `${moduleName}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(', ')
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown
}

function didYouMean(name: string, known: readonly string[]): string {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const near = known
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return near[0] === undefined ? '' : `Did you mean ${near[0].each}? `
}

/** Longest name that is compared; the time grows with the square. */
const comparedCharsMax = 60

/** Number of inserted, removed and replaced characters between two names; above `limit` any larger number. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || Math.max(a.length, b.length) > comparedCharsMax) return limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
