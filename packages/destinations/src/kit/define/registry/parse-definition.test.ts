import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../../../built-in-destinations.ts'
import { webhook } from '../../../products/webhook/webhook.ts'
import { parseDefinition } from './parse-definition.ts'

describe('parseDefinition', () => {
  it('accepts every built-in definition, and one with a handwritten schema', () => {
    for (const definition of builtInDestinations) expect(parseDefinition(definition)).toEqual({ ok: true, definition })
    const settings = { type: 'object', required: ['key'], properties: { key: { type: 'string' } } }
    const byHand = { ...webhook, settings, secrets: ['key'] }
    expect(parseDefinition(byHand)).toMatchObject({ ok: true })
  })

  const mistakes: readonly (readonly [unknown, string])[] = [
    ['webhook', 'it is not an object'],
    [{}, 'its type must be a string'],
    [{ ...webhook, type: 'webhook' }, 'Destination type webhook must be upper-case letters'],
    [{ ...webhook, supports: ['tracks'] }, 'its supports must be a list of identify, track'],
    [{ ...webhook, settings: {} }, 'its settings must be the JSON Schema of an object'],
    [
      { ...webhook, secrets: [], settings: { type: 'object', properties: { a: { type: 'text' } } } },
      'its settings are not a JSON Schema',
    ],
    [{ ...webhook, secrets: ['heeders.to'] }, 'Secret path heeders.to of WEBHOOK is not a path of its settings'],
    [{ ...webhook, requests: undefined }, 'its requests must be a function'],
    [{ ...webhook, batch: {} }, 'its batch must be a function or absent'],
    [{ ...webhook, deletion: { requests: () => [] } }, 'its deletion must be an object with usersMax'],
    [{ ...webhook, deletion: { usersMax: 0, requests: () => [] } }, 'its deletion must be an object with usersMax'],
    [{ ...webhook, deletion: { usersMax: 1 } }, 'its deletion must be an object with usersMax'],
  ]
  for (const [value, problem] of mistakes) {
    it(`says: ${problem}`, () =>
      expect(parseDefinition(value)).toEqual({ ok: false, problem: expect.stringContaining(problem) }))
  }
})
