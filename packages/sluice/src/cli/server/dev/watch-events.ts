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
    if (name === 'entry') show({ kind: 'event', ...(JSON.parse(data) as TapLine) })
  }
}
