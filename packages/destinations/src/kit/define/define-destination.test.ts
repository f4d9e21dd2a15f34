import { InvariantError } from '@sluice/core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { gateNames } from '../event-filter/gate-names.ts'
import { query } from '../map/request/delivery-request.ts'
import { mapping } from '../rules/mapping.ts'
import { to } from '../rules/to.ts'
import { type DestinationDefinition, defineDestination } from './define-destination.ts'
import { everyType } from './message-type.ts'

const plain = {
  type: 'PLAIN',
  displayName: 'Plain',
  supports: everyType,
  settings: Type.Object({ key: Type.String(), headers: Type.Array(Type.Object({ to: Type.String() })) }),
  secrets: ['key', 'headers.to'],
  requests: () => query({ method: 'GET', endpoint: 'https://api.test' }),
  examples: [],
}

describe('defineDestination', () => {
  it('returns the definition with the settings that every type has', () => {
    const { settings, ...others } = defineDestination(plain)
    const { settings: own, ...given } = plain
    expect(others).toEqual(given)
    expect(Object.keys(settings.properties)).toEqual([...Object.keys(own.properties), ...gateNames])
    expect(settings.required).toEqual(own.required)
  })

  it('adds the same objects to every definition, and none to one that has them', () => {
    const once: DestinationDefinition = defineDestination(plain)
    const gatesOf = ({ settings }: DestinationDefinition) => gateNames.map((name) => settings.properties[name])
    expect(gatesOf(defineDestination({ ...plain, type: 'OTHER' })).every((gate, i) => gate === gatesOf(once)[i])).toBe(
      true,
    )
    expect(defineDestination(once)).toEqual(once)
    const own = Type.String({ description: 'Its own.' })
    const settings = Type.Object({ ...plain.settings.properties, consentManagement: own })
    expect(defineDestination({ ...plain, settings }).settings.properties.consentManagement).toBe(own)
  })

  it('leaves getters alone, which may load much', () => {
    let reads = 0
    const lazy = defineDestination({
      ...plain,
      get actions() {
        reads += 1
        return { actions: [], presets: [] }
      },
    })
    expect(reads).toBe(0)
    expect([lazy.actions, reads]).toEqual([{ actions: [], presets: [] }, 1])
  })

  for (const secrets of [['kay'], ['headers.too'], ['headers.0.to'], ['key.to'], ['']]) {
    it(`refuses the secret path '${secrets[0]}', which does not exist`, () => {
      expect(() => defineDestination({ ...plain, secrets })).toThrow(InvariantError)
    })
  }

  it('refuses a mapping that reads a setting which does not exist', () => {
    const reading = (path: string) => ({ ...plain, mappings: { body: mapping([to('a').setting(path)]) } })
    expect(() => defineDestination(reading('key'))).not.toThrow()
    expect(() => defineDestination(reading('kay'))).toThrow('The mapping body of PLAIN reads kay')
  })

  it('refuses a type that is not upper case', () => {
    expect(() => defineDestination({ ...plain, type: 'plain' })).toThrow(InvariantError)
  })
})
