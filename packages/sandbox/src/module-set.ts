import { camelCase } from '@sluice/core'
import { textBefore } from './call-site.ts'
import type { ProgramSource } from './program.ts'

/** First character of the module name that an unknown specifier is given. */
export const unknownModule = '?'

/** Names whose objects have, or give others, a toJSON on a prototype; dates are known to the crossing. */
const toJsonUsers = /toJSON|\bURL\b/
/** Where dates get another toISOString, which their toJSON calls; calls of it are not meant. */
const toIsoStringMakers = /toISOString\s*(?:=(?!=)|:|\([^()]*\)\s*\{)|["'`]toISOString["'`]/

/**
 * Places of errors whose text is kept: a batch mostly fails at one of few, but user code may write any place into a
 * stack.
 */
const placesMax = 100

/** The modules of one program, under the names they have inside the engine. */
export interface ModuleSet {
  /** Name of the module that holds the transformation. */
  readonly mainName: string
  readonly mainCode: string
  /** Characters of all modules together. */
  readonly codeLength: number
  /** The module name that an import specifier stands for. */
  resolve(specifier: string): string | undefined
  /** The source text of a library by its module name. */
  code(moduleName: string): string | undefined
  /** The source text of a module, the main one included, as stack frames name it. */
  source(moduleName: string): string | undefined
  /** Where a line of such a source begins, by its number from 1; undefined when there is none. */
  lineStart(moduleName: string, line: number): number | undefined
  /** The source text up to a place of a module, for the name of what was called there; see call-site.ts. */
  textBefore(moduleName: string, at: number): string
  /** All source texts. */
  readonly texts: readonly string[]
  /** True when outputs may have a toJSON, or dates a toISOString, that the binary crossing would not see. */
  readonly mentionsToJson: boolean
}

/**
 * Names the modules of a program. Specifiers match a stored library name first, then the camel case of one; of two
 * libraries with the same name the first counts. Sources: packages/docs/behaviour/user-code.md#libraries and #errors
 * (how frames name them).
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
  // A transformation must not be found under the name of a library, or of a module that does not exist.
  const mainName = label.startsWith('library ') || label.startsWith(unknownModule) ? `transformation ${label}` : label
  const texts = [code, ...codes.values()]
  const source = (moduleName: string): string | undefined => (moduleName === mainName ? code : codes.get(moduleName))
  const lineStarts = new Map<string, readonly number[]>()
  const placeTexts = new Map<string, string>()
  return {
    mainName,
    mainCode: code,
    source,
    lineStart: (moduleName, line) => {
      const starts = lineStarts.get(moduleName) ?? lineStartsOf(source(moduleName) ?? '')
      // A batch may have many errors, and each of them many frames.
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
    code: (moduleName) => codes.get(moduleName),
  }
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

// Module names cross as C strings and are read back from stack frames: no NUL, no line ends, no brackets.
function printable(name: string): string {
  return name
    .replace(/[\p{C}()<>]/gu, '_')
    .slice(0, 200)
    .trim()
}
