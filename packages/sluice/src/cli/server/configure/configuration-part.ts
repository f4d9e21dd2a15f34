import type { JsonObject } from '@sluice/core'
import { CliError } from '../../cli-error.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

/** Kinds of parts that a workspace file has, in the order in which they can be created. */
const partKinds = ['source', 'destination', 'connection', 'credential', 'token'] as const

export type PartKind = (typeof partKinds)[number]

/** A part of the configuration of a server, in the members of a workspace file, secrets masked. */
export interface ConfigurationPart {
  readonly kind: PartKind | 'workspace'
  readonly id: string
  readonly body: JsonObject
  readonly managedBy: 'file' | 'api'
  /** Absent for what the workspace file of the server defines. */
  readonly revision?: number
}

/** One change, as `POST /v2/configuration` takes it. */
export interface PartChange {
  readonly action: 'create' | 'put' | 'delete'
  readonly kind: PartKind
  readonly id?: string
  readonly ifRevision?: number
  readonly body?: JsonObject
}

/** Most changes of a request of a server. */
const changesMax = 5_000

/** Returns everything that a server has configured; access tokens only if the token has the scope admin. */
export async function configurationOf(flags: ServerFlags): Promise<readonly ConfigurationPart[]> {
  const { parts } = await askServer<{ parts: readonly ConfigurationPart[] }>(flags, 'GET', '/v2/configuration')
  return parts
}

/**
 * Applies changes, all or none, and returns the parts as they are afterwards, without deleted ones.
 * @param options.validate changes nothing, and returns what would be. @param options.force makes waiting events dead letters.
 */
export async function change(
  flags: ServerFlags,
  changes: readonly PartChange[],
  { validate = false, force = false }: { readonly validate?: boolean; readonly force?: boolean } = {},
): Promise<readonly ConfigurationPart[]> {
  if (changes.length === 0) return []
  if (changes.length > changesMax)
    throw new CliError(`${changes.length} parts; a server takes at most ${changesMax} at a time: split the file`)
  const path = `/v2/configuration?validate=${validate}&force=${force}`
  const { parts } = await askServer<{ parts: readonly ConfigurationPart[] }>(flags, 'POST', path, { changes })
  return parts
}

/** Returns what identifies a part for people and files: a connection by its ends, a token by its name. */
export function partName({
  kind,
  id,
  body,
}: Pick<ConfigurationPart, 'kind' | 'body'> & { readonly id?: string }): string {
  if (kind === 'connection') return `${body['source']} → ${body['destination']}`
  return String(kind === 'token' ? body['name'] : id)
}

/** Returns a text that is the same for parts with the same kind and name. */
export function partKey({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`
}
