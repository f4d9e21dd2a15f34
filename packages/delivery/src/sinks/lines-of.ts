import type { DeliveryRequest } from '@sluice/destinations'

/** The lines a request carries, as text: one JSON value each, every one of them ended by a line break. */
export function linesOf({ body }: DeliveryRequest): string {
  const lines = body.JSON['lines']
  return Array.isArray(lines) ? lines.map((line) => `${JSON.stringify(line)}\n`).join('') : ''
}
