import { printable } from '@sluice/core/printable'
import type { Loss } from '@sluice/postgres'

/** Describes what a database lacked, one line per loss. */
export function lossesText(losses: readonly Loss[]): string {
  return losses.map(lossText).join('\n')
}

function lossText({ noticedAt, from, to, batches, events, changes, isExact, confirmed }: Loss): string {
  const span = from === undefined ? '' : ` (positions ${from} to ${to})`
  const who = confirmed
    ? `confirmed by ${printable(confirmed.by)} at ${new Date(confirmed.at).toISOString()}`
    : 'not confirmed: sluice cluster confirm-loss'
  return `Lost before ${new Date(noticedAt).toISOString()}: ${isExact ? '' : 'at least '}${events} events in ${batches} batches${span}, ${changes} changes of regulations, code and configuration; ${who}.`
}
