import assert from 'node:assert/strict'
import { type JsonObject, type SourcedEvent, systemClock, systemRandom } from '@sluice/core'
import { createSend, type Transport } from '@sluice/delivery'
import { createDestinationTransformStage, type DestinationDefinition, webhook } from '@sluice/destinations'
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
import type { OpenCase } from './bench-case.ts'
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

/** A destination with complete settings. */
export interface FlowTarget {
  readonly definition: DestinationDefinition
  readonly settings: JsonObject
}

export interface FlowCaseOptions {
  readonly code?: string
  readonly transport?: Transport
  readonly targets?: readonly FlowTarget[]
}

/** The flow from parsed events to requests handed to a transport, by default one that goes nowhere. */
export async function flowCase(
  { events }: Corpus,
  { code, transport = nullTransport, targets = [{ definition: webhook, settings }] }: FlowCaseOptions = {},
): Promise<OpenCase> {
  const sandbox = await createSandbox()
  const { regulations } = createMemoryStore({ clock: systemClock, random: systemRandom })
  const index = createSuppressionIndex({ store: regulations, clock: systemClock, random: systemRandom })
  await index.catchUp()
  const suppress = createSuppressStage(index)
  const programs = createTransformationPrograms({ sandbox })
  const transformation = { versionId: transformationVersionId(light, []), name: 'light', code: light, libraries: [] }
  const paths = targets.map((target, place): DestinationPath => {
    const id = `target-${place}`
    return {
      destinationId: id,
      before: code === undefined ? [] : [createUserTransformStage({ programs, transformation })],
      map: createDestinationTransformStage({
        ...target,
        destination: { id, name: id, type: target.definition.type },
        clock: systemClock,
      }),
      send: createSend<SourcedRequest>({
        transport,
        clock: systemClock,
        random: systemRandom,
        destination: target,
        ...createSuppressionRecheck({ suppress, clock: systemClock }),
      }),
    }
  })
  const flow: Flow = {
    suppress,
    beforeLog: [],
    observe: createObserveStage({ clock: systemClock, random: systemRandom }),
    destinations: paths,
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
      const { destinations } = await processBatch(flow, batch)
      for (const { destinationId } of paths) {
        const results = destinations.get(destinationId) ?? []
        assert.equal(results.length, batch.length)
        assert.equal(results.filter(({ outcome }) => outcome === 'failed').length, 0, destinationId)
      }
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
