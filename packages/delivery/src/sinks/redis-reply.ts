import type { Reply } from '../transport/transport.ts'

/** Temporary errors: the server is starting, failing over, full or busy, or the slot is moving to another node. */
const passing =
  /^(?:LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|OOM|MISCONF|NOREPLICAS)\b|max number of clients/

/** Errors about the credentials. */
const ofCredentials = /^(?:WRONGPASS|NOAUTH|NOPERM)\b|^ERR AUTH|invalid password/

/**
 * Converts the results of the commands of one request to a reply: 503 if any error is temporary, otherwise 401 or 400
 * by the first error, or 200.
 *
 * @param refusals errors of the server, undefined for commands that were done.
 */
export function redisReply(refusals: readonly (string | undefined)[]): Reply {
  const errors = refusals.filter((refusal) => refusal !== undefined)
  const reported = errors.find((error) => passing.test(error)) ?? errors[0]
  return { kind: 'reply', status: reported === undefined ? 200 : statusOf(reported), headers: {}, body: reported ?? '' }
}

function statusOf(refusal: string): number {
  if (passing.test(refusal)) return 503
  return ofCredentials.test(refusal) ? 401 : 400
}
