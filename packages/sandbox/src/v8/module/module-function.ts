import { parseImports } from '#parse-imports'
import { exportPiece } from './export-piece.ts'
import { importBindings } from './import-bindings.ts'
import { type Piece, replaced } from './piece.ts'

/** A module as the text of a function, so that its top level can run any number of times. */
export interface ModuleFunction {
  /** Text of a function of the globals, which returns one of `dependencies`, `load` and `meta`, which returns exports. */
  readonly text: string
  /** Text that compiles only if the module would: it has nothing that a function may have and a module may not. */
  readonly check: string
  readonly imports: readonly ModuleImport[]
  /** Exported names, without those of `export *`. */
  readonly exports: readonly string[]
  /** Places in `imports` of the modules whose names are all exported. */
  readonly stars: readonly number[]
}

export interface ModuleImport {
  readonly specifier: string
  /** Names that must exist there. */
  readonly names: readonly string[]
}

/** Code that cannot be made a function. `at` is the index in it. */
export class ModuleSyntaxError extends Error {
  readonly at: number | undefined

  constructor(message: string, at?: number) {
    super(message)
    this.at = at
  }
}

/** Names of ours in the function, as long as what they replace or shorter, so that columns stay the same. */
const names = { load: '$imprt', meta: '$importMeta', standard: '$sluice0', dependencies: '$sluiceImports' } as const

/**
 * Makes a function of a module. Each run of it makes fresh variables, while the engine keeps what it has compiled.
 *
 * The first line is ours; all others have their places in the module, so compile the text with `lineOffset: -1`. Names
 * that are imported are read once, before the code runs.
 * @param globals names that become parameters: reading a global of a context of node:vm takes a hundred times as long.
 * @throws ModuleSyntaxError
 */
export function moduleFunction(source: string, globals: readonly string[], isAsync = false): ModuleFunction {
  // A first line for the shell is a comment.
  const code = source.replace(/^#!/, '//')
  const [found, exported] = parsed(code)
  const pieces: Piece[] = []
  const imports: { specifier: string; names: string[] }[] = []
  const bound: string[] = []
  const getters = new Map<string, string>()
  const stars: number[] = []
  const dependency = (specifier: string): number => {
    const known = imports.findIndex((one) => one.specifier === specifier)
    return known === -1 ? imports.push({ specifier, names: [] }) - 1 : known
  }
  const take = (specifier: string, name: string): string => {
    const place = dependency(specifier)
    if (name === '*') return `${names.dependencies}[${place}]`
    imports[place]?.names.push(name)
    return `${names.dependencies}[${place}][${JSON.stringify(name)}]`
  }
  for (const one of found) {
    if (('typeOnly' in one && one.typeOnly) || ('phase' in one && one.phase !== null))
      throw new ModuleSyntaxError('Unexpected token', one.start)
    if (one.type === 'import-meta') pieces.push({ start: one.start, end: one.end, text: names.meta })
    else if (one.type === 'dynamic')
      pieces.push({ start: one.importStart, end: one.importStart + names.load.length, text: names.load })
    else if (one.type === 'static') {
      dependency(one.specifier)
      if (!code.startsWith('import', one.importStart)) continue
      pieces.push({ start: one.importStart, end: one.importEnd, text: '' })
      const statement = code.slice(one.importStart, one.start).replace(/["']$/, '')
      for (const { local, imported } of importBindings(statement))
        bound.push(`${local} = ${take(one.specifier, imported)}`)
    }
  }
  for (const one of exported) {
    if (one.typeOnly) throw new ModuleSyntaxError("Unexpected token 'export'", one.exportStart)
    if (one.type === 'direct') {
      // The parser of imports takes `extends` for the name of a class without one.
      const localName = one.localName === 'extends' ? undefined : one.localName
      getters.set(one.name, localName ?? names.standard)
      if (!pieces.some(({ start }) => start === one.exportStart))
        pieces.push(exportPiece(code, one.exportStart, localName, names.standard))
      continue
    }
    const end = found[one.importIndex]?.importEnd ?? 0
    if (!pieces.some(({ start }) => start === one.exportStart))
      pieces.push(
        end > one.exportStart
          ? { start: one.exportStart, end, text: '' }
          : // A list that has a name which another statement imports.
            exportPiece(code, one.exportStart, undefined, names.standard),
      )
    if (one.type === 'reexport-all') stars.push(dependency(one.from))
    else getters.set(one.name, take(one.from, one.importName ?? '*'))
  }
  const body = replaced(code, pieces)
  const head = bound.length === 0 ? '' : `const ${bound.join(', ')};`
  const sorted = [...getters].sort(([a], [b]) => (a < b ? -1 : 1))
  const members = sorted.map(([name, value]) => `get ${JSON.stringify(name)}() { return ${value} }`)
  const parameters = [names.dependencies, names.load, names.meta].join(', ')
  const text = `(function (${globals.join(', ')}) { return ${isAsync ? 'async ' : ''}function (${parameters}) { 'use strict'; ${head}\n${body}\n;return { __proto__: null, ${members.join(', ')} } } })`
  const check = `(class { static { ${head}\n${body}\n} })`
  return { text, check, imports, exports: sorted.map(([name]) => name), stars }
}

function parsed(code: string): ReturnType<typeof parseImports> {
  try {
    return parseImports(code)
  } catch (thrown) {
    const at = thrown instanceof Error && 'idx' in thrown ? Number(thrown.idx) : undefined
    throw new ModuleSyntaxError('Invalid or unexpected token', at)
  }
}
