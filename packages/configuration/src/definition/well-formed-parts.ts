import { isJsonObject, type JsonObject } from '@sluice/core'
import type { WorkspaceForm } from './workspace-schema.ts'

export interface WellFormedPart {
  readonly path: string
  readonly definition: WorkspaceForm
  /** Ids of the elements of a list, malformed ones included; undefined when one may have any id. */
  readonly ids: Readonly<Record<'sources' | 'destinations', ReadonlySet<string> | undefined>>
}

/**
 * Returns the checkable parts of a malformed definition: the workspaces in which at least the lists are lists. Elements
 * lose malformed members; those that cannot do without become undefined, so that indexes stay valid.
 *
 * @param badPaths locations of malformed parts, as in problems.
 */
export function wellFormedParts(definition: unknown, badPaths: readonly string[]): readonly WellFormedPart[] {
  const listed = isJsonObject(definition) ? definition['workspaces'] : undefined
  if (!Array.isArray(listed)) return []
  const bad = new Set(badPaths)
  const around = new Set(badPaths.flatMap(partsAround))
  return listed.flatMap((workspace: unknown, i) => {
    const path = `workspaces[${i}]`
    if (!isJsonObject(workspace)) return []
    const ids = { sources: idsIn(workspace['sources']), destinations: idsIn(workspace['destinations']) }
    return [{ path, definition: withoutMalformed(workspace, path, { bad, around }), ids }]
  })
}

/** `a[0].b` → `a`, `a[0]`, `a[0].b` */
function partsAround(path: string): readonly string[] {
  return [...path.matchAll(/\.|\[|$/g)].map(({ index }) => path.slice(0, index))
}

function idsIn(list: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(list)) return undefined
  const ids = list.flatMap((item: unknown) =>
    isJsonObject(item) && typeof item['id'] === 'string' ? [item['id']] : [],
  )
  return ids.length === list.length ? new Set(ids) : undefined
}

interface Malformed {
  readonly bad: ReadonlySet<string>
  /** The same with everything that has them inside. */
  readonly around: ReadonlySet<string>
}

/** Lists, with the members without which an element cannot be checked, or would have further problems. */
const lists: Readonly<Record<string, readonly string[]>> = {
  sources: ['id', 'writeKey'],
  destinations: ['id', 'type', 'settings'],
  connections: ['source', 'destination'],
  accessTokens: ['name', 'token'],
  libraries: ['name', 'code'],
}

function withoutMalformed(workspace: JsonObject, path: string, malformed: Malformed): WorkspaceForm {
  const kept = Object.entries(lists).map(([name, needed]) => {
    const value = workspace[name]
    const items: readonly unknown[] = Array.isArray(value) ? value : []
    return [name, items.map((item, i) => elementOf(item, `${path}.${name}[${i}]`, needed, malformed))]
  })
  const whole = ['name', 'showSecrets', 'sandbox', 'credentials', 'credentialVariables'].flatMap(
    (member): [string, unknown][] =>
      workspace[member] === undefined || malformed.around.has(`${path}.${member}`) ? [] : [[member, workspace[member]]],
  )
  // The schema found every remaining member well-formed.
  return {
    id: malformed.bad.has(`${path}.id`) ? '' : workspace['id'],
    ...Object.fromEntries(whole),
    ...Object.fromEntries(kept),
  } as unknown as WorkspaceForm
}

function elementOf(item: unknown, path: string, needed: readonly string[], { bad, around }: Malformed): unknown {
  if (!around.has(path)) return item
  if (!isJsonObject(item) || bad.has(path)) return undefined
  // An id of the wrong form still is what others refer to.
  const isBad = (member: string): boolean =>
    around.has(`${path}.${member}`) && !(member === 'id' && typeof item[member] === 'string')
  if (needed.some(isBad)) return undefined
  return Object.fromEntries(Object.entries(item).filter(([member]) => !isBad(member)))
}
