import { camelCase } from '#host-parts'
import type { ProgramSource } from '../program.ts'
import { textBefore } from './text-before.ts'

/** First character of the module name for an unknown specifier. */
export const unknownModule = '?'

/** Names in code whose objects may have a toJSON on a prototype. The crossing handles dates. */
const toJsonUsers = /toJSON|\bURL\b/
/** Code that replaces toISOString, which the toJSON of dates calls. Mere calls of toISOString do not match. */
const toIsoStringMakers = /toISOString\s*(?:=(?!=)|:|\([^()]*\)\s*\{)|["'`]toISOString["'`]/

/**
 * Places of errors whose text is cached. A batch usually fails in a few places, but user code may write any place into
 * a stack.
 */
const placesMax = 100

/** The modules of one program, by their names inside the engine. */
export interface ModuleSet {
  /** Name of the transformation's module. */
  readonly mainName: string
  readonly mainCode: string
  /** Characters of all modules together. */
  readonly codeLength: number
  /** Names by which code can import the libraries. */
  readonly importNames: readonly string[]
  /** Module names of the libraries. */
  readonly libraryModules: readonly string[]
  /** Returns the module name for an import specifier. */
  resolve(specifier: string): string | undefined
  /** Returns the import name of a library by its module name. */
  importNameOf(moduleName: string): string | undefined
  /** Returns the source of a library by its module name. */
  code(moduleName: string): string | undefined
  /** Returns the source of any module, the main one included, by its name in stack frames. */
  source(moduleName: string): string | undefined
  /** Returns where a line of such a source begins, by its number from 1; undefined when it does not exist. */
  lineStart(moduleName: string, line: number): number | undefined
  /** Returns the source up to a place in a module, to name the function called there; see text-before.ts. */
  textBefore(moduleName: string, at: number): string
  /** Sources of all modules. */
  readonly texts: readonly string[]
  /** True when outputs may have a toJSON, or dates a changed toISOString, that the binary crossing would not call. */
  readonly mentionsToJson: boolean
}

/**
 * Names the modules of a program. A specifier matches a stored library name first, then the camel case of one; of two
 * libraries with the same name the first wins. Sources: packages/docs/behaviour/user-code.md#libraries and #errors
 * (names in frames).
 */
export function createModuleSet({ name, code, libraries }: ProgramSource): ModuleSet {
  const byName = new Map<string, string>()
  const byCamelCase = new Map<string, string>()
  const codes = new Map<string, string>()
  for (const library of libraries) {
    if (byName.has(library.name)) continue
    const label = `library ${printable(library.name)}`
    const moduleName = codes.has(label) ? `${label} ${codes.size}` : label
    codes.set(moduleName, library.code)
    byName.set(library.name, moduleName)
    const camel = camelCase(library.name)
    if (!byCamelCase.has(camel)) byCamelCase.set(camel, moduleName)
  }
  const label = printable(name) || 'base transformation'
  // The transformation must not have the module name of a library or of a missing module.
  const mainName = label.startsWith('library ') || label.startsWith(unknownModule) ? `transformation ${label}` : label
  const texts = [code, ...codes.values()]
  const source = (moduleName: string): string | undefined => (moduleName === mainName ? code : codes.get(moduleName))
  const lineStarts = new Map<string, readonly number[]>()
  const placeTexts = new Map<string, string>()
  return {
    mainName,
    mainCode: code,
    importNames: [...byCamelCase.keys()],
    libraryModules: [...codes.keys()],
    source,
    lineStart: (moduleName, line) => {
      const starts = lineStarts.get(moduleName) ?? lineStartsOf(source(moduleName) ?? '')
      // Cached, because a batch may have many errors with many frames each.
      lineStarts.set(moduleName, starts)
      return starts[line - 1]
    },
    textBefore: (moduleName, at) => {
      const place = `${at} ${moduleName}`
      const text = placeTexts.get(place) ?? textBefore(source(moduleName) ?? '', at)
      if (placeTexts.size < placesMax) placeTexts.set(place, text)
      return text
    },
    texts,
    mentionsToJson: texts.some((text) => toJsonUsers.test(text) || toIsoStringMakers.test(text)),
    codeLength: libraries.reduce((length, library) => length + library.code.length, code.length),
    resolve: (specifier) => byName.get(specifier) ?? byCamelCase.get(specifier),
    importNameOf: (moduleName) => [...byCamelCase].find(([, own]) => own === moduleName)?.[0],
    code: (moduleName) => codes.get(moduleName),
  }
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

// Removes characters that module names must not have (NUL, line breaks, brackets), because names cross as C strings and
// are read back from stack frames.
function printable(name: string): string {
  return name
    .replace(/[\p{C}()<>]/gu, '_')
    .slice(0, 200)
    .trim()
}
