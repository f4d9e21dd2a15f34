import { setTimeout } from 'node:timers/promises'
import type { Sluice } from '../../../sluice.ts'
import { readServerEvents } from '../read-server-events.ts'
import type { AdminCredentials } from '../serve/listen/serve-ports.ts'
import type { TapLine } from '../tap/tap-line.ts'
import type { DevEntry } from './dev-entry.ts'

/** Most events that are shown in a second; more could not be read, and are counted. */
const perSecond = 20

/** Shows what happens to events, until the taps of the pipeline end. */
export async function watchEvents(
  sluice: Sluice,
  { user, password }: AdminCredentials,
  show: (entry: DevEntry) => void,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const request = new Request(`http://localhost/v1/tap?perSecond=${perSecond}`, { headers: { authorization } })
  const { body } = await sluice.areas.tap.fetch(request)
  if (body === null) return
  for await (const { name, data } of readServerEvents(body)) {
    if (name === 'leftOut') show({ kind: 'eventsLeftOut', count: JSON.parse(data).count })
    if (name !== 'entry') continue
    const line = JSON.parse(data) as TapLine
    show({ kind: 'event', ...line, ...(line.outcome === 'failed' ? await ownReason(sluice, line) : {}) })
  }
}

/** Times to look for the receipt of a failure, which is stored about when the failure is shown. */
const looksMax = 5
const lookMs = 20

/**
 * Returns the reason of a failure in its own words, such as the error that user code threw. The tap names only the kind of
 * failure, because the words may contain data of the event; here they are those of the developer.
 */
async function ownReason(
  sluice: Sluice,
  { messageId, destinationId, at }: TapLine,
): Promise<{ readonly reason?: string }> {
  const since = Date.parse(at)
  for (let look = 0; look < looksMax; look += 1) {
    const receipts = await sluice.receipts(messageId)
    const own = receipts.find(
      (each) => each.destinationId === destinationId && each.outcome === 'failed' && each.at >= since,
    )
    if (own?.reason !== undefined) return { reason: own.reason.split('\n', 1)[0] ?? '' }
    await setTimeout(lookMs)
  }
  return {}
}
