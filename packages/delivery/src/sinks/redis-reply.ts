import type { Reply } from '../transport/transport.ts'

/** Refusals that pass: it starts, fails over, is full or busy, or the slot is on its way to another node. */
const passing =
  /^(?:LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|OOM|MISCONF|NOREPLICAS)\b|max number of clients/

/** Refusals of whoever asks, whatever is asked. */
const ofCredentials = /^(?:WRONGPASS|NOAUTH|NOPERM)\b|^ERR AUTH|invalid password/

/**
 * What a server said to commands that belong together, as a status that says what to make of it: 503 where it may go better
 * next time, which outdoes all others, 401 and 400 where it never will.
 *
 * @param refusals undefined for a command that was done.
 */
export function redisReply(refusals: readonly (string | undefined)[]): Reply {
  const met = refusals.filter((refusal) => refusal !== undefined)
  const told = met.find((refusal) => passing.test(refusal)) ?? met[0]
  return { kind: 'reply', status: told === undefined ? 200 : statusOf(told), headers: {}, body: told ?? '' }
}

function statusOf(refusal: string): number {
  if (passing.test(refusal)) return 503
  return ofCredentials.test(refusal) ? 401 : 400
}
