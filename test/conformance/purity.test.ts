import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Event, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type BatchInput,
  batchEvents,
  builtInDestinations,
  isAsk,
  mapEvent,
  parseSettings,
  runPurely,
} from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { conformanceFolder, conformanceJson, hasConformance } from '../support/texts/conformance.ts'

interface Job {
  readonly message: Event
  readonly metadata?: { readonly secret?: JsonObject }
  readonly destination: { readonly Config?: unknown }
}

/** The events of every recorded row of a destination, with their settings, row by row. */
function jobsFor(type: string): readonly (readonly Job[])[] {
  const files = readdirSync(resolve(conformanceFolder, 'destinations'))
  return files
    .filter((file) => /\.(processor|router)\.json$/.test(file) && file.startsWith(`${type.toLowerCase()}.`))
    .flatMap((file) => conformanceJson(`destinations/${file}`) as JsonObject[])
    .map((row) => jobsOf(row))
}

function jobsOf({ event, input }: JsonObject): readonly Job[] {
  if (isJsonObject(event)) return [event as unknown as Job]
  const body = isJsonObject(input) ? input['body'] : undefined
  const jobs = isJsonObject(body) ? body['input'] : undefined
  return Array.isArray(jobs) ? (jobs as unknown as Job[]) : []
}

describe.skipIf(!hasConformance)('the recorded events', () => {
  for (const definition of builtInDestinations) {
    const rows = hasConformance ? jobsFor(definition.type) : []
    if (hasConformance && rows.length === 0) continue

    it(`are mapped for ${definition.type} twice with the same result, without being changed`, () => {
      let mapped = 0
      for (const { message, metadata, destination } of deepFrozen(rows.flat())) {
        const parsed = parseSettings(definition, destination.Config ?? {})
        if (!parsed.ok) continue
        const settings = deepFrozen(parsed.settings)
        const context = { now: Date.UTC(2024, 0), tokens: metadata?.secret ? metadata.secret : undefined }
        const map = () => comparable(runPurely(() => mapEvent(definition, message, settings, context)))
        expect(map()).toStrictEqual(map())

        const input: BatchInput = { event: message, userKey: 'u', context }
        const batch = () => {
          const batched = runPurely(() => batchEvents(definition, [input, { ...input, userKey: 'v' }], settings))
          return { ...batched, asks: batched.asks.map(({ index, ask }) => ({ index, ask: comparable(ask) })) }
        }
        expect(batch()).toStrictEqual(batch())
        mapped += 1
      }
      expect(mapped).toBeGreaterThan(0)
    })
  }
})

/** Questions are compared without the function that reads their answer, which is created each time. */
function comparable(mapped: unknown): unknown {
  return isAsk(mapped) ? { ...mapped, read: undefined } : mapped
}

function deepFrozen<T extends JsonValue | object>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFrozen(member)
  }
  return value
}
