import type { Reply } from '../../transport/transport.ts'

/** Temporary errors: the server is starting, failing over, full or busy, or the slot is moving to another node. */
const passing =
  /^(?:LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|OOM|MISCONF|NOREPLICAS)\b|max number of clients/

/** Errors about the credentials. */
const ofCredentials = /^(?:WRONGPASS|NOAUTH|NOPERM)\b|^ERR AUTH|invalid password/

/** Result of a command: what the server answered, or its error. */
export type RedisAnswer = { readonly value: unknown } | { readonly refusal: string }

/**
 * Converts the results of the commands of one request to a reply: 503 if any error is temporary, otherwise 401 or 400
 * by the first error, or 200 with the numbers that the server answered, in the order of `answers`, as a JSON list.
 */
export function redisReply(answers: readonly RedisAnswer[]): Reply {
  const errors = answers.flatMap((answer) => ('refusal' in answer ? [answer.refusal] : []))
  const reported = errors.find((error) => passing.test(error)) ?? errors[0]
  if (reported !== undefined) return { kind: 'reply', status: statusOf(reported), headers: {}, body: reported }
  const numbers = answers.map((answer) => ('value' in answer && typeof answer.value === 'number' ? answer.value : null))
  return { kind: 'reply', status: 200, headers: {}, body: JSON.stringify(numbers) }
}

function statusOf(refusal: string): number {
  if (passing.test(refusal)) return 503
  return ofCredentials.test(refusal) ? 401 : 400
}
