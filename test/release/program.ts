/** A program that takes one event through a pipeline, written for `import` or `require`. Prints `delivered`. */
export const program = (load: string): string => `${load}
async function main() {
  const sources = [{ id: 'web', writeKey: 'k' }]
  const destinations = [{ id: 'out', type: 'CONSOLE', settings: {} }]
  const connections = [{ source: 'web', destination: 'out' }]
  const sluice = await createSluice({ workspace: { id: 'w', sources, destinations, connections } })
  const result = await sluice.ingest('k', [{ type: 'track', userId: 'u', event: 'E', messageId: 'm' }])
  if (!result.ok) throw new Error(result.message)
  await sluice.settled()
  console.log((await sluice.receipts('m'))[0].outcome)
  await sluice.stop()
}
main().catch((error) => { console.error(error); process.exitCode = 1 })
`
export const importing = "import { createSluice } from 'sluice'"
export const requiring = "const { createSluice } = require('sluice')"
