import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { withoutTrailing } from '@sluice/core'
import { type CodeNames, loadProject, type Project, readFolderNames, writeFolderNames } from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import { printable } from '../printable.ts'
import { say } from '../say.ts'
import type { ServerFlags } from '../server-client.ts'
import { type Compared, compareCodes } from './compare.ts'
import { confirm } from './confirm.ts'
import { projectMistakes } from './project-mistakes.ts'
import { type CodeKind, type ServerCode, serverCodes } from './server-codes.ts'
import { tellChange } from './tell-changes.ts'

export interface PullFlags extends ServerFlags {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** A file that is to be written. */
interface Written {
  readonly compared: Compared
  readonly server: ServerCode
  readonly file: string
}

/** What `sluice pull` does: shows what differs from what is live at a server, and writes it into the files. */
export async function pullProject(folder: string, flags: PullFlags): Promise<void> {
  await projectMistakes(() => pull(folder, flags))
}

async function pull(folder: string, flags: PullFlags): Promise<void> {
  const root = resolve(folder)
  const codes = await serverCodes(flags)
  const project = await projectAt(root)
  const all = compareCodes(project, codes)
  const changes = all.filter(({ server, state }) => server && state !== 'same' && state !== 'saved')
  const { writable, foreign } = withFiles(project, changes)
  if (!flags.json) {
    for (const compared of all) say(tellChange(compared, 'pull'))
    for (const one of foreign) say(tellForeign(project, one))
    for (const { file } of writable) say(`  to write: ${shown(file)}`)
  }
  const told = all.map(({ kind, name, state }) => ({ kind, name, state }))
  if (writable.length === 0 || flags.dryRun) {
    const text =
      writable.length === 0
        ? `nothing to do: ${relative(process.cwd(), root) || '.'} has all that is live`
        : `${writable.length} to write; nothing was done (--dry-run)`
    return say(flags.json ? JSON.stringify({ changes: told, written: [] }) : text)
  }
  if (!flags.yes && !(await confirm(`Write ${writable.length} file${writable.length === 1 ? '' : 's'}?`)))
    throw new CliError('nothing was changed')
  const written: string[] = []
  for (const { server, file } of writable) {
    await replaceText(file, server.code).catch((error: Error) => {
      throw new CliError(
        `${shown(file)} cannot be written: ${error.message}\n${written.length} of ${writable.length} files were written before; pull again once it is mended`,
      )
    })
    written.push(shown(file))
  }
  if (project.layout === 'folders') await keepNames(project.root, writable)
  say(flags.json ? JSON.stringify({ changes: told, written }) : written.map((file) => `  ${file}`).join('\n'))
}

const shown = (file: string): string => relative(process.cwd(), file)

/** All of a file or nothing: a disk that is full must not cost what was there. */
async function replaceText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  // A link goes on leading to where the code lies.
  const path = await realpath(file).catch(() => file)
  const draft = `${path}.${process.pid}.part`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** The project of a folder; an empty one where there is none yet. What is above an empty folder is not meant. */
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

function tellForeign({ layout }: Project, compared: Compared): string {
  const { kind, name, server } = compared
  const why = hasOtherEnding(compared)
    ? `it is ${server?.language} at the server; rename its file to end so`
    : `this project lists its files by hand (${layout}); give it a file of its own there`
  return `${kind} ${printable(name)} is left out: ${why}, then pull again`
}

const folders: Readonly<Record<CodeKind, 'transformations' | 'libraries'>> = {
  transformation: 'transformations',
  library: 'libraries',
}

/** A file named after it; names of a server are not trusted with a place outside the folder. */
function newFile(root: string, { kind, name, language }: ServerCode, taken: Set<string>): string {
  const legal = withoutTrailing(name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, ''), '.-') || kind
  // Files with these endings are no code of a project.
  const plain = legal.replace(/\.(test|spec|d|config)$/, '-$1')
  const ending = language === 'typescript' ? 'ts' : 'js'
  for (let copy = 1; ; copy += 1) {
    const file = join(root, folders[kind], `${plain}${copy === 1 ? '' : `-${copy}`}.${ending}`)
    if (taken.has(placeOf(file)) || existsSync(file)) continue
    taken.add(placeOf(file))
    return file
  }
}

/** Where names in sluice.json would meet: some disks take no notice of case, and the ending is not part of them. */
function placeOf(file: string): string {
  return file.replace(/\.[jt]s$/, '').toLowerCase()
}

/** Keeps what the file name does not say. */
async function keepNames(root: string, written: readonly Written[]): Promise<void> {
  const names = await readFolderNames(root)
  const merged = { transformations: { ...names.transformations }, libraries: { ...names.libraries } }
  for (const { server, file } of written) {
    const base = basename(file).replace(/\.[jt]s$/, '')
    const own = namesOf(server, base)
    const part = merged[folders[server.kind]]
    if (Object.keys(own).length > 0) part[base] = own
    else delete part[base]
  }
  if (JSON.stringify(merged) !== JSON.stringify(names)) await writeFolderNames(root, merged)
}

function namesOf({ kind, name, description, importName }: ServerCode, base: string): CodeNames {
  return {
    ...(name !== base && { name }),
    ...(description !== '' && { description }),
    ...(kind === 'library' && { importName }),
  }
}
