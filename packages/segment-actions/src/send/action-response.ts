import { STATUS_CODES } from 'node:http'
import type { ActionReply } from '@sluice/destinations'

type ReceivedReply = Extract<ActionReply, { kind: 'reply' }>

/** A reply as Segment's request client returns it: a Response with its body already read. */
export class ActionResponse extends Response {
  /** Text of the body. */
  readonly content: string
  /** Parsed body if its content type is JSON; otherwise its text. `undefined` when JSON cannot be parsed. */
  readonly data: unknown
  /** Merged options of the request. */
  readonly options: unknown

  constructor({ status, headers, body }: ReceivedReply, url: string, options: unknown) {
    // Replies have no words for their status. The standard ones are those that actions put into messages.
    const statusText = STATUS_CODES[status] ?? ''
    super(hasNoBody(status) ? null : body, {
      status: clamped(status),
      statusText,
      headers: new Headers({ ...headers }),
    })
    this.content = body
    this.data = dataOf(body, this.headers.get('content-type'))
    this.options = options
    Object.defineProperty(this, 'url', { value: url })
    // Code of destinations prints headers with JSON.stringify.
    Object.defineProperty(this.headers, 'toJSON', { value: () => Object.fromEntries(this.headers) })
  }
}

const hasNoBody = (status: number): boolean => [101, 204, 205, 304].includes(status)

/** A Response cannot have other statuses; no product has them on purpose. */
const clamped = (status: number): number => Math.min(Math.max(status, 200), 599)

function dataOf(content: string, type: string | null): unknown {
  if (!type?.includes('application/json')) return content
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
