import { sha256 } from '@sluice/hash'
import { toCents } from 'money'

interface Order {
  email?: string
  total?: number
  currency?: string
}

/** Keeps orders of customers: test orders are dropped, e-mail addresses hashed, totals put in cents. */
export function transformEvent(event: TrackEvent<Order>): TrackEvent | null {
  const { email, total, currency, ...properties } = event.properties ?? {}
  if (email?.endsWith('@example.com')) return null
  if (total === undefined || currency === undefined) {
    log('an order without total or currency', event.messageId)
    throw new Error('an order needs total and currency')
  }
  return {
    ...event,
    properties: {
      ...properties,
      currency,
      cents: toCents(total, currency),
      emailHash: email ? sha256(email) : undefined,
    },
  }
}
