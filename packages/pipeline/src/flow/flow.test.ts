import { drop, fail, type Outcome, pass, type SourcedEvent, type Stage, systemClock, systemRandom } from '@sluice/core'
import { json, type MappedEvent } from '@sluice/destinations/kit'
import { type SuppressStage, suppressedReason } from '@sluice/regulation'
import { createObserveStage } from '@sluice/schema'
import { describe, expect, it } from 'vitest'
import type { DestinationPath } from './destination-path.ts'
import { type Flow, processBatch } from './flow.ts'

const item = (name: string, userId = 'u1'): SourcedEvent => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  event: { type: 'track', event: name, userId, messageId: name },
})

/** Outcomes by event name; whatever is not named passes. */
function stageOf(outcomes: Record<string, (event: SourcedEvent) => Outcome<SourcedEvent>>): Stage<SourcedEvent> {
  return {
    name: 'transform',
    run: async (batch) => batch.map((each) => outcomes[String(each.event['event'])]?.(each) ?? pass(each)),
  }
}

const mapAll: Stage<SourcedEvent, MappedEvent> = {
  name: 'map',
  run: async (batch) =>
    batch.map(({ event }) =>
      pass({
        event,
        requests: [json({ method: 'POST', endpoint: 'http://x.test', body: event })],
        userKey: 'u',
        messageId: String(event.messageId),
      }),
    ),
}

const refusal = { code: 'deliver.refused', message: 'no' } as const
const refused = fail(refusal)
const sendAll: DestinationPath['send'] = async (batch, { settled }) => {
  for (const [index, { messageId }] of batch.entries())
    settled(index, messageId.endsWith('!') ? refused : pass({ kind: 'delivered', status: 200, attempts: 1 }))
}

const suppress: SuppressStage = {
  name: 'suppress',
  mayStop: () => true,
  position: 0,
  run: async (batch) => batch.map((each) => (each.event['userId'] === 'gone' ? drop(suppressedReason) : pass(each))),
}

function flowOf(...destinations: readonly Partial<DestinationPath>[]): Flow {
  return {
    suppress,
    beforeLog: [],
    observe: createObserveStage({ clock: systemClock, random: systemRandom }),
    destinations: destinations.map((line, i) => ({
      destinationId: `d${i}`,
      before: [],
      map: mapAll,
      send: sendAll,
      ...line,
    })),
  }
}

describe('the flow', () => {
  it('settles each event once per destination: failed outweighs delivered, delivered outweighs dropped', async () => {
    const line = {
      before: [
        stageOf({
          gone: () => drop('not wanted'),
          bad: () => fail({ code: 'transform.threw', message: 'Error: bad' }),
          both: (each) => pass(each, item('both!')),
          twice: (each) => pass(each, each),
        }),
        stageOf({ 'both!': (each) => pass(each) }),
      ],
    }
    const { destinations } = await processBatch(
      flowOf(line),
      ['plain', 'gone', 'bad', 'both', 'twice'].map((name) => item(name)),
    )
    const rest = { deferrals: [], failed: [] }
    expect(destinations.get('d0')).toEqual([
      { ...rest, index: 0, outcome: 'delivered', stage: 'deliver', outputs: 1 },
      { ...rest, index: 1, outcome: 'dropped', stage: 'transform', outputs: 0, ending: drop('not wanted') },
      {
        ...rest,
        index: 2,
        outcome: 'failed',
        stage: 'transform',
        outputs: 0,
        ending: fail({ code: 'transform.threw', message: 'Error: bad' }),
      },
      {
        ...rest,
        index: 3,
        outcome: 'failed',
        stage: 'deliver',
        outputs: 1,
        ending: refused,
        failed: [{ event: item('both!').event, stage: 'deliver', error: refusal }],
      },
      { ...rest, index: 4, outcome: 'delivered', stage: 'deliver', outputs: 2 },
    ])
  })

  it('keeps a broken destination from touching its neighbour', async () => {
    const broken: Stage<SourcedEvent> = {
      name: 'broken',
      run: () => Promise.reject(new Error('bug')),
    }
    const { destinations } = await processBatch(flowOf({ before: [broken] }, {}), [item('a')])
    expect([...destinations.values()].map(([result]) => result?.outcome)).toEqual(['failed', 'delivered'])
  })

  it('lets no stage see a suppressed event', async () => {
    const flow = flowOf({})
    const { received, suppressed, destinations } = await processBatch(flow, [item('a', 'gone'), item('b')])
    expect([received, suppressed, destinations.get('d0')?.map(({ index }) => index)]).toEqual([2, 1, [1]])
    expect(flow.observe.take().versions.map(({ eventIdentifier }) => eventIdentifier)).toEqual(['b'])
  })

  it('lets nothing through, and calls nothing suppressed, when suppression or observation is broken: the reason is kept', async () => {
    const reason = new Error('the database is gone')
    const broken = () => Promise.reject(reason)
    const flow = flowOf({})
    for (const changed of [
      { ...flow, suppress: { ...flow.suppress, run: broken } },
      { ...flow, observe: { ...flow.observe, run: broken } },
    ])
      await expect(processBatch(changed, [item('a')])).rejects.toBe(reason)
  })

  it('does not type-check without suppression or observation', () => {
    const { suppress, beforeLog, observe, destinations } = flowOf({})
    // @ts-expect-error a flow needs an observe stage
    const unobserved: Flow = { suppress, beforeLog, destinations }
    // @ts-expect-error a flow needs a suppress stage
    const unsuppressed: Flow = { beforeLog, observe, destinations }
    // @ts-expect-error just any stage will not do
    const pretended: Flow = { suppress: { ...suppress, name: 'pass-all' }, beforeLog, observe, destinations }
    expect([unobserved, unsuppressed, pretended]).toHaveLength(3)
  })
})
