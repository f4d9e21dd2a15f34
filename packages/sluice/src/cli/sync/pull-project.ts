import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type CodeNames, loadProject, type Project, readFolderNames, writeFolderNames } from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import { say } from '../say.ts'
import type { ServerFlags } from '../server-client.ts'
import { type Compared, compareCodes } from './compare.ts'
import { confirm } from './confirm.ts'
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
  const root = resolve(folder)
  const codes = await serverCodes(flags)
  const project = await projectAt(root)
  const all = compareCodes(project, codes)
  const changes = all.filter(({ server, state }) => server && state !== 'same' && state !== 'saved')
  const { writable, foreign } = withFiles(project, changes)
  if (!flags.json) {
    for (const compared of all) say(tellChange(compared, 'pull'))
    for (const { kind, name } of foreign)
      say(
        `${kind} ${name} is left out: this project lists its files by hand (${project.layout}); give it a file of its own there, then pull again`,
      )
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
  for (const { server, file } of writable) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, server.code)
  }
  if (project.layout === 'folders') await keepNames(project.root, writable)
  const written = writable.map(({ file }) => relative(process.cwd(), file))
  say(flags.json ? JSON.stringify({ changes: told, written }) : written.map((file) => `  ${file}`).join('\n'))
}

/** The project of a folder; an empty one where there is none yet. */
async function projectAt(root: string): Promise<Project> {
  const project = existsSync(root) ? await loadProject(root) : undefined
  return project ?? { root, layout: 'folders', transformations: [], libraries: [], notRunnable: [] }
}

function withFiles(project: Project, changes: readonly Compared[]): { writable: Written[]; foreign: Compared[] } {
  const taken = new Set([...project.transformations, ...project.libraries].map(({ file }) => file.toLowerCase()))
  const writable: Written[] = []
  const foreign: Compared[] = []
  for (const compared of changes) {
    const { local, server } = compared
    if (server === undefined) continue
    const isInYaml = local?.firstLine !== undefined
    if (isInYaml || (local === undefined && project.layout !== 'folders')) foreign.push(compared)
    else writable.push({ compared, server, file: local?.file ?? newFile(project.root, server, taken) })
  }
  return { writable, foreign }
}

const folders: Readonly<Record<CodeKind, 'transformations' | 'libraries'>> = {
  transformation: 'transformations',
  library: 'libraries',
}

/** A file named after it; names of a server are not trusted with a place outside the folder. */
function newFile(root: string, { kind, name, language }: ServerCode, taken: Set<string>): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '') || kind
  const ending = language === 'typescript' ? 'ts' : 'js'
  for (let copy = 1; ; copy += 1) {
    const file = join(root, folders[kind], `${plain}${copy === 1 ? '' : `-${copy}`}.${ending}`)
    if (taken.has(file.toLowerCase())) continue
    taken.add(file.toLowerCase())
    return file
  }
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
