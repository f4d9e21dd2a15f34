import type { Event, JsonObject } from '@sluice/core'
import { isEventType } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import {
  builtInDestinations,
  createSecretMask,
  type DestinationDefinition,
  isAsk,
  isKnown,
  mapEvent,
  maskSettings,
  parseSettings,
} from '@sluice/destinations'
import fc from 'fast-check'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { sized } from '../support/long.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'
import { plantSecrets } from '../support/texts/plant-secrets.ts'

/** Of replies; after every change, each destination is tried with one of them. */
const statuses = [200, 400, 503]
const withSecrets = builtInDestinations.filter(({ secrets }) => secrets.length > 0)

/**
 * Keys, tokens and passwords: printable, without spaces. A mark at both ends, so that no part of one is found by
 * chance.
 */
const anySecret = fc.stringMatching(/^[!-~]{1,20}$/).map((text) => `Zq7${text}7qZ`)

function completeSettings(definition: DestinationDefinition, settings: JsonObject): JsonObject {
  const parsed = parseSettings(definition, settings)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

interface Maker {
  readonly settings: JsonObject
  make(settings: JsonObject): ReturnType<typeof mapEvent>
}

/** Inputs that produce requests from settings: the examples of events and of deletions. */
function makersOf(definition: DestinationDefinition): readonly Maker[] {
  const { examples, deletion } = definition
  const context = { now: 0, requestId: '00000000-0000-4000-8000-000000000000' }
  const deletions = (deletion?.examples ?? []).flatMap(({ users, settings }): readonly Maker[] =>
    deletion ? [{ settings, make: (planted) => deletion.requests(users, planted, context) }] : [],
  )
  const events = examples.map(
    ({ event, settings, now = 0 }): Maker => ({
      settings,
      make: (planted) => mapEvent(definition, event, planted, { now }),
    }),
  )
  return [...events, ...deletions]
}

describe('a secret in any place of the settings', () => {
  for (const [index, definition] of withSecrets.entries()) {
    it(`of ${definition.type} is not shown in settings, nor in the requests that use them`, () => {
      fc.assert(
        fc.property(anySecret, fc.constantFrom(...makersOf(definition)), (secret, { settings, make }) => {
          const planted = completeSettings(definition, plantSecrets(definition, settings, secret))
          const mask = createSecretMask(definition, planted)
          const mapped = make(planted)
          const shown = [
            maskSettings(definition, planted),
            isKnown(mapped) ? mapped.map(mask.request) : isAsk(mapped) ? mask.request(mapped.request) : mapped.message,
            mask.value({ echo: JSON.stringify(mapped) }),
          ]
          expect(JSON.stringify(planted)).toContain('Zq7')
          expect(JSON.stringify(shown)).not.toContain('Zq7')
        }),
        { numRuns: sized(20, 100) },
      )
    })

    it(`of ${definition.type} is not shown in messages about wrong settings`, async () => {
      const [example] = definition.examples
      const wrong = [{ inside: 'Zq7' }, ['Zq7'], [{ inside: { to: 'Zq7' } }]].map((value) =>
        plantSecrets(definition, example?.settings ?? {}, value),
      )
      const inPlaceOfParents = Object.fromEntries(
        definition.secrets.map((path) => [path.split('.')[0], 'Zq7'.repeat(9)]),
      )
      for (const settings of [...wrong, { ...example?.settings, ...inPlaceOfParents, connectionMode: 'Zq7' }, 'Zq7']) {
        const workspace = workspaceOf(definition, settings as JsonObject)
        const started = await createSluice({
          workspace: uncheckedWorkspace(workspace),
          sandbox: { mode: 'in-process' },
        }).catch((error: Error) => error)
        if (started instanceof Error) expect(started.message).not.toContain('Zq7')
        else await started.stop()
      }
    })

    // Nothing is sent to a destination that accepts no events.
    if (definition.supports.length === 0) continue
    it(`of ${definition.type} is shown by no API, whatever the destination replies`, async () => {
      for (const status of sized(statuses.slice(index % 3, (index % 3) + 1), statuses))
        await expectNothingShown(definition, status)
    })
  }
})

/** Runs an example through the whole engine, with a destination that repeats in its reply everything it receives. */
async function expectNothingShown(definition: DestinationDefinition, status: number): Promise<void> {
  const secret = 'Zq7-s3cr3t/with=signs-7qZ'
  const example = definition.examples.find((each) => 'requests' in each && each.requests.length > 0)
  const { event = {}, settings = {} } = example ?? {}
  const transport = createRecordingTransport((request) =>
    reply(status, JSON.stringify({ error: request, errors: [request] })),
  )
  const reported: unknown[] = []
  const sluice = await createSluice({
    workspace: uncheckedWorkspace(workspaceOf(definition, plantSecrets(definition, settings, secret))),
    transport,
    sandbox: { mode: 'in-process' },
    clock: createHastyClock(),
    retries: { windowMs: 0, attemptsMin: 1 },
    onError: (error) => reported.push(error instanceof Error ? `${error.message} ${error.stack}` : error),
    onConflict: (text) => reported.push(text),
  })
  try {
    const api = await createApiClient(sluice, basic('me@shop.test', 'token'))
    const message: Event = { messageId: 'm1', userId: 'u1', ...event, timestamp: new Date().toISOString() }
    expect(await sluice.ingest('key', [message])).toMatchObject({ ok: true })
    await sluice.settled()
    const stage = { user_transform: true, dest_transform: true, send_to_destination: true }
    const trial = await api.post('/v0/testDestination/d', { stage, message })
    const wrong = { message, stage, destinationConfig: plantSecrets(definition, settings, { secret }) }
    const shown = [
      trial,
      await api.post('/v0/testDestination/d', wrong),
      await api.get('/v2/destinations'),
      await api.get('/v2/dead-letters'),
      await api.get('/destination-definitions'),
      await sluice.receipts('m1'),
      await sluice.stats(),
      reported,
    ]
    // Rows of warehouses have types that the Test API does not take.
    const isTestable = definition.isTestable !== false && isEventType(message['type'])
    expect(trial.status).toBe(isTestable ? 200 : 400)
    expect(JSON.stringify(transport.requests).length).toBeGreaterThan(2)
    expect(JSON.stringify(shown)).not.toMatch(/Zq7|s3cr3t|7qZ/)
  } finally {
    await sluice.stop()
  }
}

function workspaceOf({ type }: DestinationDefinition, settings: JsonObject) {
  return {
    id: 'w',
    accessTokens: [{ name: 'ci', token: hashOf('token') }],
    sources: [{ id: 's', writeKey: 'key' }],
    destinations: [{ id: 'd', type, settings }],
    connections: [{ source: 's', destination: 'd' }],
  }
}
