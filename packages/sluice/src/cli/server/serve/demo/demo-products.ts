import type { Clock } from '@sluice/core'
import { type Reply, reply, type Transport } from '@sluice/delivery'
import type { Chance } from './chance.ts'

/** What a product of the demonstration needs for an answer, at least and on average, in milliseconds. */
const answerMs: Readonly<Record<string, readonly [number, number]>> = {
  'analytics.invalid': [40, 90],
  'orders.invalid': [15, 35],
  'api.hubapi.com': [180, 420],
}
const properties = ['email', 'firstname', 'lastname', 'phone', 'plan'].map((name) => ({
  name,
  type: 'string',
  hasUniqueValue: name === 'email',
}))

/** All products of the demonstration. */
interface DemoProducts extends Transport {
  /** Whether a request waits for its answer. */
  isBusy(): boolean
}

/**
 * Answers in the place of all products, so that nothing of the demonstration leaves the process.
 * @param isCrmDown whether the CRM answers 503 to everything.
 */
export function createDemoProducts(clock: Clock, chance: Chance, isCrmDown: () => boolean): DemoProducts {
  let asked = 0
  return {
    isBusy: () => asked > 0,
    send: async (request, { signal }) => {
      const { hostname: host } = new URL(request.endpoint)
      const [least, mean] = answerMs[host] ?? [5, 10]
      // Few answers take long, as everywhere.
      asked += 1
      await clock.sleep(least - (mean - least) * Math.log(1 - chance()), signal).finally(() => {
        asked -= 1
      })
      signal.throwIfAborted()
      const text = JSON.stringify(request.body)
      if (host === 'api.hubapi.com') return isCrmDown() ? reply(503, 'upstream connect error') : crm(request, text)
      if (host === 'orders.invalid' && !text.includes('currency'))
        return reply(422, '{"error":"an order needs a currency"}')
      return reply(200, '{"status":"Ok"}')
    },
  }
}

function crm({ endpoint }: { readonly endpoint: string }, text: string): Reply {
  if (endpoint.includes('/properties/v1/')) return reply(200, JSON.stringify(properties))
  if (endpoint.includes('/crm/v3/properties/')) return reply(200, JSON.stringify({ results: properties }))
  if (text.includes('n/a'))
    return reply(
      400,
      '{"status":"error","message":"Property values were not valid: phone","category":"VALIDATION_ERROR"}',
    )
  return reply(endpoint.includes('/events/') ? 204 : 200, '')
}
