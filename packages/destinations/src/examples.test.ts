import { describe, expect, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { mapEvent } from './map-event.ts'
import { parseSettings } from './parse-settings.ts'

for (const definition of builtInDestinations) {
  describe(`examples of ${definition.type}`, () => {
    it('exist', () => expect(definition.examples).not.toEqual([]))

    for (const example of definition.examples) {
      it(example.title, () => {
        const parsed = parseSettings(definition, example.settings)
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
        const event = deepFreeze(structuredClone(example.event))
        const settings = deepFreeze(parsed.settings)
        const want = 'error' in example ? example.error : example.requests
        // Twice: a mapping that keeps state between events would answer differently.
        for (let time = 0; time < 2; time += 1) {
          const { now = Date.UTC(2024, 0), sourceId } = example
          const context = { now, ...(sourceId === undefined ? {} : { sourceId }) }
          expect(withoutImpurity(() => mapEvent(definition, event, settings, context))).toStrictEqual(want)
        }
      })
    }
  })
}

describe('the trap', () => {
  const impurities: readonly (() => unknown)[] = [
    () => Date.now(),
    () => new Date(),
    () => Math.random(),
    () => fetch('http://hook.test'),
  ]
  for (const impure of impurities) {
    it(`catches ${impure.toString().slice(6)}`, () => expect(() => withoutImpurity(impure)).toThrow('not pure'))
  }
})

/** Runs with the clock, randomness and network of the platform set to throw. */
function withoutImpurity<T>(run: () => T): T {
  const { Date: realDate, fetch: realFetch } = globalThis
  const realRandom = Math.random
  const refuse = (): never => {
    throw new Error('not pure: a mapping reads no clock, randomness or network')
  }
  // Dates given by the event may be parsed; asking for the present may not.
  globalThis.Date = new Proxy(realDate, {
    construct: (target, args) => (args.length === 0 ? refuse() : Reflect.construct(target, args)),
    apply: refuse,
    get: (target, key) => (key === 'now' ? refuse : Reflect.get(target, key)),
  })
  globalThis.fetch = refuse
  Math.random = refuse
  try {
    return run()
  } finally {
    globalThis.Date = realDate
    globalThis.fetch = realFetch
    Math.random = realRandom
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}
