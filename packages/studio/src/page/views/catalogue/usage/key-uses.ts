import type { Destination, Source } from '../../destinations/records.ts'
import type { Transformation } from '../../transformations/transformation.ts'
import type { KeyRow } from '../keys/key-rows.ts'
import { namedKeys } from './named-keys.ts'
import { readPaths } from './read-paths.ts'

/** What uses keys of an event. */
export interface KeyUse {
  readonly kind: 'code' | 'destination' | 'warehouse'
  readonly id: string
  readonly name: string
  /** Dotted paths of keys, in the order of the event; none of a warehouse, which loads all of them. */
  readonly keys: readonly string[]
  /** Where code runs; the type of a destination. */
  readonly note: string
}

interface KeyUsesOptions {
  readonly rows: readonly KeyRow[]
  readonly sourceId: Source['id']
  readonly transformations: readonly Transformation[]
  readonly destinations: readonly Destination[]
  /** Ids of the destinations that are warehouses. */
  readonly warehouses: ReadonlySet<string>
  readonly connections: readonly { readonly sourceId: string; readonly destinationId: string }[]
}

/** Returns what uses the keys of an event of a source: code, destinations of the source whose settings name keys, and its warehouses. */
export function keyUses({
  rows,
  sourceId,
  transformations,
  destinations,
  warehouses,
  connections,
}: KeyUsesOptions): readonly KeyUse[] {
  const keys = rows.map(({ path }) => path.join('.'))
  const objects = new Set(rows.filter(({ type }) => type === 'object').map(({ path }) => path.join('.')))
  const code = transformations.map(({ id, name, code: text, destinations: places = [] }): KeyUse => {
    const read = new Set([...readPaths(text)].flatMap((path) => keyOf(path, keys) ?? []))
    return {
      kind: 'code',
      id,
      name,
      // To go through an object is no use of it.
      keys: keys.filter((key) => read.has(key) && !objects.has(key)),
      note: places.length === 0 ? 'not connected' : `at ${places.map((place) => place.name).join(', ')}`,
    }
  })
  const connected = new Set(connections.filter((each) => each.sourceId === sourceId).map((each) => each.destinationId))
  const own = destinations.filter(({ id }) => connected.has(id))
  const settings = own
    .filter(({ id }) => !warehouses.has(id))
    .map(({ id, name, type, config }): KeyUse => {
      return { kind: 'destination', id, name, keys: namedKeys(config, keys), note: type }
    })
  const loads = own
    .filter(({ id }) => warehouses.has(id))
    .map(({ id, name, type }): KeyUse => ({ kind: 'warehouse', id, name, keys: [], note: type }))
  return [...[...code, ...settings].filter((use) => use.keys.length > 0), ...loads]
}

/** Returns the key that a path is, or leads into: code may read the length of a text. */
function keyOf(path: string, keys: readonly string[]): string | undefined {
  const parts = path.split('.')
  const beginnings = parts.map((_, n) => parts.slice(0, parts.length - n).join('.'))
  return beginnings.find((each) => keys.includes(each))
}
