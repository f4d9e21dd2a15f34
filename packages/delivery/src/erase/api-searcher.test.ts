import { createManualClock, createSeededRandom } from '@sluice/core'
import { type DestinationDefinition, intercom, webhook } from '@sluice/destinations'
import { action, json, type SearchRule } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { type Answer, createRecordingTransport, reply } from '../transport/recording-transport.ts'
import { createApiSearcher } from './api-searcher.ts'

const live = new AbortController().signal

function searchWith(
  rule: SearchRule,
  answer: Answer,
  definition: DestinationDefinition = webhook,
  settings: Record<string, string> = {},
) {
  const transport = createRecordingTransport(answer)
  const parts = { transport, clock: createManualClock(), random: createSeededRandom(1) }
  const search = createApiSearcher({ ...parts, definition, rule, settings })
  return { find: (userId: string) => search({ userId }, live), requests: transport.requests }
}

const counting: SearchRule = {
  requests: ({ userId }) =>
    ['a', 'b'].map((list) =>
      json({ method: 'GET', endpoint: `https://api.test/${list}`, headers: {}, body: { id: userId ?? '' } }),
    ),
  respond: ({ status, body }) => {
    const verdict = { outcome: status === 200 ? 'delivered' : 'aborted', status, message: '' } as const
    return { ...verdict, items: [{ ...verdict, message: 'in a list', records: body === 2 ? 2 : undefined }] }
  },
}

describe('searching a user at a destination', () => {
  it('adds up what all requests find', async () => {
    const { find, requests } = searchWith(counting, () => reply(200, '2'))
    expect(await find('kim')).toEqual({ ok: true, count: 4, note: 'in a list, in a list' })
    expect(requests.map(({ endpoint }) => endpoint)).toEqual(['https://api.test/a', 'https://api.test/b'])
  })

  it('is not known when a request fails, or when its reply has no number', async () => {
    const refused = searchWith(counting, ({ endpoint }) => reply(endpoint.endsWith('b') ? 403 : 200, '2'))
    expect(await refused.find('kim')).toEqual({ ok: false, reason: expect.stringContaining('403') })
    const silent = searchWith(counting, () => reply(200, '"none"'))
    expect(await silent.find('kim')).toEqual({ ok: false, reason: 'the destination did not say what it has' })
  })

  it('is not known when the regulation lacks the identifier that the product finds users by', async () => {
    const definition = { ...webhook, deletion: { usersMax: 1, identifier: () => 'email', requests: () => [] } }
    const { find, requests } = searchWith(counting, () => reply(200, '0'), definition)
    expect(await find('kim')).toMatchObject({ ok: false, reason: expect.stringContaining('no email') })
    expect(requests).toEqual([])
  })

  it('is not known when an action fails', async () => {
    const perform = async () => ({ outcome: 'retry', status: 503, message: 'The warehouse is away.' }) as const
    const definition = { ...webhook, action: { perform } }
    const rule = { requests: () => [action({ endpoint: 'action:x/search', body: {} })] }
    expect(await searchWith(rule, () => reply(500), definition).find('kim')).toEqual({
      ok: false,
      reason: 'The warehouse is away.',
    })
  })

  it('counts contacts of Intercom with the userId, and never shows the key', async () => {
    const rule = intercom.deletion?.search
    if (rule === undefined) throw new Error('Intercom cannot be searched')
    const settings = { apiKey: 'pw-key', apiServer: 'standard' }
    const { find, requests } = searchWith(rule, () => reply(200, '{"total_count":1}'), intercom, settings)
    expect(await find('kim')).toEqual({ ok: true, count: 1 })
    const terms = ['external_id', 'id'].map((field) => ({ field, operator: '=', value: 'kim' }))
    expect(requests[0]?.body.JSON).toEqual({ query: { operator: 'OR', value: terms } })
    const refused = searchWith(rule, () => reply(401, 'pw-key is wrong'), intercom, settings)
    const answer = await refused.find('kim')
    expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining('401') })
    expect(JSON.stringify(answer)).not.toContain('pw-key')
  })
})
