// Runs in Node, Deno, Bun, workerd and pages alike: takes random events through the flow and returns what became of them.
import { createManualClock, createSeededRandom } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery/flow'
import { builtInDestinations, createDestinationRegistry, parseSettings } from '@sluice/destinations'
import { buildFlow, processBatch } from '@sluice/pipeline/flow'
import { createSuppressionIndex, createSuppressStage } from '@sluice/regulation'
import { createSandbox } from '@sluice/sandbox'
import { createObservers } from '@sluice/schema'
import { createTransformationPrograms } from '@sluice/transformations'
import { createMemoryRegulationStore } from '../../packages/storage/dist/memory/governance/memory-regulation-store.js'

const destinations = createDestinationRegistry(builtInDestinations)
const stackBytes = 32 * 1024

/**
 * @param cases each with `code`, `trackingPlan`, `events` and `suppressed`, the ids of users; see `flow-cases.ts`.
 * @returns for each case what was dropped, failed, sent and observed, as JSON.
 */
export async function flowTrial(cases, options = {}) {
  const clock = createManualClock()
  const random = createSeededRandom(1)
  const sandbox = await createSandbox({ mode: 'in-process', limits: { stackBytes }, clock, random, ...options })
  const programs = createTransformationPrograms({ sandbox })
  const results = []
  for (const each of cases) results.push(await trial(each, programs, clock).catch(String))
  await sandbox.close()
  return JSON.parse(JSON.stringify(results))
}

async function trial({ code, trackingPlan, events, suppressed }, programs, clock) {
  const random = createSeededRandom(1)
  const store = createMemoryRegulationStore(() => {}, clock)
  await store.add(suppressed.map(regulation))
  const index = createSuppressionIndex({ store, clock, random })
  await index.catchUp()
  const transport = createRecordingTransport()
  const log = []
  const flow = await buildFlow(workspace({ code, trackingPlan }), {
    suppress: createSuppressStage(index),
    destinations,
    programs,
    transport,
    clock,
    random,
    observers: createObservers({ clock, random }),
    onCodeLog: (_, lines) => log.push(...lines),
  })
  const batch = events.map((event) => ({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event }))
  const violations = batch.map((item) => flow.violations?.(item) ?? null)
  const report = await processBatch(flow, batch)
  // Destinations do not wait for each other.
  const requests = transport.requests.toSorted((a, b) => (hostOf(a) < hostOf(b) ? -1 : Number(hostOf(a) > hostOf(b))))
  return { ...report, destinations: [...report.destinations], requests, log, violations, observed: flow.observe.take() }
}

const hostOf = ({ endpoint }) => new URL(endpoint).host

function workspace({ code, trackingPlan }) {
  const transformation = { versionId: code, name: 'Random', code, libraries: [] }
  const of = (id, type, given, more = {}) => {
    const { settings } = parseSettings(destinations.get(type), given)
    return { id, name: id, type, enabled: true, settings, ...more }
  }
  return {
    id: 'w',
    name: 'Random',
    sources: [{ id: 's', name: 'Web', writeKey: 'k', enabled: true, trackingPlan }],
    destinations: [
      of('hook', 'WEBHOOK', { webhookUrl: 'https://hook.test/in' }, { transformation }),
      of('mixpanel', 'MP', { token: 't', apiSecret: 's' }),
    ],
    connections: ['hook', 'mixpanel'].map((destinationId) => ({ sourceId: 's', destinationId })),
    accessTokens: [],
  }
}

function regulation(userId, place) {
  return {
    id: `00000000-0000-7000-8000-00000000000${place}`,
    workspaceId: 'w',
    canceled: false,
    regulationType: 'suppress',
    attributes: { userId },
    sourceIds: [],
    destinationIds: [],
    createdAt: '2026-01-01T00:00:00.000Z',
  }
}
