import { describe, expect, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { mapEvent } from './kit/map/map-event.ts'
import { runPurely } from './kit/map/run-purely.ts'
import { parseSettings } from './kit/settings/parse-settings.ts'

for (const definition of builtInDestinations) {
  describe(`examples of ${definition.type}`, () => {
    it('exist if events are accepted', () => {
      expect(definition.examples.length > 0).toBe(definition.supports.length > 0)
    })

    for (const example of definition.examples) {
      it(example.title, () => {
        const parsed = parseSettings(definition, example.settings)
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
        const event = deepFreeze(structuredClone(example.event))
        const settings = deepFreeze(parsed.settings)
        const want = 'error' in example ? example.error : example.requests
        // Run it twice: a mapping that keeps state between events would give different results.
        for (let time = 0; time < 2; time += 1) {
          const { now = Date.UTC(2024, 0), sourceId, connection } = example
          const context = {
            now,
            answers: new Map(Object.entries(example.answers ?? {})),
            sourceId,
            connection,
          }
          expect(runPurely(() => mapEvent(definition, event, settings, context))).toStrictEqual(want)
        }
      })
    }
  })
}

for (const definition of builtInDestinations) {
  const { type, mappings, examples } = definition
  if (mappings === undefined) continue
  it(`overrides in the settings of ${type} reach its requests`, () => {
    const bodies = examples.flatMap((example) => {
      const overrides = [{ to: 'overriddenField', from: ['type', 'product_id', 'name', 'price'] }]
      const parsed = parseSettings(definition, { ...example.settings, overrides })
      const answers = new Map(Object.entries(example.answers ?? {}))
      const { now = Date.UTC(2024, 0) } = example
      return parsed.ok ? JSON.stringify(mapEvent(definition, example.event, parsed.settings, { now, answers })) : []
    })
    expect(bodies.filter((body) => body.includes('overriddenField'))).not.toEqual([])
  })
}

for (const { type, deletion, ...definition } of builtInDestinations) {
  if (!deletion) continue
  const { examples = [] } = deletion
  describe(`examples of deletion at ${type}`, () => {
    it('exist', () => expect(examples).not.toEqual([]))

    for (const example of examples) {
      it(example.title, () => {
        const parsed = parseSettings({ type, ...definition }, example.settings)
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
        const users = deepFreeze(structuredClone(example.users))
        const settings = deepFreeze(parsed.settings)
        const { context = { now: Date.UTC(2024, 0), requestId: '00000000-0000-4000-8000-000000000000' } } = example
        const want = 'error' in example ? example.error : example.requests
        for (let time = 0; time < 2; time += 1) {
          expect(runPurely(() => deletion.requests(users, settings, context))).toStrictEqual(want)
        }
      })
    }
  })
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}
