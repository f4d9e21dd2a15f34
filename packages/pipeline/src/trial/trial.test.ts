import { createManualClock, createSeededRandom, type Destination, type Event, type Workspace } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import {
  ask,
  type DeliveryRequest,
  type DestinationDefinition,
  everyType,
  instrumentationError,
  isKnown,
  json,
  query,
  webhook,
} from '@sluice/destinations'
import { createSandbox } from '@sluice/sandbox'
import { createTransformationPrograms, transformationVersionId } from '@sluice/transformations'
import { afterAll, describe, expect, it } from 'vitest'
import { type TrialStages, tryDestination } from './trial.ts'

const sandbox = await createSandbox({ mode: 'in-process' })
const programs = createTransformationPrograms({ sandbox })
afterAll(() => sandbox.close())

const live = new AbortController().signal
const all: TrialStages = { userTransform: true, destinationTransform: true, send: true }

/** Refuses events named Wrong, and answers with the name of the event. */
const definition: DestinationDefinition = {
  ...webhook,
  supports: everyType,
  requests: ({ event }) =>
    event === 'Wrong'
      ? instrumentationError('Wrong is not wanted\nsecond line')
      : json({ method: 'POST', endpoint: `http://d.test/${event}`, body: {} }),
}

async function tryCode(code: string | undefined, message: Event, stages = all, used = definition) {
  const destination: Destination = {
    id: 'd',
    type: 'WEBHOOK',
    name: 'hook',
    enabled: true,
    settings: {},
    transformation:
      code === undefined ? undefined : { versionId: transformationVersionId(code, []), name: 't', code, libraries: [] },
  }
  const workspace: Workspace = {
    id: 'w',
    name: 'w',
    accessTokens: [],
    sources: [],
    destinations: [destination],
    connections: [],
  }
  const transport = createRecordingTransport(({ endpoint }) =>
    reply(200, endpoint.slice(-1), { 'content-type': 'text/plain' }),
  )
  const parts = { programs, transport, clock: createManualClock(), random: createSeededRandom(1) }
  const trial = { workspace, destination, definition: used, settings: {}, sourceId: 's', message, stages }
  const results = await tryDestination(trial, parts, live)
  return { results, requests: transport.requests }
}

const names = (...list: readonly string[]) =>
  `export const transformEvent = (event) => ${JSON.stringify(list)}.map((name) => ({ ...event, event: name }))`
const message = { type: 'track', event: 'E', userId: 'u', messageId: 'm' }

describe('a trial of a destination', () => {
  it('shows each output with its own requests and replies, also when one between them cannot be mapped', async () => {
    const { results } = await tryCode(names('A', 'Wrong', 'C'), message)
    expect(results).toMatchObject([
      { transformed: { event: 'A' }, requests: [{ endpoint: 'http://d.test/A' }], replies: [{ body: 'A' }] },
      { transformed: { event: 'Wrong' }, requests: { error: 'Wrong is not wanted' } },
      { transformed: { event: 'C' }, requests: [{ endpoint: 'http://d.test/C' }], replies: [{ body: 'C' }] },
    ])
  })

  it('shows only the first line of an error: the others name places in the code', async () => {
    const { results } = await tryCode('export function transformEvent() { throw new Error("one\\ntwo") }', message)
    expect(results).toMatchObject([{ transformed: { error: 'Error: one' } }])
  })

  it('runs no user code when the call leaves that stage out, and maps the event unchanged', async () => {
    const stages = { ...all, userTransform: false }
    const { results, requests } = await tryCode(names('A'), message, stages)
    expect(results).toMatchObject([{ requests: [{ endpoint: 'http://d.test/E' }] }])
    expect(results[0]).not.toHaveProperty('transformed')
    expect(requests).toHaveLength(1)
  })

  it('sends nothing when the call leaves sending out, and shows no reply', async () => {
    const { results, requests } = await tryCode(undefined, message, { ...all, send: false })
    expect(requests).toEqual([])
    expect(results[0]).not.toHaveProperty('replies')
    expect(results).toMatchObject([{ requests: [{ endpoint: 'http://d.test/E' }] }])
  })

  describe('whose mapping asks the product', () => {
    const asking = (changesData: boolean): DestinationDefinition => ({
      ...definition,
      requests(_, __, context) {
        const id = ask(context, {
          key: 'id',
          request: query({ method: 'GET', endpoint: 'http://d.test/7' }),
          read: ({ body }) => body,
          ttlMs: 0,
          changesData: changesData || undefined,
        })
        return isKnown(id) ? json({ method: 'POST', endpoint: `http://d.test/found/${id}`, body: {} }) : id
      },
    })
    const endpointsOf = (requests: readonly DeliveryRequest[]) => requests.map(({ endpoint }) => endpoint)

    it('shows the requests made with the answer, without sending them', async () => {
      const { results, requests } = await tryCode(undefined, message, { ...all, send: false }, asking(false))
      expect(results).toMatchObject([{ requests: [{ endpoint: 'http://d.test/found/7' }] }])
      expect(endpointsOf(requests)).toEqual(['http://d.test/7'])
    })

    it('does not ask what changes data, unless it sends', async () => {
      const preview = await tryCode(undefined, message, { ...all, send: false }, asking(true))
      expect(preview.results).toMatchObject([{ requests: { error: expect.stringContaining('changes data') } }])
      expect(preview.requests).toEqual([])
      const sent = await tryCode(undefined, message, all, asking(true))
      expect(sent.results).toMatchObject([
        { requests: [{ endpoint: 'http://d.test/found/7' }], replies: [{ body: '7' }] },
      ])
      expect(endpointsOf(sent.requests)).toEqual(['http://d.test/7', 'http://d.test/found/7'])
    })
  })

  it('shows nothing of a mapping that the call leaves out', async () => {
    const { results, requests } = await tryCode(names('A', 'B'), message, {
      ...all,
      destinationTransform: false,
      send: false,
    })
    expect(requests).toEqual([])
    expect(results).toEqual([{ transformed: { ...message, event: 'A' } }, { transformed: { ...message, event: 'B' } }])
  })
})
