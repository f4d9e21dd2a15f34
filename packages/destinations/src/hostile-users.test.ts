import type { JsonObject } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { isMappingError } from './kit/map/mapping-error.ts'
import { parseSettings } from './kit/settings/parse-settings.ts'

const value = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1.5, false, true, '\ud800', '../a', '?x=1&y', 'a,b', [], {}),
  fc.string({ unit: 'binary' }),
)
const name = fc.constantFrom('userId', 'email', 'phone', 'appsflyer_id', 'ios_advertising_id', 'toString')
const users = fc.array(fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }), {
  minLength: 1,
  maxLength: 3,
})
const context = { now: 0, requestId: '00000000-0000-4000-8000-000000000000' }

describe('deletions and searches of any users go to the host of the destination or are refused, without an exception', () => {
  for (const { deletion, ...definition } of builtInDestinations) {
    const [example] = deletion?.examples ?? []
    if (!deletion || !example || !('requests' in example)) continue

    it(`by ${definition.type}`, () => {
      const parsed = parseSettings(definition, example.settings)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
      const host = new URL(example.requests[0]?.endpoint ?? '').host
      fc.assert(
        fc.property(users, (given) => {
          const users = given as readonly JsonObject[]
          const searches = users.map((user) => deletion.search?.requests(user, parsed.settings, context) ?? [])
          for (const made of [deletion.requests(users, parsed.settings, context), ...searches]) {
            const hosts = isMappingError(made) ? [] : made.map(({ endpoint }) => new URL(endpoint).host)
            expect(hosts.filter((each) => each !== host)).toEqual([])
          }
        }),
        { numRuns: 200 },
      )
    })
  }
})

describe('a refusal counts as a deletion only where it differs from one about the account', () => {
  // Sprig answers 400 for users it does not know, and has no look-up; the account is refused with 401 or 403.
  const documented = new Set(['SPRIG'])
  for (const { type, deletion } of builtInDestinations) {
    if (deletion?.tolerates === undefined || documented.has(type)) continue
    it(`by ${type}`, () => expect(deletion.search ?? deletion.isUnknownUser).toBeDefined())
  }
})
