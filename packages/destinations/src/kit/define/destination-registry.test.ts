import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../../built-in-destinations.ts'
import { webhook } from '../../products/webhook/webhook.ts'
import { createDestinationRegistry } from './destination-registry.ts'

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
