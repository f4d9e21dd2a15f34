// Changes the configuration of a store again and again, three parts at a time, until it is killed. Prints a line for
// each change that was acknowledged.
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'

const [path, round] = process.argv.slice(2)
const store = await openSqliteStore({ path, clock: systemClock, random: systemRandom })
const sluice = await createSluice({ workspace: { id: 'shop', sources: [], destinations: [], connections: [] }, store })
for (let index = 0; index < 1_000; index += 1) {
  const id = `r${round}-${index}`
  const settings = { webhookUrl: 'http://hook.test/in' }
  const changed = await sluice.configuration.change('shop', [
    { action: 'create', kind: 'source', id, body: {} },
    { action: 'create', kind: 'destination', id, body: { type: 'WEBHOOK', settings } },
    { action: 'create', kind: 'connection', id, body: { source: id, destination: id } },
  ])
  if (!changed.ok) throw new Error(changed.error.message)
  process.stdout.write(`${id}\n`)
}
