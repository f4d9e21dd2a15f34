import type { StreamResult } from '@sluice/destinations'
import { errorCode } from '../../transport/error-code.ts'
import { addressRefused } from '../../transport/sockets/address-guard.ts'

/** What an error of kafkajs has, besides what all errors have. */
interface KafkaError extends Error {
  readonly cause?: unknown
  /** Name of the error of the protocol, such as `MESSAGE_TOO_LARGE`. */
  readonly type?: string
  readonly retriable?: boolean
  /** Code of a socket, or number of an error of the protocol. */
  readonly code?: unknown
}

/** Errors of the protocol that stay until the sender of the event, or the operator, changes something. Source: Kafka docs, protocol, error codes. */
const final: Readonly<Record<string, readonly [status: number, message: string]>> = {
  TOPIC_AUTHORIZATION_FAILED: [403, 'the user may not write to the topic'],
  CLUSTER_AUTHORIZATION_FAILED: [403, 'the user may not write to the cluster'],
  SASL_AUTHENTICATION_FAILED: [401, 'the credentials are wrong'],
  INVALID_TOPIC_EXCEPTION: [400, 'the name of the topic is invalid'],
  MESSAGE_TOO_LARGE: [400, 'the message is larger than the topic accepts'],
  RECORD_LIST_TOO_LARGE: [400, 'the messages together are larger than the topic accepts'],
  INVALID_RECORD: [400, 'the topic refuses the message'],
}

/** Errors because of single messages of those that were sent together. */
const ofMessages: ReadonlySet<string> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'])

/** Returns the error at the beginning of a chain: kafkajs wraps what happened, also when it does not try again. */
function firstCause(error: unknown): KafkaError {
  let at = error as KafkaError
  for (let depth = 0; depth < 8 && at.cause instanceof Error; depth += 1) at = at.cause
  return at
}

/** Returns whether another message of those that were sent together may be to blame, so that fewer may be accepted. */
export function isOfMessages(error: unknown): boolean {
  return ofMessages.has(firstCause(error).type ?? '')
}

/**
 * Returns the result of messages that a broker refused, with the reason in plain words. undefined when the connection failed, or the
 * broker had nothing to say about them.
 */
export function refusalOf(error: unknown): StreamResult | undefined {
  const { name, type, retriable } = firstCause(error)
  if (name === 'KafkaJSSASLAuthenticationError') return { status: 401, message: 'the credentials are wrong' }
  if (type === undefined) return undefined
  const [status, message] = final[type] ?? []
  if (status !== undefined) return { status, message: `${message} (${type})` }
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return { status: 503, message: `the topic does not exist (${type})` }
  return { status: retriable === false ? 400 : 503, message: type }
}

/**
 * Returns the result of messages that a broker refused, or could not be asked to store: others are not concerned.
 * @throws the error of a broker whose address is not allowed: what the cluster announces cannot be used at all.
 */
export function kafkaFailure(error: unknown): StreamResult {
  const refusal = refusalOf(error)
  if (refusal) return refusal
  const failed = connectionError(error)
  const code = errorCode(failed)
  if (code === addressRefused) throw failed
  return { status: 503, message: `a broker could not be reached, or the connection broke (${code})` }
}

/** Returns an error of a connection under the code of its socket, for which people know what it means. */
export function connectionError(error: unknown): Error {
  const cause = firstCause(error)
  if (typeof cause.code === 'string') return cause
  const code = cause.name === 'KafkaJSConnectionClosedError' ? 'ECONNRESET' : codeOf(cause)
  return Object.assign(new Error(cause.name, { cause: error }), { code })
}

function codeOf({ name, message }: Error): string {
  return name === 'KafkaJSRequestTimeoutError' || message === 'Connection timeout' ? 'ETIMEDOUT' : name
}
