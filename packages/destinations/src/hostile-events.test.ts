import type { Event, JsonObject, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { batchEvents } from './kit/batching/batch.ts'
import type { DestinationDefinition } from './kit/define/define-destination.ts'
import type { MappingError } from './kit/map/mapping-error.ts'
import { parseSettings } from './kit/settings/parse-settings.ts'

/** Names that mappings read, and names of inherited members of JavaScript objects. */
const keys = fc.constantFrom(
  ...['userId', 'anonymousId', 'event', 'name', 'traits', 'context', 'properties', 'page', 'url', 'os', 'groupId'],
  ...['previousId', 'groupType', 'userAgent', 'products', 'toString', 'valueOf', 'constructor', 'length', '0', ''],
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, '', 0, -1.5, false, true, 'x', 'https://a.test/b', '\ud800', '2024-01-01T00:00:00Z'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(keys, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any

const hostileEvent: fc.Arbitrary<Event> = fc
  .tuple(
    fc.constantFrom('identify', 'track', 'page', 'screen', 'group', 'alias', 'record', '', 'Track'),
    fc.dictionary(keys, value, { maxKeys: 8, noNullPrototype: true }),
  )
  .map(([type, members]) => deepFreeze({ ...members, type }) as Event)

describe('any frozen event, whatever the product answers to questions, is mapped or refused without an exception', () => {
  for (const definition of builtInDestinations) {
    it(`by ${definition.type}`, () => {
      const all = settingsOf(definition)
      fc.assert(
        fc.property(fc.array(hostileEvent, { minLength: 1, maxLength: 3 }), value, (events, body) => {
          for (const settings of all) {
            const answers = new Map<string, JsonValue | MappingError>()
            const inputs = events.map((event) => ({ event, userKey: 'u', context: { now: 0, answers } }))
            // Each step answers the questions of the one before, with the same hostile reply.
            for (let step = 0; step < 4; step += 1) {
              const batched = batchEvents(definition, inputs, settings)
              JSON.stringify(batched)
              for (const { ask } of batched.asks) {
                const answer = ask.read({ status: 200, headers: {}, body: body as JsonValue })
                if (answer !== undefined) answers.set(ask.key, answer)
              }
              if (batched.asks.length === 0) break
            }
          }
        }),
        { numRuns: 200 },
      )
    })
  }
})

/** Returns the settings of the examples, which cover different configurations. */
function settingsOf(definition: DestinationDefinition): readonly JsonObject[] {
  return definition.examples.flatMap(({ settings }) => {
    const parsed = parseSettings(definition, settings)
    return parsed.ok ? [deepFreeze(parsed.settings)] : []
  })
}

function deepFreeze<T>(given: T): T {
  if (typeof given === 'object' && given !== null && !Object.isFrozen(given)) {
    Object.freeze(given)
    for (const member of Object.values(given)) deepFreeze(member)
  }
  return given
}
