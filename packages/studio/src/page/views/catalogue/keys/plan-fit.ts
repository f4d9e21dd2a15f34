import type { KeyRow, KeyType } from './key-rows.ts'

/** What a plan says of a key that was seen. Counts are of all events that were seen, before the plan, too. */
export type PlanFit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'unplanned' }
  | { readonly kind: 'type'; readonly count: number; readonly found: KeyType; readonly wanted: string }
  | { readonly kind: 'missing'; readonly count: number }

/** The part of a JSON Schema that is read here; others are ignored. */
interface Planned {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly unknown[]
  readonly items?: unknown
}

const typesOf: Readonly<Record<KeyType, readonly string[]>> = {
  text: ['string'],
  number: ['number', 'integer'],
  'yes or no': ['boolean'],
  object: ['object'],
  list: ['array'],
}

/**
 * Returns how a key fits a plan.
 *
 * @param parentCount events that had the object which holds the key; all events for one at the top.
 */
export function planFit(schema: unknown, row: KeyRow, parentCount: number): PlanFit {
  const parent = plannedAt(schema, row.path.slice(0, -1))
  const name = row.path.at(-1) ?? ''
  const own = parent && plannedAt(parent, [name])
  const isRequired = parent?.required?.includes(name) ?? false
  if (isRequired && row.count < parentCount) return { kind: 'missing', count: parentCount - row.count }
  if (own === undefined) return isRequired ? { kind: 'fits' } : { kind: 'unplanned' }
  const wanted = [own.type].flat().filter((each) => typeof each === 'string')
  if (wanted.length > 0) {
    const found = [{ type: row.type, count: row.count }, ...row.otherTypes]
    const wrong = found.find(({ type }) => !typesOf[type].some((each) => wanted.includes(each)))
    // With one type only, every event that has the key came with it.
    if (wrong) return { kind: 'type', count: wrong.count, found: wrong.type, wanted: wanted.join(' or ') }
  }
  return { kind: 'fits' }
}

/** Returns the paths of required keys that no event had. */
export function neverSeen(schema: unknown, rows: readonly KeyRow[]): readonly string[] {
  const seen = new Set(rows.map(({ path }) => path.join('.')))
  const search = (node: Planned, path: readonly string[]): readonly string[] => {
    const missing = (node.required ?? [])
      .map((name) => [...path, String(name)].join('.'))
      .filter((own) => !seen.has(own))
    const below = Object.entries(node.properties ?? {}).flatMap(([name, member]) => {
      const own = [...path, name]
      return isPlanned(member) && seen.has(own.join('.')) ? search(member, own) : []
    })
    return [...missing, ...below]
  }
  return isPlanned(schema) ? search(schema, []) : []
}

/** Returns the schema of a key; those of the items of a list are keys of the list. */
function plannedAt(schema: unknown, [name, ...rest]: readonly string[]): Planned | undefined {
  if (!isPlanned(schema)) return undefined
  if (name === undefined) return schema
  const holder = schema.properties === undefined && isPlanned(schema.items) ? schema.items : schema
  const own = holder.properties
  return own && Object.hasOwn(own, name) ? plannedAt(own[name], rest) : undefined
}

function isPlanned(value: unknown): value is Planned {
  return typeof value === 'object' && value !== null
}
