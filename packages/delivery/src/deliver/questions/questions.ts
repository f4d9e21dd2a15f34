import type { Clock, JsonValue } from '@sluice/core'
import { type Ask, isMappingError, type MappingError, verdictByStatus } from '@sluice/destinations/kit'
import type { Exchanging } from '../create-exchange.ts'
import type { Exchange } from '../exchange.ts'
import { replyOf } from '../replies/judgement.ts'
import { createLookups } from './lookups.ts'

/** Longest reply to a question, in bytes. Catalogues of properties have hundreds of kilobytes. */
const replyBytesMax = 4 * 1024 * 1024

export type Answer = JsonValue | MappingError

/** The exchange of a question, with the answer if the product gave one. */
interface Answered {
  readonly answer?: Answer
  readonly exchange: Exchange
}

/** Asks one destination the questions of its mappings. Answers are shared, and cached for their time. */
export interface Questions {
  /** Returns a cached answer. */
  known(question: Ask): Answer | undefined
  /** Forgets all answers: one of them may be a token that the product has just refused. */
  forget(): void
  /** Asks the product once; callers with the same key wait for the same reply. @throws the abort reason. */
  ask(question: Ask, signal: AbortSignal): Promise<Answered>
}

interface QuestionsOptions {
  readonly exchange: Exchanging
  readonly clock: Clock
}

export function createQuestions({ exchange, clock }: QuestionsOptions): Questions {
  const lookups = createLookups<Answered>({ clock })

  async function ask(question: Ask): Promise<Answered> {
    // Not the signal of the first caller: others wait for the answer too. The time limit of a request bounds it.
    const { signal } = new AbortController()
    const accepts = question.accepts ?? []
    const exchanged = await exchange(question.request, { signal }, [], {
      replyBytesMax,
      respond: (reply) => {
        const verdict = verdictByStatus(reply)
        return accepts.includes(reply.status) ? { ...verdict, outcome: 'delivered' } : verdict
      },
    })
    const { result, judgement } = exchanged
    const isUnauthorized = result.kind === 'reply' && result.status === 401 && !accepts.includes(401)
    // With a token that is an answer, the event is mapped again later, with a new one.
    if (!isUnauthorized || !lookups.clear()) return answeredBy(question, exchanged)
    return { exchange: { ...exchanged, judgement: { ...judgement, outcome: 'retry' } } }
  }

  return {
    known: ({ key }) => lookups.known(key)?.answer,
    forget: () => lookups.clear(),
    async ask(question, signal) {
      const { key, ttlMs } = question
      const found = await lookups.get(
        {
          key,
          ask: async () => {
            const value = await ask(question)
            const isLasting = value.answer !== undefined && !isMappingError(value.answer)
            return { ok: true, value, lifetimeMs: isLasting ? ttlMs : 0 }
          },
        },
        signal,
      )
      if (!found.ok) throw new TypeError('a question always has an exchange')
      return found.value
    },
  }
}

function answeredBy({ read }: Ask, exchange: Exchange): Answered {
  const { result, judgement } = exchange
  if (result.kind !== 'reply' || judgement.outcome !== 'delivered') return { exchange }
  const unread = (outcome: 'aborted' | 'retry', cause: string): Answered => ({
    exchange: { ...exchange, judgement: { outcome, status: result.status, cause } },
  })
  if (result.isCut) return unread('aborted', `Its reply is longer than ${replyBytesMax} bytes.`)
  try {
    const answer = read(replyOf(result))
    // The body is not needed any more, and would be cached with the answer.
    if (answer !== undefined) return { answer, exchange: { ...exchange, result: { ...result, body: '' } } }
  } catch {
    return unread('aborted', 'Its reply could not be read: it does not have the form that the definition expects.')
  }
  return unread('retry', 'Its reply is no answer: it does not have the form that the definition expects.')
}
