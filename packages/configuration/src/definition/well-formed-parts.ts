import { isJsonObject, type JsonObject } from '@sluice/core'
import type { WorkspaceDefinition } from './workspace-schema.ts'

export interface WellFormedPart {
  readonly path: string
  readonly definition: WorkspaceDefinition
  /** Ids of the elements of a list, malformed ones included; undefined when one may have any id. */
  readonly ids: Readonly<Record<'sources' | 'destinations', ReadonlySet<string> | undefined>>
}

/**
 * Returns the checkable parts of a malformed definition: the workspaces in which at least the lists are lists.
 * Malformed elements of a list become undefined, so that indexes stay valid.
 *
 * @param badPaths locations of malformed parts, as in problems.
 */
export function wellFormedParts(definition: unknown, badPaths: readonly string[]): readonly WellFormedPart[] {
  const listed = isJsonObject(definition) ? definition['workspaces'] : undefined
  if (!Array.isArray(listed)) return []
  return listed.flatMap((workspace: unknown, i) => {
    const path = `workspaces[${i}]`
    if (!isJsonObject(workspace)) return []
    const ids = { sources: idsIn(workspace['sources']), destinations: idsIn(workspace['destinations']) }
    return [{ path, definition: withoutMalformed(workspace, path, badPaths), ids }]
  })
}

function idsIn(list: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(list)) return undefined
  const ids = list.flatMap((item: unknown) =>
    isJsonObject(item) && typeof item['id'] === 'string' ? [item['id']] : [],
  )
  return ids.length === list.length ? new Set(ids) : undefined
}

const lists = ['sources', 'destinations', 'connections', 'accessTokens', 'libraries']

function withoutMalformed(workspace: JsonObject, path: string, badPaths: readonly string[]): WorkspaceDefinition {
  const isBad = (at: string): boolean => badPaths.some((bad) => bad === at || bad.startsWith(`${at}.`))
  const kept = Object.fromEntries(
    lists.map((name) => {
      const value = workspace[name]
      const items: readonly unknown[] = Array.isArray(value) ? value : []
      return [name, items.map((item, i) => (isBad(`${path}.${name}[${i}]`) ? undefined : item))]
    }),
  )
  const whole = ['name', 'credentials'].flatMap((member): [string, unknown][] =>
    workspace[member] === undefined || isBad(`${path}.${member}`) ? [] : [[member, workspace[member]]],
  )
  // The schema found every remaining element well-formed.
  return {
    id: isBad(`${path}.id`) ? '' : workspace['id'],
    ...Object.fromEntries(whole),
    ...kept,
  } as unknown as WorkspaceDefinition
}
