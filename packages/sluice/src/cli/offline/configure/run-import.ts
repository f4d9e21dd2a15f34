import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ImportedWorkspace,
  type ImportNote,
  importRudderStack,
  importSegment,
  type SecretVariable,
  secretsToVariables,
} from '@sluice/configuration'
import { WorkspaceFileError } from '@sluice/configuration/file'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import type { DestinationRegistry } from '@sluice/destinations'
import { registryWith } from '../../../workspace/known-destinations.ts'
import { openWorkspace } from '../../../workspace/text/open-workspace.ts'
import { asCliError } from '../../as-cli-error.ts'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { workspaceText } from './workspace-text.ts'
import { writeWorkspace } from './write-workspace.ts'

export interface ImportFlags {
  readonly out?: string
  readonly withSecrets?: true
  readonly force?: true
  readonly json?: true
}

/** Runs `sluice import`. */
export async function runImport(
  product: 'rudderstack' | 'segment',
  files: readonly string[],
  { out, withSecrets, force, json }: ImportFlags,
): Promise<void> {
  const registry = registryWith([])
  const { workspace: imported, notes } = await importedFrom(product, files, registry)
  if (listOf(imported, 'sources').length + listOf(imported, 'destinations').length === 0)
    throw new CliError(`${files.join(', ')}: no sources or destinations found; sluice import --help lists the forms`)
  const { workspace, variables } = secretsToVariables(imported, registry, {
    isMasked,
    keepSecrets: withSecrets === true,
    keepWriteKeys: true,
  })
  const file = out === undefined ? undefined : join(out, 'workspace.yaml')
  if (out !== undefined && file !== undefined) {
    await writeWorkspace(file, workspaceText(workspace), force)
    if (variables.length > 0) await writeWorkspace(join(out, '.env.example'), exampleText(variables), force)
  }
  if (json) return printLine(JSON.stringify({ workspace, notes, variables, file: file || undefined }, null, 2))
  if (file === undefined) process.stdout.write(workspaceText(workspace))
  process.stderr.write(`${reportText(workspace, notes, variables, file)}\n`)
}

async function importedFrom(
  product: 'rudderstack' | 'segment',
  files: readonly string[],
  registry: DestinationRegistry,
): Promise<ImportedWorkspace> {
  const [first = ''] = files
  const isFolder = (await stat(first).catch(() => undefined))?.isDirectory() === true
  if (product === 'rudderstack' && isFolder && files.length === 1) return importedFromFolder(first)
  const parsed = await Promise.all(files.map(readJson))
  return product === 'rudderstack' ? importRudderStack(parsed, registry) : importSegment(parsed)
}

/** A project of rudder-cli, as `serve` reads it. */
async function importedFromFolder(folder: string): Promise<ImportedWorkspace> {
  const { workspace, variables, notes, problems } = await openWorkspace(folder, { lenient: true, env: {} }).catch(
    (error: unknown) => Promise.reject(asCliError(error)),
  )
  if (problems.length > 0) throw asCliError(new WorkspaceFileError(problems))
  const [only] = listOf(workspace, 'workspaces')
  const names = new Map(variables.map(({ path, name }) => [path, name]))
  const sources = listOf(only ?? {}, 'sources').map((source, i) => {
    const name = names.get(`workspaces[0].sources[${i}].writeKey`)
    return name === undefined ? source : { ...source, writeKey: `env:${name}` }
  })
  return {
    workspace: { ...only, sources },
    notes: notes.map(({ file, path, text }) => ({ outcome: 'check', kind: 'resource', name: `${file} ${path}`, text })),
  }
}

async function readJson(file: string): Promise<JsonValue> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be read (${error.code ?? error.message})`)
  })
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // The reason would show a part of the text.
    throw new CliError(`${file} is not JSON; export it again`)
  }
}

/** Segment masks secrets with bullets and their last characters. */
function isMasked(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /^[•*]{4,}/.test(value)
}

function reportText(
  workspace: JsonObject,
  notes: readonly ImportNote[],
  variables: readonly SecretVariable[],
  file: string | undefined,
): string {
  const counts = ['source', 'destination', 'connection'].map((noun) => {
    const { length } = listOf(workspace, `${noun}s`)
    return `${length} ${noun}${length === 1 ? '' : 's'}`
  })
  const lines = [
    `${file === undefined ? 'imported' : `wrote ${file}`}: ${counts.join(', ')}`,
    ...notes.map(({ outcome, kind, name, text }) => `  ${outcome}: ${kind} ${name}: ${text}`),
    ...(variables.length === 0
      ? []
      : [`set these variables before you serve or apply it${file === undefined ? '' : ' (.env.example lists them)'}:`]),
    ...variables.map(({ name, what }) => `  ${name}  ${what}`),
  ]
  return lines.map(printable).join('\n')
}

/** A file that shells and `node --env-file` read, without values. */
function exampleText(variables: readonly SecretVariable[]): string {
  return variables.map(({ name, what }) => `# ${printable(what)}\n${name}=\n`).join('')
}

function listOf(workspace: JsonObject, list: string): readonly JsonObject[] {
  const value = workspace[list]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
