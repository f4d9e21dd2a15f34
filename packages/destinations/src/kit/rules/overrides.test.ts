import type { JsonObject } from '@sluice/core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineDestination } from '../define/define-destination.ts'
import { mapEvent } from '../map/map-event.ts'
import { isMappingError } from '../map/mapping-error.ts'
import { json } from '../map/request/delivery-request.ts'
import { parseSettings } from '../settings/parse-settings.ts'
import { mapping } from './mapping.ts'
import { to } from './to.ts'

const person = mapping([to('id').from('userId'), to('traits').from('traits')])
const action = mapping([to('name').from('event'), to('price').from('properties.price').required()])

const crm = defineDestination({
  type: 'CRM',
  displayName: 'CRM',
  supports: ['identify', 'track'],
  settings: Type.Object({ key: Type.Optional(Type.String()) }),
  secrets: [],
  mappings: { person, action },
  requests(event, settings) {
    const body = (event.type === 'identify' ? person : action)(event, settings)
    return isMappingError(body) ? body : json({ method: 'POST', endpoint: 'https://crm.test', body })
  },
  examples: [],
})

function bodyOf(event: JsonObject & { readonly type: string }, overrides: readonly JsonObject[]): unknown {
  const parsed = parseSettings(crm, { overrides })
  if (!parsed.ok) return parsed.problems.map(({ path, allowed }) => `${path}: ${allowed}`)
  const mapped = mapEvent(crm, event, parsed.settings, { now: 0 })
  return Array.isArray(mapped) ? mapped[0].body.JSON : mapped
}

const identify = { type: 'identify', userId: 'u', traits: { plan: 'pro', age: 7 } }
const track = { type: 'track', event: 'Bought', properties: { price: 2, plan: '' }, context: { ip: '1.2.3.4' } }

describe('overrides in the settings of a destination', () => {
  it('replace and add fields of all mappings', () => {
    const overrides = [
      { to: 'id', from: 'traits.age' },
      { to: 'extra.address', from: 'context.ip' },
    ]
    expect(bodyOf(identify, overrides)).toEqual({ id: 7, traits: identify.traits })
    expect(bodyOf(track, overrides)).toEqual({ name: 'Bought', price: 2, extra: { address: '1.2.3.4' } })
  })

  it('change only the mapping that they name', () => {
    const overrides = [{ to: 'type', from: 'type', mapping: 'person' }]
    expect(bodyOf(identify, overrides)).toMatchObject({ type: 'identify' })
    expect(bodyOf(track, overrides)).not.toHaveProperty('type')
  })

  it('take the first of several fields that has a value, and change nothing without one', () => {
    const from = ['properties.plan', 'traits.plan']
    expect(bodyOf(identify, [{ to: 'plan', from }])).toMatchObject({ plan: 'pro' })
    expect(bodyOf(track, [{ to: 'name', from }])).toMatchObject({ name: 'Bought' })
  })

  it('never change the event, nor what mappings share with it', () => {
    const frozen = { ...identify, traits: Object.freeze({ plan: 'pro' }) }
    expect(bodyOf(frozen, [{ to: 'traits.level', from: 'userId' }])).toEqual({
      id: 'u',
      traits: { plan: 'pro', level: 'u' },
    })
    expect(frozen.traits).toEqual({ plan: 'pro' })
  })

  it('change elements of lists', () => {
    const event = { type: 'identify', userId: 'u', traits: [{ a: 1 }, 2] }
    expect(bodyOf(event, [{ to: 'traits.0.b', from: 'userId' }])).toEqual({ id: 'u', traits: [{ a: 1, b: 'u' }, 2] })
    expect(bodyOf(event, [{ to: 'traits.7', from: 'userId' }])).toEqual({ id: 'u', traits: [{ a: 1 }, 2] })
  })

  it('do not make up for a missing required value', () => {
    const event = { type: 'track', event: 'Bought', value: 3 }
    expect(bodyOf(event, [{ to: 'price', from: 'value' }])).toMatchObject({ errorType: 'instrumentation' })
  })

  const wrong: readonly { readonly name: string; readonly override: JsonObject; readonly says: string }[] = [
    { name: 'a path with an empty key', override: { to: 'a..b', from: 'c' }, says: 'overrides[0].to' },
    { name: 'a path to the prototype', override: { to: '__proto__.a', from: 'c' }, says: 'overrides[0].to' },
    {
      name: 'a mapping that does not exist',
      override: { to: 'a', from: 'c', mapping: 'x' },
      says: 'overrides[0].mapping',
    },
    { name: 'a source that is no path', override: { to: 'a', from: 7 }, says: 'overrides[0].from' },
    { name: 'no target', override: { from: 'c' }, says: 'overrides[0].to' },
  ]
  for (const { name, override, says } of wrong)
    it(`are refused with ${name}`, () => {
      expect(bodyOf(track, [override])).toEqual([expect.stringContaining(says)])
    })
})
