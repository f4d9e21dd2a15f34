import { createManualClock, type JsonObject } from '@sluice/core'
import {
  type ActionRule,
  action,
  type DestinationDefinition,
  json,
  query,
  type Verdict,
  webhook,
} from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { previewActions } from './preview-actions.ts'

const live = new AbortController().signal
const delivered: Verdict = { outcome: 'delivered', status: 200, message: '' }
const ask = (path: string) => query({ method: 'GET', endpoint: `https://api.test/${path}` })
const send = action({ endpoint: 'action:segment/shop/send', body: { name: 'Order' } })

function preview(rule: ActionRule, requests = [send], settings: JsonObject = {}) {
  const definition: DestinationDefinition = { ...webhook, action: rule }
  const event = { type: 'track', event: 'Order' }
  return previewActions(requests, event, { definition, settings, clock: createManualClock() }, live)
}

describe('a preview of actions', () => {
  it('shows the requests in order, each answered with status 200 and an empty object', async () => {
    const previews = await preview(
      {
        async perform({ send: request, events, settings }) {
          const found = await request(ask('find'))
          const text = found.kind === 'reply' ? `${found.status} ${found.headers['content-type']} ${found.body}` : ''
          await request(json({ method: 'POST', endpoint: 'https://api.test/send', body: { text, events, settings } }))
          return delivered
        },
      },
      [send],
      { key: 'k' },
    )
    expect(previews).toEqual([
      {
        action: 'action:segment/shop/send',
        requests: [
          ask('find'),
          json({
            method: 'POST',
            endpoint: 'https://api.test/send',
            body: {
              text: '200 application/json {}',
              events: [{ type: 'track', event: 'Order' }],
              settings: { key: 'k' },
            },
          }),
        ],
      },
    ])
  })

  it('shows why an action ended without success, with what it would have sent before', async () => {
    const [shown] = await preview({
      async perform({ send: request }) {
        await request(ask('find'))
        return { outcome: 'aborted', status: 400, message: 'The answer names no list.' }
      },
    })
    expect(shown).toMatchObject({ requests: [ask('find')], error: 'The answer names no list.' })
  })

  it('does not perform an action that opens connections of its own', async () => {
    let performed = 0
    const [shown] = await preview({
      async perform() {
        performed += 1
        return delivered
      },
      hasOwnNetwork: () => true,
    })
    expect(performed).toBe(0)
    expect(shown).toEqual({
      action: 'action:segment/shop/send',
      requests: [],
      error: 'It opens connections of its own, so it is not run without sending.',
    })
  })

  it('previews each action by itself, and leaves out requests that no action carries out', async () => {
    const other = action({ endpoint: 'action:segment/shop/other', body: {} })
    const previews = await preview(
      {
        async perform({ request, send: ask_ }) {
          await ask_(ask(request.endpoint === send.endpoint ? 'a' : 'b'))
          return delivered
        },
      },
      [send, json({ method: 'POST', endpoint: 'https://api.test/plain', body: {} }), other],
    )
    expect(previews.map(({ action: name, requests }) => [name, requests.map(({ endpoint }) => endpoint)])).toEqual([
      [send.endpoint, ['https://api.test/a']],
      [other.endpoint, ['https://api.test/b']],
    ])
  })

  it('shows the newest 50 requests of an action that sends without end', async () => {
    const [shown] = await preview({
      async perform({ send: request }) {
        for (let n = 0; ; n += 1) {
          const result = await request(ask(String(n)))
          if (result.kind !== 'reply') return { outcome: 'aborted', status: 400, message: result.message }
        }
      },
    })
    expect(shown?.requests).toHaveLength(50)
    expect(shown?.error).toContain('at most 200 requests')
  })

  it('shows that an account issues no tokens when its assumed answer has none', async () => {
    const [shown] = await preview({
      perform: async () => delivered,
      account: {
        storedTokens: () => undefined,
        async refresh({ send: request }) {
          await request(ask('token'))
          return undefined
        },
      },
    })
    expect(shown?.requests).toEqual([ask('token')])
    expect(shown?.error).toContain('Its account returned no tokens.')
  })
})
