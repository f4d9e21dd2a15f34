import { InvariantError } from '@sluice/core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { query } from '../map/delivery-request.ts'
import { mapping } from '../rules/mapping.ts'
import { to } from '../rules/to.ts'
import { defineDestination } from './define-destination.ts'
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
  it('returns the definition', () => {
    expect(defineDestination(plain)).toBe(plain)
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
