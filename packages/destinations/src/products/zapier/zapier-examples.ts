import type { Event } from '@sluice/core'
import { type DestinationExample, json } from '../../kit/index.ts'

const request = (endpoint: string, body: Event) =>
  json({ method: 'POST', endpoint, headers: { 'content-type': 'application/json' }, body })

const order: Event = { type: 'track', event: 'Order Placed', userId: 'u1' }
const home: Event = { type: 'page', name: 'Home' }

const settings = {
  zapUrl: 'https://zap.test/all',
  trackEventsToZap: [{ from: 'order placed', to: ['https://zap.test/a', 'https://zap.test/b'] }],
  pageScreenEventsToZap: [{ from: 'Pricing', to: 'https://zap.test/pricing' }],
}

/** The examples of the Zapier destination. */
export const zapierExamples: readonly DestinationExample[] = [
  {
    title: 'each zap for the name of the event gets it, ignoring case',
    event: order,
    settings,
    requests: [request('https://zap.test/a', order), request('https://zap.test/b', order)],
  },
  {
    title: 'an event without its own zap goes to the default zap',
    event: home,
    settings,
    requests: [request('https://zap.test/all', home)],
  },
]
