import assert from 'node:assert/strict'
import { type SourcedEvent, systemClock, systemRandom } from '@sluice/core'
import { createDeliverStage, type Transport } from '@sluice/delivery'
import { createDestinationTransformStage, webhook } from '@sluice/destinations'
import {
  createSuppressionRecheck,
  type DestinationPath,
  type Flow,
  processBatch,
  type SourcedRequest,
} from '@sluice/pipeline'
import { createSuppressionIndex, createSuppressStage } from '@sluice/regulation'
import { createSandbox } from '@sluice/sandbox'
import { createObserveStage } from '@sluice/schema'
import { createMemoryStore } from '@sluice/storage'
import {
  createTransformationPrograms,
  createUserTransformStage,
  transformationVersionId,
} from '@sluice/transformations'
import type { OpenCase } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'

export const batchSize = 200
export const light = `export function transformEvent(event) {
  if (event.event === 'Debug Ping') return null
  event.properties.seen = true
  event.context.traits = undefined
  return event
}`
export const settings = { webhookUrl: 'http://null.test/', webhookMethod: 'POST' as const, headers: [] }
/** Takes everything at once. */
export const nullTransport: Transport = { send: async () => ({ kind: 'reply', status: 200, headers: {}, body: '' }) }

/** The flow from parsed events to requests handed to a transport, by default one that goes nowhere. */
export async function flowCase(
  { events }: Corpus,
  { code, transport = nullTransport }: { readonly code?: string; readonly transport?: Transport } = {},
): Promise<OpenCase> {
  const sandbox = await createSandbox()
  const { regulations } = createMemoryStore({ clock: systemClock, random: systemRandom })
  const index = createSuppressionIndex({ store: regulations, clock: systemClock, random: systemRandom })
  await index.catchUp()
  const suppress = createSuppressStage(index)
  const programs = createTransformationPrograms({ sandbox })
  const transformation = { versionId: transformationVersionId(light, []), name: 'light', code: light, libraries: [] }
  const destination = { id: 'hook', name: 'hook', type: webhook.type }
  const path: DestinationPath = {
    destinationId: 'hook',
    ...(code === undefined ? {} : { userTransform: createUserTransformStage({ programs, transformation }) }),
    destinationTransform: createDestinationTransformStage({
      definition: webhook,
      settings,
      destination,
      clock: systemClock,
    }),
    deliver: createDeliverStage<SourcedRequest>({
      transport,
      clock: systemClock,
      random: systemRandom,
      destination: { definition: webhook, settings },
      reasonsToDrop: createSuppressionRecheck({ suppress, clock: systemClock }),
    }),
  }
  const flow: Flow = {
    suppress,
    beforeLog: [],
    observe: createObserveStage({ clock: systemClock, random: systemRandom }),
    destinations: [path],
  }
  const batch = events.slice(0, batchSize).map(
    (event): SourcedEvent => ({
      workspaceId: 'w',
      sourceId: 's',
      writeKey: 'k',
      event,
    }),
  )
  return {
    events: batch.length,
    check: async () => {
      const results = (await processBatch(flow, batch)).destinations.get('hook') ?? []
      assert.equal(results.length, batch.length)
      assert.equal(results.filter(({ outcome }) => outcome === 'failed').length, 0)
      assert.equal(
        flow.observe.take().versions.reduce((sum, { count }) => sum + count, 0),
        batch.length,
      )
    },
    run: async () => {
      await processBatch(flow, batch)
      flow.observe.take()
    },
    close: async () => {
      await programs.close()
      await sandbox.close()
    },
  }
}
