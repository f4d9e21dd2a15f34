import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FetchHandler } from './serve-routes.ts'

/** An answer with status 200. Each server that takes calls sends it in its own way. */
export interface PlainAnswer {
  readonly contentType: string
  readonly body: string
}

/**
 * Takes a call from Node's server without making it a request of the fetch API, which costs as much as the rest of a short
 * call.
 *
 * @returns undefined when the call is not a common one: nothing of it was read, and `fetch` answers it. Otherwise a promise
 *   of the answer, or of undefined when the call is refused or fails: `fetch` answers that as well, without taking the call
 *   again. The promise does not reject.
 */
export type TakeFromNode = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<PlainAnswer | undefined> | undefined

/**
 * A fetch function that lets Node's server pass calls by it. The way past it is a member of the function, not of the object
 * around it: a function that is put in front of this one, to guard it or to log calls, has none.
 */
export type NodeFetch = FetchHandler['fetch'] & { readonly takeFromNode?: TakeFromNode | undefined }
