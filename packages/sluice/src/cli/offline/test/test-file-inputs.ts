import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { loadProject, toSubject } from '@sluice/testing'

/** What a test file depends on. */
export interface TestFileInputs {
  /** Absolute paths: the test file, the modules it imports, and other files it names. */
  readonly files: readonly string[]
  /** A text that changes with these files, and with the transformations and libraries that are tested. */
  readonly print: string
}

/** Modules that are followed; more are hardly part of one test. */
const modulesMax = 200
const relativeImport = /\b(?:from|import) ?\(? ?['"](\.[^'"\n]{1,300})['"]/g
const literal = /['"`]([^'"`\n]{1,300})['"`]/g
const endings = ['', '.ts', '.js', '.mjs', '/index.ts', '/index.js']

/** Returns whether some code names a file: its whole name in quotes or after a slash, so `data.ts` does not name `a.ts`. */
export function namesFile(code: string, file: string): boolean {
  return ["'", '"', '`', '/'].some((before) => code.includes(before + basename(file)))
}

/**
 * Finds what a test file depends on. A test file that names no transformation depends on all of them.
 * @param root folder to which paths in tests refer.
 */
export async function testFileInputs(file: string, root: string): Promise<TestFileInputs> {
  const modules = new Map<string, string>()
  const waiting = [file]
  for (let next = waiting.shift(); next !== undefined && modules.size < modulesMax; next = waiting.shift()) {
    const path = await existing(endings.map((ending) => next + ending).concat(next.replace(/\.js$/, '.ts')))
    if (path === undefined || modules.has(path)) continue
    const text = await readFile(path, 'utf8')
    modules.set(path, text)
    for (const [, specifier = ''] of text.matchAll(relativeImport)) waiting.push(resolve(dirname(path), specifier))
  }
  const code = [...modules.values()].join('\n')
  const named = [...code.matchAll(literal)].map(([, text = '']) => resolve(root, text))
  const files = [...new Set([...modules.keys(), ...named])]
  const states = await Promise.all(files.map(stateOf))
  const kept = files.filter((_, index) => states[index] !== undefined)
  const project = await loadProject(file)
  const tested = project?.transformations.filter((each) => namesFile(code, each.file)) ?? []
  const subjects = tested.length > 0 ? tested : (project?.transformations ?? [])
  const codes = project && [
    subjects.map((each) => toSubject(project, each)),
    tested.length > 0 ? [] : project.libraries,
  ]
  return { files: kept, print: JSON.stringify([kept, states, codes]) }
}

async function existing(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await stateOf(path)) !== undefined) return path
  return undefined
}

/** Returns a text that changes when a file is written; undefined when it is no file. */
export async function stateOf(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined
}
