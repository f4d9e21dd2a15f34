import type { IncomingMessage } from 'node:http'
import { isUnread } from '../../gate/body/body-chunks.ts'
import type { PlainRequest } from '../../gate/plain-request.ts'
import type { PlainAnswer, TakeFromNode } from '../../routing/node-fetch.ts'
import { type EventCall, takeEvents } from './event-call.ts'
import type { Intake, Taken } from './intake.ts'
import { storedAnswer } from './stored-answer.ts'

interface NodeCalls {
  /** The intake of the app: calls that were taken already are answered with what became of them. */
  readonly intake: Intake
  readonly takeFromNode: TakeFromNode
}

/**
 * Creates the way of common calls past the app. Both ways share the intake with its checks and limits. The app answers
 * whatever is not stored, so that there is one place for refusals and errors.
 */
export function createNodeCalls(intake: Intake, calls: readonly EventCall[]): NodeCalls {
  const byPath = new Map(calls.map((call) => [call.path, call]))
  const takenBefore = new WeakMap<object, Promise<Taken>>()

  async function take({ type, answersJson }: EventCall, incoming: IncomingMessage): Promise<PlainAnswer | undefined> {
    const request = plainRequest(incoming)
    const taking = takeEvents(intake, request, { incoming }, type)
    const taken = await taking.catch(() => undefined)
    if (taken?.ok) return storedAnswer(taken.rejected, request.headers.get('accept'), answersJson)
    takenBefore.set(incoming, taking)
    return undefined
  }

  return {
    intake: {
      ...intake,
      takeBody: (request, env, call) => {
        const { incoming } = (env ?? {}) as { readonly incoming?: object }
        return (incoming && takenBefore.get(incoming)) ?? intake.takeBody(request, env, call)
      },
    },
    takeFromNode: (incoming) => {
      const call = byPath.get(incoming.url ?? '')
      return call && isCommon(incoming) ? take(call, incoming) : undefined
    },
  }
}

/** Hosts that the adapter of the app takes without a look at the address that they make: others may be no host at all. */
const plainHost = /^[a-z0-9._-]+(?::(?:[1-9]\d{3}|[1-5]\d{4}))?$/
const basic = /^basic /i

/**
 * Returns whether nothing about a call but its body can be of another kind than usual: not sent by a browser, which needs
 * CORS, with its write key in front of the body, and each header once, so that both ways read the same.
 */
function isCommon(incoming: IncomingMessage): boolean {
  const { method, httpVersion, headers, rawHeaders } = incoming
  return (
    method === 'POST' &&
    httpVersion === '1.1' &&
    headers.origin === undefined &&
    basic.test(headers.authorization ?? '') &&
    plainHost.test(headers.host ?? '') &&
    Object.keys(headers).length * 2 === rawHeaders.length &&
    isUnread(incoming)
  )
}

function plainRequest({ url = '', headers }: IncomingMessage): PlainRequest {
  return {
    url,
    headers: {
      get: (name) => {
        const value = headers[name.toLowerCase()]
        return typeof value === 'string' ? value : null
      },
    },
    body: null,
  }
}
