import type { DeliveryRequest } from '@sluice/destinations'

/** Returns the lines of a request as text: one JSON value per line, each followed by a line break. */
export function linesOf({ body }: DeliveryRequest): string {
  const lines = body.JSON['lines']
  return Array.isArray(lines) ? lines.map((line) => `${JSON.stringify(line)}\n`).join('') : ''
}
