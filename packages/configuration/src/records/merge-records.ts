import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type ElementList, elementProblems } from '../definition/problems/element-problems.ts'
import type { Problem } from '../definition/problems/problem.ts'
import type { ConfigurationRecord, RecordKey } from './configuration-record.ts'

/** A definition of workspaces with stored records added to it. */
interface MergedDefinition {
  /** In the form of a workspace file, not validated. */
  readonly definition: unknown
  /** Returns the stored record that a location in the definition belongs to; undefined for what the file has. */
  keyAt(path: string): RecordKey | undefined
}

/**
 * Adds stored records to a definition. What the definition names itself is left as it is: an id, the pair of a
 * connection, the name of a token or a credential.
 *
 * @param definition `{workspaces: […]}`. Where it is malformed, nothing is added, so that its problems stay the same.
 */
export function mergeRecords(definition: unknown, records: readonly ConfigurationRecord[]): MergedDefinition {
  const listed = isJsonObject(definition) ? definition['workspaces'] : undefined
  if (!isJsonObject(definition) || !Array.isArray(listed)) return { definition, keyAt: () => undefined }
  const defined = listed.map((workspace: JsonValue) => (isJsonObject(workspace) ? workspace['id'] : undefined))
  const added = records.filter(({ kind, id }) => kind === 'workspace' && !defined.includes(id))
  const byWorkspace = new Map<string, ConfigurationRecord[]>()
  for (const record of records) {
    const ofWorkspace = byWorkspace.get(record.workspaceId)
    if (ofWorkspace) ofWorkspace.push(record)
    else byWorkspace.set(record.workspaceId, [record])
  }
  const keys = new Map<string, RecordKey>()
  const workspaces = [...listed, ...added.map(toWorkspace)].map((workspace: JsonValue, index) => {
    const path = `workspaces[${index}]`
    if (index >= listed.length) keys.set(path, added[index - listed.length] as RecordKey)
    return isJsonObject(workspace)
      ? merge(workspace, path, byWorkspace.get(String(workspace['id'])) ?? [], keys)
      : workspace
  })
  return { definition: { ...definition, workspaces }, keyAt: (path) => keyAt(path, keys) }
}

function toWorkspace({ id, body }: ConfigurationRecord): JsonObject {
  return { ...body, id, sources: [], destinations: [], connections: [] }
}

function keyAt(path: string, keys: ReadonlyMap<string, RecordKey>): RecordKey | undefined {
  const [element] = /^workspaces\[\d+\]\.\w+\[\d+\]/.exec(path) ?? []
  const [workspace] = /^workspaces\[\d+\](?=\.(?:id|name)$)/.exec(path) ?? []
  return keys.get(element ?? workspace ?? path)
}

/** Returns what is wrong with the form of a record. Paths are within it. What depends on other records is not checked. */
export function recordProblems({ kind, id, body }: ConfigurationRecord): readonly Problem[] {
  const rule = rules.find((each) => each.kind === kind)
  return rule === undefined ? [] : elementProblems(rule.list, rule.element({ id, body }))
}

/** Returns the element of a list that a record becomes. */
export function elementOf(record: ConfigurationRecord): JsonObject {
  return rules.find((each) => each.kind === record.kind)?.element(record) ?? {}
}

/** How the records of a kind become elements of a list, and by what name the definition hides them. */
interface ListRule {
  readonly list: ElementList
  readonly kind: ConfigurationRecord['kind']
  readonly element: (record: Pick<ConfigurationRecord, 'id' | 'body'>) => JsonObject
  readonly nameOf: (element: JsonObject) => string
}

const rules: readonly ListRule[] = [
  { list: 'sources', kind: 'source', element: ({ id, body }) => ({ ...body, id }), nameOf: ({ id }) => String(id) },
  {
    list: 'destinations',
    kind: 'destination',
    element: ({ id, body }) => ({ ...body, id }),
    nameOf: ({ id }) => String(id),
  },
  { list: 'connections', kind: 'connection', element: ({ body }) => ({ ...body }), nameOf: pairOf },
  { list: 'accessTokens', kind: 'token', element: ({ body }) => ({ ...body }), nameOf: ({ name }) => String(name) },
]

/** Returns a text for the two ends of a connection. */
export function pairOf({ source, destination }: JsonObject): string {
  return JSON.stringify([source, destination])
}

function merge(
  workspace: JsonObject,
  path: string,
  records: readonly ConfigurationRecord[],
  keys: Map<string, RecordKey>,
): JsonObject {
  const lists = rules.flatMap(({ list, kind, element, nameOf }): [string, JsonValue][] => {
    const own = workspace[list] ?? (kind === 'token' ? [] : undefined)
    const stored = records.filter((record) => record.kind === kind)
    if (!Array.isArray(own) || stored.length === 0) return []
    const named = new Set(own.filter(isJsonObject).map(nameOf))
    const merged: JsonValue[] = [...own]
    for (const record of stored) {
      const part = element(record)
      if (named.has(nameOf(part))) continue
      keys.set(`${path}.${list}[${merged.length}]`, record)
      merged.push(part)
    }
    return [[list, merged]]
  })
  const credentials = withCredentials(workspace['credentials'], `${path}.credentials`, records, keys)
  return { ...workspace, ...Object.fromEntries(lists), ...(credentials === undefined ? {} : { credentials }) }
}

function withCredentials(
  own: JsonValue | undefined,
  path: string,
  records: readonly ConfigurationRecord[],
  keys: Map<string, RecordKey>,
): JsonValue | undefined {
  if (own !== undefined && !isJsonObject(own)) return own
  const stored = records.filter(
    ({ kind, id }) => kind === 'credential' && (own === undefined || !Object.hasOwn(own, id)),
  )
  if (stored.length === 0) return own
  for (const record of stored) keys.set(`${path}.${record.id}`, record)
  return { ...own, ...Object.fromEntries(stored.map(({ id, body }) => [id, body['value']])) }
}
