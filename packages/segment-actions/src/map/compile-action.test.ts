import { createRequire } from 'node:module'
import { parseFql } from '@segment/destination-subscriptions'
import type { Event, JsonObject } from '@sluice/core'
import { isMappingError } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { type ActionSource, compileAction } from './compile-action.ts'
import type { FieldsToJsonSchema } from './payload/payload-reader.ts'
import { toSegmentEvent } from './to-segment-event.ts'

const { fieldsToJsonSchema } = createRequire(import.meta.url)('@segment/actions-core') as {
  fieldsToJsonSchema: FieldsToJsonSchema
}

const source: ActionSource = {
  slug: 'identifyUser',
  action: {
    fields: {
      email: { type: 'string', format: 'email', required: true },
      age: { type: 'integer' },
      tags: { type: 'string', multiple: true },
      name: { type: 'string' },
    },
  },
  subscribe: 'type = "identify"',
  mapping: {
    email: { '@path': '$.traits.email' },
    age: { '@path': '$.traits.age' },
    tags: { '@path': '$.traits.plan' },
    name: { '@path': '$.traits.name' },
  },
}

function run(event: Event, changes: Partial<ActionSource> = {}): unknown {
  const compiled = compileAction({ ...source, ...changes }, { parseFql, fieldsToJsonSchema })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems))
  return compiled.map(toSegmentEvent(event))
}

const traits = { email: 'ada@test.org', age: '36', plan: 'pro', name: '' }

describe('a compiled action', () => {
  it('makes the payload of an event that matches', () => {
    const payload = { email: 'ada@test.org', age: 36, tags: ['pro'] }
    expect(run({ type: 'identify', context: { traits } })).toStrictEqual(payload)
    expect(run({ type: 'identify', traits }, { isBatch: true })).toStrictEqual({ ...payload, name: '' })
  })

  it('makes nothing of an event that does not match', () => {
    expect(run({ type: 'track', traits })).toBeUndefined()
    expect(run({ type: 'track', traits }, { subscribe: undefined })).toBeDefined()
  })

  it('refuses a payload with an error that names the action and the fields, but no values', () => {
    const refused = run({ type: 'identify', traits: { email: 'no address', age: 'old' } })
    expect(isMappingError(refused)).toBe(true)
    expect(refused).toMatchObject({
      code: 'destination.event',
      message: 'The payload of identifyUser is invalid: email must match format "email"; age must be integer.',
    })
  })

  it('returns the error of a mapping', () => {
    const mapping = { email: { '@path': { '@path': '$.userId' } } }
    expect(isMappingError(run({ type: 'identify' }, { mapping }))).toBe(true)
  })

  it('takes any event for an action without fields', () => {
    const changes = { action: { fields: {} }, mapping: { all: { '@path': '$.traits' } } }
    expect(run({ type: 'identify', traits }, changes)).toStrictEqual({ all: traits })
  })

  it('has problems when the condition or the mapping is wrong', () => {
    const mapping: JsonObject = { email: { '@bogus': 1 } }
    expect(
      compileAction({ ...source, subscribe: '(type = "track"', mapping }, { parseFql, fieldsToJsonSchema }),
    ).toEqual({
      ok: false,
      problems: [
        { path: 'subscribe', value: '(type = "track"', allowed: 'a condition in FQL' },
        { path: 'mapping.email.@bogus', value: 1, allowed: expect.stringContaining('a known directive') },
      ],
    })
  })
})
