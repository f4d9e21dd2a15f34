import { createRequire } from 'node:module'
import type { JsonObject } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audienceMembership } from './audience-membership.ts'

const require = createRequire(import.meta.url)
const { resolveAudienceMembership } = createRequire(require.resolve('@segment/actions-core'))(
  './audience-membership.js',
) as { resolveAudienceMembership(event: JsonObject, syncMode?: string): boolean | undefined }

const members = fc.dictionary(
  fc.constantFrom('vip', 'new', 'toString'),
  fc.constantFrom<JsonObject[string]>(true, false, 'true', 1, null),
)
const personas = fc.record(
  {
    computation_class: fc.constantFrom('audience', 'journey_step', 'computed_trait', ''),
    computation_key: fc.constantFrom('vip', 'new', 'toString', ''),
  },
  { requiredKeys: [] },
)
const event = fc.record(
  {
    type: fc.constantFrom('identify', 'track', 'page', ''),
    event: fc.constantFrom('new', 'updated', 'deleted', 'Order Completed', 'constructor'),
    context: fc.record({ personas }, { requiredKeys: [] }),
    traits: members,
    properties: members,
  },
  { requiredKeys: [] },
)
const syncMode = fc.constantFrom(undefined, 'add', 'update', 'upsert', 'delete', 'mirror', '', 'constructor')

describe('audience membership', () => {
  it("is the one that Segment's engine finds", () => {
    fc.assert(
      fc.property(event, syncMode, (each, mode) => {
        expect(audienceMembership(each as JsonObject, mode)).toBe(resolveAudienceMembership(each as JsonObject, mode))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is unknown for events with members of other types, for which Segment throws', () => {
    const odd = [{}, { context: null }, { context: { personas: null } }, { type: 5, context: 'text' }]
    for (const each of odd) expect(audienceMembership(each, 'mirror')).toBeUndefined()
  })
})
