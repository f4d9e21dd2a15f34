import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../../../built-in-destinations.ts'
import { webhook } from '../../../products/webhook/webhook.ts'
import type { DestinationFamily } from './destination-family.ts'
import { createDestinationRegistry } from './destination-registry.ts'
import { publicDefinition } from './public-definition.ts'

describe('destination registry', () => {
  it('finds a type in any case, and returns undefined for an unknown one', () => {
    const registry = createDestinationRegistry(builtInDestinations)
    expect(registry.get('webhook')).toBe(webhook)
    expect(registry.get('WEBHOOK')).toBe(webhook)
    expect(registry.get('constructor')).toBeUndefined()
  })

  it('lists definitions in the given order', () => {
    const other = { ...webhook, type: 'OTHER' }
    expect(createDestinationRegistry([other, webhook]).list()).toEqual([other, webhook])
  })

  it('refuses two definitions with the same type', () => {
    expect(() => createDestinationRegistry([webhook, { ...webhook }])).toThrow('WEBHOOK')
  })
})

/** A family of webhooks; those that begin with `broken` cannot be loaded. */
function familyOf(names: readonly string[], prefix = 'shop/') {
  const loads: string[] = []
  let failures = 0
  const define = (type: string) => ({ ...webhook, type })
  const family: DestinationFamily = {
    prefix,
    origin: 'shop-actions 1.0.0',
    types: names.map((name) => `${prefix}${name}`),
    load(type) {
      loads.push(type)
      if (type.includes('/broken')) return { ok: false, problem: `a type that loads; ${type} does not: no licence` }
      return { ok: true, definition: define(type) }
    },
    async describe() {
      if (failures > 0) {
        failures -= 1
        throw new Error('cannot describe')
      }
      return names.map((name) => publicDefinition(define(`${prefix}${name}`)))
    },
  }
  return {
    family,
    loads,
    failNext() {
      failures = 1
    },
  }
}

describe('destination registry with a family', () => {
  it('loads a type when it is first wanted, and once', () => {
    const { family, loads } = familyOf(['a', 'b'])
    const registry = createDestinationRegistry([webhook, family])
    expect(registry.types()).toEqual(['WEBHOOK', 'shop/a', 'shop/b'])
    expect(loads).toEqual([])
    const first = registry.get('shop/b')
    expect(first?.type).toBe('shop/b')
    expect(registry.get('SHOP/B')).toBe(first)
    expect(loads).toEqual(['shop/b'])
  })

  it('lists only single definitions, because listing must not load a family', () => {
    const { family, loads } = familyOf(['a'])
    expect(createDestinationRegistry([family, webhook]).list()).toEqual([webhook])
    expect(loads).toEqual([])
  })

  it('does not ask a family for types that it does not have', () => {
    const { family, loads } = familyOf(['a'])
    const registry = createDestinationRegistry([family])
    for (const type of ['shop/', 'shop/c', 'other/a', 'a', 'shop/a/b', 'shop/constructor'])
      expect(registry.get(type)).toBeUndefined()
    expect(loads).toEqual([])
  })

  it('says why a type cannot be loaded, and tries once', () => {
    const { family, loads } = familyOf(['broken'])
    const registry = createDestinationRegistry([family])
    expect(registry.get('shop/broken')).toBeUndefined()
    expect(registry.allowedInsteadOf('shop/broken')).toBe('a type that loads; shop/broken does not: no licence')
    expect(loads).toEqual(['shop/broken'])
  })

  it('names all types in place of an unknown one when they are few', () => {
    const { family } = familyOf(['a', 'b'])
    expect(createDestinationRegistry([webhook, family]).allowedInsteadOf('nope')).toBe('one of WEBHOOK, shop/a, shop/b')
  })

  it('names families and at most five similar types when there are many', () => {
    const names = [...Array.from({ length: 70 }, (_, n) => `type-${n}`), 'amplitude', 'google-analytics-4']
    const registry = createDestinationRegistry([webhook, familyOf(names).family])
    const start = 'one of WEBHOOK; or one of the 72 types shop/… of shop-actions 1.0.0'
    expect(registry.allowedInsteadOf('AMPLITUDE')).toBe(`shop/amplitude (similar), or ${start}`)
    expect(registry.allowedInsteadOf('shop/Google_Analytics')).toBe(`shop/google-analytics-4 (similar), or ${start}`)
    expect(registry.allowedInsteadOf('webhooks')).toBe(`WEBHOOK (similar), or ${start}`)
    expect(registry.allowedInsteadOf('type')).toContain(
      'shop/type-0, shop/type-1, shop/type-2, shop/type-3, shop/type-4 (similar), or',
    )
    expect(registry.allowedInsteadOf('nothing like it')).toBe(start)
    expect(registry.allowedInsteadOf('')).toBe(start)
  })

  it('describes all types, and asks a family once', async () => {
    const { family, failNext } = familyOf(['a'])
    const registry = createDestinationRegistry([webhook, family])
    const typesOf = async () => (await registry.describe()).map(({ type }) => type)
    expect(await typesOf()).toEqual(['WEBHOOK', 'shop/a'])
    failNext()
    expect(await typesOf()).toEqual(['WEBHOOK', 'shop/a'])
  })

  it('asks a family again that could not describe its types', async () => {
    const { family, failNext } = familyOf(['a'])
    const registry = createDestinationRegistry([family])
    failNext()
    await expect(registry.describe()).rejects.toThrow('cannot describe')
    expect(await registry.describe()).toHaveLength(1)
  })

  it('refuses two families with the same prefix', () => {
    expect(() => createDestinationRegistry([familyOf(['a']).family, familyOf(['b']).family])).toThrow('shop/')
  })
})
