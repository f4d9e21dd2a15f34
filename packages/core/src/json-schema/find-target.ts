import { parseUrl } from '../address/parse-url.ts'
import { isSameJson } from '../event/json.ts'
import type { Addresses, CompileCosts, Root, Schema, Target, Vocabulary } from './compiling.ts'
import { ownMember } from './own-member.ts'

/** Words whose values are no schemas. */
const valueWords = new Set(['default', 'enum', 'const', 'required'])
/** Maps of schemas: an `$id` in them is a name. */
const mapWords = new Set(['properties', 'patternProperties', 'enum', 'dependencies', 'definitions'])

/** Adds a schema, and all in it that have an address or an anchor. @throws Error when an address is taken. */
export function addSchema(addresses: Addresses, schema: unknown, vocabulary: Vocabulary, costs: CompileCosts): Root {
  const baseId = idOf(vocabulary, schema) ?? ''
  const root: Root = {
    schema,
    baseId,
    vocabulary,
    anchored: new Map(),
    dynamicAnchors: new Set(),
    units: new Map(),
    addresses,
    costs,
  }
  const found = new Set<string>()
  const add = (address: string, target: Target): void => {
    const refuse = (): never => {
      throw new Error(`reference "${address}" resolves to more than one schema`)
    }
    if (found.has(address)) refuse()
    found.add(address)
    const other = address.startsWith('#') ? root.anchored.get(address) : addresses.get(address)?.schema
    if (other !== undefined && !isSameJson(other, target.schema)) refuse()
    if (address.startsWith('#')) root.anchored.set(address, target.schema)
    else addresses.set(address, target)
  }
  const visit = (value: unknown, outerId: string, isMap: boolean): void => {
    if (typeof value !== 'object' || value === null) return
    let innerId = outerId
    if (!isMap && !Array.isArray(value) && value !== schema) {
      const id = idOf(vocabulary, value)
      if (id !== undefined) innerId = addressOf(outerId, id)
      if (id !== undefined) add(innerId, { schema: value, baseId: innerId, root })
      for (const word of ['$anchor', '$dynamicAnchor']) {
        const anchor: unknown = (value as Schema)[word]
        if (typeof anchor !== 'string') continue
        if (!/^[a-z_][-a-z0-9._]*$/i.test(anchor)) throw new Error(`invalid anchor "${anchor}"`)
        add(addressOf(innerId, `#${anchor}`), { schema: value, baseId: innerId, root })
      }
    }
    for (const [word, inner] of Object.entries(value))
      if (isMap || !valueWords.has(word)) visit(inner, innerId, !isMap && mapWords.has(word))
  }
  visit(schema, baseId, false)
  if (baseId !== '' && addresses.has(baseId)) throw new Error(`schema with key or id "${baseId}" already exists`)
  if (!baseId.startsWith('#')) addresses.set(baseId, { schema, baseId, root })
  return root
}

/** Finds what a reference in a schema leads to. */
export function findTarget(root: Root, baseId: string, ref: string): Target | undefined {
  const { addresses } = root
  const address = addressOf(baseId, ref)
  const known = addresses.get(address)
  if (known) return known
  const [place = '', fragment = ''] = address.split('#')
  const whole =
    place === root.baseId.split('#')[0] ? { schema: root.schema, baseId: root.baseId, root } : addresses.get(place)
  const found = whole && fragment.startsWith('/') ? step(whole, fragment) : undefined
  if (found === undefined)
    return root.anchored.has(address) ? { schema: root.anchored.get(address), baseId, root } : undefined
  // A schema that only refers is what it refers to.
  const { $ref, ...others } = Object(found.schema) as Schema
  if (typeof $ref !== 'string' || Object.keys(others).length > 0) return found
  return findTarget(found.root, found.baseId, $ref) ?? found
}

/** Follows a JSON Pointer. */
function step({ schema, baseId, root }: Target, pointer: string): Target | undefined {
  let at = schema
  let base = baseId
  for (const part of pointer.slice(1).split('/')) {
    if (typeof at !== 'object' || at === null) return undefined
    at = ownMember(at as Schema, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    if (at === undefined) return undefined
    const id = idOf(root.vocabulary, at)
    if (id !== undefined && !mapWords.has(part)) base = addressOf(base, id)
  }
  return at === root.schema ? undefined : { schema: at, baseId: base, root }
}

/** Returns the address that a schema gives itself, normalized. */
function idOf({ more }: Vocabulary, schema: unknown): string | undefined {
  const id = (Object(schema) as Schema)[more?.idWord ?? '$id']
  return typeof id === 'string' ? normalized(id) : undefined
}

export const normalized = (id: string): string => id.replace(/#\/?$/, '')

/** Stands for the missing part of relative addresses. */
const nowhere = 'nowhere://nowhere/'

/** Resolves an address against that of the schema it is in. */
export function addressOf(baseId: string, ref: string): string {
  const inner = normalized(ref)
  const base = normalized(baseId)
  if (inner === '') return base
  if (inner.startsWith('#')) return (base.split('#')[0] ?? '') + inner
  const from = parseUrl(base, nowhere)
  if (from === undefined) return inner
  const resolved = new URL(inner, from).href
  return normalized(resolved.startsWith(nowhere) ? resolved.slice(nowhere.length) : resolved)
}
