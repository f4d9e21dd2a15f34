import { createManualClock } from '@sluice/core'
import { configurationError, type DestinationReply, json, oauth2, query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { type Answer, createRecordingTransport, reply } from '../../transport/recording-transport.ts'
import { createExchange } from '../create-exchange.ts'

const live = new AbortController().signal
const request = json({ method: 'POST', endpoint: 'https://ads.test/jobs', body: { rows: [1] } })
const step = (name: string) => query({ method: 'POST', endpoint: `https://ads.test/jobs:${name}` })

/** Creates a job, adds to it and runs it; cannot continue without the id of the job. */
function nextCall(_: unknown, replies: readonly DestinationReply[]) {
  const [created] = replies
  if (created && created.body !== 'job-1') return configurationError('there is no job')
  return ['create', 'add', 'run'].map(step)[replies.length]
}

async function send(answer: Answer, more: object = {}) {
  const transport = createRecordingTransport(answer)
  const exchange = createExchange({
    definition: { nextCall, ...more },
    settings: { id: 'id', secret: 'secret' },
    transport,
    lookupTransport: transport,
    clock: createManualClock(),
    timeMs: 1_000,
  })
  const { judgement } = await exchange(request, { signal: live }, [])
  return { judgement, calls: transport.requests.map(({ endpoint }) => endpoint.replace('https://ads.test/', '')) }
}

describe('a request that takes several calls', () => {
  it('is delivered when all calls succeed, in their order', async () => {
    const { judgement, calls } = await send(() => reply(200, 'job-1'))
    expect(judgement).toMatchObject({ outcome: 'delivered', status: 200 })
    expect(calls).toEqual(['jobs:create', 'jobs:add', 'jobs:run'])
  })

  it('ends with the first call that fails, whose reply decides', async () => {
    const { judgement, calls } = await send(({ endpoint }) => reply(endpoint.endsWith('add') ? 503 : 200, 'job-1'))
    expect(judgement).toMatchObject({ outcome: 'retry', status: 503 })
    expect(calls).toEqual(['jobs:create', 'jobs:add'])
  })

  it('is refused when the definition cannot continue', async () => {
    const { judgement, calls } = await send(() => reply(200, 'nothing'))
    expect(judgement).toMatchObject({ outcome: 'aborted', cause: 'there is no job.' })
    expect(calls).toEqual(['jobs:create'])
  })

  it('is refused when the definition makes no call, or calls without end', async () => {
    const none = await send(() => reply(200), { nextCall: () => undefined })
    expect(none.judgement).toMatchObject({ outcome: 'aborted', cause: expect.stringContaining('has a bug') })
    const endless = await send(() => reply(200), { nextCall: () => step('again') })
    expect(endless.judgement).toMatchObject({ outcome: 'aborted', cause: expect.stringContaining('has a bug') })
    expect(endless.calls.length).toBeLessThan(20)
  })

  it('has tokens of the account in each call', async () => {
    const account = oauth2({
      tokenEndpoint: 'https://ads.test/token',
      grant: 'client_credentials',
      settings: { clientId: 'id', clientSecret: 'secret' },
    })
    const authorized: unknown[] = []
    await send(
      ({ endpoint, headers }) => {
        authorized.push(headers['Authorization'])
        return endpoint.endsWith('token') ? reply(200, '{"access_token":"t"}') : reply(200, 'job-1')
      },
      { account },
    )
    expect(authorized).toEqual([undefined, 'Bearer t', 'Bearer t', 'Bearer t'])
  })
})
