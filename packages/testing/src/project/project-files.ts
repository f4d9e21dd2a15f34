import { mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { jsonErrorPlace } from './json-place.ts'
import { ProjectError } from './project.ts'

/** Largest file. Cases are written by hand or copied from a log, so a larger file must be something else. */
const fileBytesMax = 32 * 1024 * 1024

/** Returns a path for reports: relative if the file is below `root`, with slashes. */
export function shownPath(root: string, file: string): string {
  const below = relative(root, file)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? file : below.split(sep).join('/')
}

/** Lists the names in a folder, sorted; empty when the folder does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.sort()
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

/**
 * Reads a file of a project as text.
 * @returns undefined when it does not exist.
 * @throws ProjectError when it is outside the project, also through a link, because a project may be untrusted and its
 * content appears in reports. Also when it is too large or not a regular file.
 */
export async function readProjectFile(root: string, file: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined)
  if (real === undefined) return undefined
  const below = relative(await realpath(root), real)
  if (below.startsWith('..') || isAbsolute(below))
    throw new ProjectError(`${shownPath(root, file)}: leads out of the project to ${real}; copy the file into ${root}`)
  const stats = await stat(real)
  // Opening a pipe would wait for a writer.
  if (!stats.isFile()) throw new ProjectError(`${shownPath(root, file)}: not a file`)
  if (stats.size > fileBytesMax)
    throw new ProjectError(`${shownPath(root, file)}: ${stats.size} bytes, at most ${fileBytesMax}; split it`)
  return readFile(real, 'utf8')
}

/**
 * Creates the folder of a file to be written.
 * @throws ProjectError when a link leads out of the project.
 */
export async function makeFolderOf(root: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const below = relative(await realpath(root), await realpath(dirname(file)))
  if (below.startsWith('..') || isAbsolute(below))
    throw new ProjectError(`${shownPath(root, file)}: leads out of the project; nothing was written`)
}

/**
 * Reads a JSON file of a project; undefined when it does not exist. @throws ProjectError with line and column when it
 * is not JSON.
 */
export async function readProjectJson(root: string, file: string): Promise<unknown> {
  const text = await readProjectFile(root, file)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    const { line, column } = jsonErrorPlace(text.replace(/^\ufeff/, ''))
    throw new ProjectError(`${shownPath(root, file)}:${line}:${column}: not JSON from here on`)
  }
}

/** Endings of files with cases, in the order in which they are looked for. */
const caseEndings = ['.json', '.yaml', '.yml']

/** Whether a file has events, expected results or conditions of a case, by its name. */
export const isCaseFile = (name: string): boolean => /\.(?:json|ya?ml)$/i.test(name)

/** Returns the name of a case file without its ending. */
export const caseName = (name: string): string => name.replace(/\.(?:json|ya?ml)$/i, '')

/** Returns the file of a case that exists, whatever its ending, else the one that ends in .json. @param base path without ending. */
export async function caseFileAt(base: string): Promise<string> {
  for (const ending of caseEndings) if (await isFile(base + ending)) return base + ending
  return `${base}.json`
}

/** Whether a file is YAML, by its name. */
export const isYaml = (file: string): boolean => /\.ya?ml$/i.test(file)

/**
 * Reads a JSON or YAML file of a project; undefined when it does not exist. @throws ProjectError with line and column when it
 * cannot be parsed.
 */
export async function readCaseFile(root: string, file: string): Promise<unknown> {
  if (!isYaml(file)) return readProjectJson(root, file)
  const text = await readProjectFile(root, file)
  if (text === undefined) return undefined
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  const at = shownPath(root, file)
  if (error) {
    const { line, col } = lines.linePos(error.pos[0])
    throw new ProjectError(`${at}:${line}:${col}: not YAML: ${error.message}`)
  }
  try {
    // The expansion of aliases is limited. Dates and the like become what they are in JSON.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null))
  } catch (failure) {
    throw new ProjectError(`${at}: cannot be read: ${failure instanceof Error ? failure.message : failure}`)
  }
}

/** Lists the files of a folder, absolute and sorted, without links. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
    .sort()
}

/** Folders that contain no project files. */
const foreignFolder = /^(?:\..*|node_modules|dist|coverage)$/
/** More than any large repository has; a home directory would take seconds. */
const foldersMax = 10_000

/**
 * Lists all files below a folder, without those of tools and packages. @throws ProjectError when there are too many
 * folders.
 */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = []
  const folders = [folder]
  for (let at = 0; at < folders.length; at += 1) {
    const parent = folders[at] ?? folder
    if (folders.length > foldersMax)
      throw new ProjectError(`${folder}: more than ${foldersMax} folders; give the folder of the project`)
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory() && !foreignFolder.test(entry.name)) folders.push(join(parent, entry.name))
      if (entry.isFile()) files.push(join(parent, entry.name))
    }
  }
  return files
}
