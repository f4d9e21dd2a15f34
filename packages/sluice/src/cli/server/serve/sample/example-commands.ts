import type { Sluice } from '../../../../sluice.ts'
import type { AdminCredentials, ServePorts } from '../listen/serve-ports.ts'

/** Returns a command that sends an event. @param event JSON text. @param address of the server. */
export function trackCommand(writeKey: string, event: string, address: string): string {
  return `curl -u ${writeKey}: -H 'content-type: application/json' -d '${event}' ${address}/v1/track`
}

/**
 * Returns three commands to paste into another terminal: send an event, list the destinations, list the event shapes.
 */
export function exampleCommands(
  sluice: Sluice,
  token: string,
  admin: AdminCredentials,
  address: string,
  { main, governance = main }: ServePorts,
): string {
  const writeKey = sluice.workspaces[0]?.sources[0]?.writeKey ?? ''
  const event = `{"userId":"you","event":"Order Completed","properties":{"total":42,"currency":"EUR","products":[{"name":"Tent","quantity":1}]}}`
  return `
Try (Ctrl-C stops):
  ${trackCommand(writeKey, event, `${address}:${main}`)}
  curl -H 'authorization: Bearer ${token}' ${address}:${main}/v2/destinations
  curl -u ${admin.user}:${admin.password} ${address}:${governance}/schemas/event-models

To write your own: npm run sluice init ../my-shop, then npx sluice dev there.
`
}
