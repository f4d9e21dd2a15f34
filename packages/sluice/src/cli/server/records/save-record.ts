import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { variableIn, WorkspaceFileError } from '@sluice/configuration/file'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { withDefaults } from '@sluice/core/with-defaults'
import { parseText } from '../../../workspace/text/parse-text.ts'
import { asCliError } from '../../as-cli-error.ts'
import { CliError } from '../../cli-error.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import { recordOf } from './list-records.ts'
import type { Member } from './member.ts'
import type { RecordKind } from './record-kind.ts'

export interface SaveFlags extends ServerFlags {
  readonly id?: string
  readonly name?: string
  readonly type?: string
  readonly source?: string
  readonly destination?: string
  readonly enabled?: 'true' | 'false'
  readonly setting?: readonly Member[]
  readonly set: readonly Member[]
  readonly file?: string
}

export interface DeleteFlags extends ServerFlags {
  readonly yes?: true
  readonly force?: true
}

/** Runs `sluice sources create` and the like. */
export async function createRecord(kind: RecordKind, flags: SaveFlags): Promise<void> {
  const body = await membersOf(flags)
  const given = flags.id === undefined ? body : { ...body, id: flags.id }
  const config = settingsOf(flags, body['config'])
  done(kind, flags, 'created', await save(kind, flags, 'POST', '', { ...given, ...config }))
}

/** Runs `sluice sources update` and the like. */
export async function updateRecord(kind: RecordKind, id: string, flags: SaveFlags): Promise<void> {
  const body = await membersOf(flags)
  const before = await recordOf(flags, kind, id)
  const changes = { ...body, ...settingsOf(flags, body['config'] ?? before['config']) }
  if (Object.keys(changes).length === 0) throw new CliError(`nothing to change: sluice ${kind.plural} update --help`)
  const { revision } = before
  const path = `/${encodeURIComponent(id)}`
  const saved = await save(kind, flags, 'PUT', path, changes, typeof revision === 'number' ? revision : undefined)
  done(kind, flags, saved['revision'] === revision ? 'already like that' : 'changed', saved)
}

/** Runs `sluice sources delete` and the like. */
export async function deleteRecord({ noun, plural }: RecordKind, id: string, flags: DeleteFlags): Promise<void> {
  if (!flags.yes && !(await confirm(`Delete ${noun} ${printable(id)} at ${flags.url}?`)))
    throw new CliError('nothing was deleted')
  const query = flags.force ? '?force=true' : ''
  await askServer(flags, 'DELETE', `/v2/${plural}/${encodeURIComponent(id)}${query}`)
  printLine(flags.json ? JSON.stringify({ deleted: id }) : `${noun} ${printable(id)} deleted`)
}

async function save(
  { noun, plural }: RecordKind,
  flags: ServerFlags,
  method: 'POST' | 'PUT',
  path: string,
  body: JsonObject,
  revision?: number,
): Promise<JsonObject> {
  const answer = await askServer<Readonly<Record<string, JsonObject>>>(
    flags,
    method,
    `/v2/${plural}${path}`,
    body,
    revision,
  )
  return answer[noun] ?? {}
}

function done({ noun }: RecordKind, { json }: ServerFlags, what: string, record: JsonObject): void {
  const { id, writeKey } = record
  const key = noun === 'source' && what === 'created' ? `, write key ${String(writeKey)}` : ''
  printLine(json ? JSON.stringify(record, null, 2) : printable(`${noun} ${String(id)} ${what}${key}`))
}

/** Returns the members that the flags give, the file first. */
async function membersOf({ name, type, source, destination, enabled, set, file }: SaveFlags): Promise<JsonObject> {
  const given = {
    name,
    type,
    sourceId: source,
    destinationId: destination,
    enabled: enabled === undefined ? undefined : enabled === 'true',
  }
  return {
    // A flag that is not given keeps what the file says.
    ...withDefaults(await membersIn(file), given),
    ...Object.fromEntries(set.map(([key, value]) => [key, parseValue(value)])),
  }
}

async function membersIn(file: string | undefined): Promise<JsonObject> {
  if (file === undefined) return {}
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new CliError(`--file ${file} cannot be read (${error.code ?? error.message})`)
    },
  )
  const parsed = await parseText(content, file).catch((error: unknown) =>
    Promise.reject(error instanceof WorkspaceFileError ? asCliError(error) : error),
  )
  if (!isJsonObject(parsed)) throw new CliError(`--file ${file}: expected an object with members`)
  return withVariables(parsed)
}

/** Returns the settings with those that the flags give; nothing when they give none. */
function settingsOf({ setting = [] }: SaveFlags, base: JsonValue | undefined): JsonObject {
  if (setting.length === 0) return {}
  const settings = isJsonObject(base) ? base : {}
  return { config: { ...settings, ...Object.fromEntries(setting.map(([name, value]) => [name, parseValue(value)])) } }
}

/** Parses JSON; anything else is text. */
function parseValue(given: string): JsonValue {
  try {
    return withVariables(JSON.parse(given) as JsonValue)
  } catch (error) {
    if (error instanceof CliError) throw error
    return withVariables(given)
  }
}

function withVariables<T extends JsonValue>(value: T): T {
  return resolved(value) as T
}

function resolved(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => resolved(item))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]))
  const name = variableIn(value)
  if (name === undefined) return value ?? null
  const found = process.env[name]
  if (!found) throw new CliError(`the variable ${name} is not set`)
  return found
}
