import { parseUrl } from '@sluice/core'
import { isSameWithin } from './bounds/is-same-within.ts'
import { spend } from './bounds/steps.ts'
import type { Addresses, CompileCosts, Root, Schema, Target, Vocabulary } from './compiling.ts'
import { ownMember } from './words/own-member.ts'

/** Words whose values are no schemas. */
const valueWords = new Set(['default', 'enum', 'const', 'required'])
/** Maps of schemas: an `$id` in them is a name. */
const mapWords = new Set(['properties', 'patternProperties', 'enum', 'dependencies', 'definitions'])

/** Steps that it takes to look at a value of a schema, beside those of its words. */
const stepsPerValue = 5
/** Steps that it takes to resolve an address, and characters that take one more. */
const stepsPerAddress = 25
const charsPerStep = 8

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
    targets: new Map(),
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
    if (other !== undefined && !isSameWithin(costs, other, target.schema)) refuse()
    if (address.startsWith('#')) root.anchored.set(address, target.schema)
    else addresses.set(address, target)
  }
  const visit = (value: unknown, outerId: string, isMap: boolean): void => {
    spend(costs, stepsPerValue)
    if (typeof value !== 'object' || value === null) return
    let innerId = outerId
    if (!isMap && !Array.isArray(value) && value !== schema) {
      const id = idOf(vocabulary, value)
      if (id !== undefined) innerId = countedAddress(costs, outerId, id)
      if (id !== undefined) add(innerId, { schema: value, baseId: innerId, root })
      for (const word of ['$anchor', '$dynamicAnchor']) {
        const anchor: unknown = (value as Schema)[word]
        if (typeof anchor !== 'string') continue
        if (!/^[a-z_][-a-z0-9._]*$/i.test(anchor)) throw new Error(`invalid anchor "${anchor}"`)
        add(countedAddress(costs, innerId, `#${anchor}`), { schema: value, baseId: innerId, root })
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

/**
 * Finds what a reference in a schema leads to. A schema that only refers is what it refers to. Each reference is followed
 * once, however many lead there.
 * @throws RangeError when it leads to itself.
 */
export function findTarget(root: Root, baseId: string, ref: string): Target | undefined {
  const passed: { readonly targets: Map<string, Target>; readonly key: string }[] = []
  const referring = new Set<unknown>()
  let found: Target | undefined
  for (
    let at: { readonly root: Root; readonly baseId: string; readonly ref: string } | undefined = { root, baseId, ref };
    at;
  ) {
    const { targets } = at.root
    const key = `${at.baseId} ${at.ref}`
    const known = targets.get(key)
    if (known) {
      found = known
      break
    }
    const { target, isFinal } = directTarget(at.root, at.baseId, at.ref)
    if (target === undefined) break
    passed.push({ targets, key })
    found = target
    const { $ref, ...others } = Object(target.schema) as Schema
    if (isFinal || typeof $ref !== 'string' || Object.keys(others).length > 0) break
    if (referring.has(target.schema)) throw new RangeError('a $ref leads to itself')
    referring.add(target.schema)
    at = { root: target.root, baseId: target.baseId, ref: $ref }
  }
  if (found) for (const { targets, key } of passed) targets.set(key, found)
  return found
}

/** Returns where a reference itself leads. Not final: if that only refers, the target is what it refers to. */
function directTarget(
  root: Root,
  baseId: string,
  ref: string,
): { readonly target?: Target; readonly isFinal: boolean } {
  const { addresses, costs } = root
  const address = countedAddress(costs, baseId, ref)
  const known = addresses.get(address)
  if (known) return { target: known, isFinal: true }
  const [place = '', fragment = ''] = address.split('#')
  const whole =
    place === root.baseId.split('#')[0] ? { schema: root.schema, baseId: root.baseId, root } : addresses.get(place)
  const found = whole && fragment.startsWith('/') ? step(whole, fragment) : undefined
  if (found !== undefined) return { target: found, isFinal: false }
  if (!root.anchored.has(address)) return { isFinal: true }
  return { target: { schema: root.anchored.get(address), baseId, root }, isFinal: true }
}

/** Follows a JSON Pointer. */
function step({ schema, baseId, root }: Target, pointer: string): Target | undefined {
  let at = schema
  let base = baseId
  for (const part of pointer.slice(1).split('/')) {
    spend(root.costs, stepsPerValue)
    if (typeof at !== 'object' || at === null) return undefined
    at = ownMember(at as Schema, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    if (at === undefined) return undefined
    const id = idOf(root.vocabulary, at)
    if (id !== undefined && !mapWords.has(part)) base = countedAddress(root.costs, base, id)
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

function countedAddress(costs: CompileCosts, baseId: string, ref: string): string {
  spend(costs, stepsPerAddress + (baseId.length + ref.length) / charsPerStep)
  return addressOf(baseId, ref)
}

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
