import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { withoutTrailing } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { type CodeNames, loadProject, type Project, readFolderNames, writeFolderNames } from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printLine } from '../../terminal/print-line.ts'
import type { ServerFlags } from '../ask-server.ts'
import { changeText } from './change-text.ts'
import { type Compared, compareCodes } from './compare-codes.ts'
import { type CodeKind, type ServerCode, serverCodes } from './server-codes.ts'
import { withProjectErrors } from './with-project-errors.ts'

export interface PullFlags extends ServerFlags {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** A file to write. */
interface Written {
  readonly compared: Compared
  readonly server: ServerCode
  readonly file: string
}

/** Runs `sluice pull`: shows how files differ from the server's live code, and writes them. */
export async function pullProject(folder: string, flags: PullFlags): Promise<void> {
  await withProjectErrors(() => pull(folder, flags))
}

async function pull(folder: string, flags: PullFlags): Promise<void> {
  const root = resolve(folder)
  const codes = await serverCodes(flags)
  const project = await projectAt(root)
  const all = compareCodes(project, codes)
  const changes = all.filter(({ server, state }) => server && state !== 'same' && state !== 'saved')
  const { writable, foreign } = withFiles(project, changes)
  if (!flags.json) {
    for (const compared of all) printLine(changeText(compared, 'pull'))
    for (const one of foreign) printLine(foreignText(project, one))
    for (const { file } of writable) printLine(`  to write: ${shown(file)}`)
  }
  const summary = all.map(({ kind, name, state }) => ({ kind, name, state }))
  if (writable.length === 0 || flags.dryRun) {
    const text =
      writable.length === 0
        ? `nothing to do: ${relative(process.cwd(), root) || '.'} has all that is live`
        : `${writable.length} to write; nothing was done (--dry-run)`
    return printLine(flags.json ? JSON.stringify({ changes: summary, written: [] }) : text)
  }
  if (!flags.yes && !(await confirm(`Write ${writable.length} file${writable.length === 1 ? '' : 's'}?`)))
    throw new CliError('nothing was changed')
  const written: string[] = []
  for (const { server, file } of writable) {
    await replaceText(file, server.code).catch((error: Error) => {
      throw new CliError(
        `${shown(file)} cannot be written: ${error.message}\n${written.length} of ${writable.length} files were written before that; fix it and pull again`,
      )
    })
    written.push(shown(file))
  }
  if (project.layout === 'folders') await keepNames(project.root, writable)
  printLine(flags.json ? JSON.stringify({ changes: summary, written }) : written.map((file) => `  ${file}`).join('\n'))
}

const shown = (file: string): string => relative(process.cwd(), file)

/** Replaces a file completely or not at all, so that a full disk does not destroy it. */
async function replaceText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  // Keeps a symbolic link, and replaces its target.
  const path = await realpath(file).catch(() => file)
  const draft = `${path}.${process.pid}.part`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Returns the project of a folder, or a new one. For an empty folder, projects above it are ignored. */
async function projectAt(root: string): Promise<Project> {
  const isEmpty = !existsSync(root) || (await readdir(root).catch(() => ['a file']))[0] === undefined
  const project = isEmpty ? undefined : await loadProject(root)
  return project ?? { root, layout: 'folders', transformations: [], libraries: [], notRunnable: [] }
}

function withFiles(project: Project, changes: readonly Compared[]): { writable: Written[]; foreign: Compared[] } {
  const taken = new Set([...project.transformations, ...project.libraries].map(({ file }) => placeOf(file)))
  const writable: Written[] = []
  const foreign: Compared[] = []
  for (const compared of changes) {
    const { local, server } = compared
    if (server === undefined) continue
    const isInYaml = local?.firstLine !== undefined
    const isForeign = isInYaml || (local === undefined ? project.layout !== 'folders' : hasOtherEnding(compared))
    if (isForeign) foreign.push(compared)
    else writable.push({ compared, server, file: local?.file ?? newFile(project.root, server, taken) })
  }
  return { writable, foreign }
}

function hasOtherEnding({ local, server }: Compared): boolean {
  return local !== undefined && server !== undefined && local.language !== server.language
}

function foreignText({ layout }: Project, compared: Compared): string {
  const { kind, name, server } = compared
  const why = hasOtherEnding(compared)
    ? `it is ${server?.language} at the server; rename its file to end so`
    : `this project lists its files by hand (${layout}); give it a file of its own there`
  return `${kind} ${printable(name)} is skipped: ${why}, then pull again`
}

const folders: Readonly<Record<CodeKind, 'transformations' | 'libraries'>> = {
  transformation: 'transformations',
  library: 'libraries',
}

/** Returns a path for new code, named after it. Names from the server cannot lead outside the folder. */
function newFile(root: string, { kind, name, language }: ServerCode, taken: Set<string>): string {
  const legal = withoutTrailing(name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, ''), '.-') || kind
  // Files with these endings do not count as code of a project.
  const plain = legal.replace(/\.(test|spec|d|config)$/, '-$1')
  const ending = language === 'typescript' ? 'ts' : 'js'
  for (let copy = 1; ; copy += 1) {
    const file = join(root, folders[kind], `${plain}${copy === 1 ? '' : `-${copy}`}.${ending}`)
    if (taken.has(placeOf(file)) || existsSync(file)) continue
    taken.add(placeOf(file))
    return file
  }
}

/** Returns the key of a file in sluice.json, in lower case, because some disks ignore case. */
function placeOf(file: string): string {
  return file.replace(/\.[jt]s$/, '').toLowerCase()
}

/** Stores names, descriptions and import names that differ from the file name. */
async function keepNames(root: string, written: readonly Written[]): Promise<void> {
  const names = await readFolderNames(root)
  const merged = { transformations: { ...names.transformations }, libraries: { ...names.libraries } }
  for (const { server, file } of written) {
    const base = basename(file).replace(/\.[jt]s$/, '')
    const own = namesOf(server, base)
    const part = merged[folders[server.kind]]
    if (Object.values(own).some((each) => each !== undefined)) part[base] = own
    else delete part[base]
  }
  if (JSON.stringify(merged) !== JSON.stringify(names)) await writeFolderNames(root, merged)
}

function namesOf({ kind, name, description, importName }: ServerCode, base: string): CodeNames {
  return {
    name: name !== base ? name : undefined,
    description: description !== '' ? description : undefined,
    importName: kind === 'library' ? importName : undefined,
  }
}
