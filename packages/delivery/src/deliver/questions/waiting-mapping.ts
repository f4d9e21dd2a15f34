import { InvariantError, type StageError } from '@sluice/core'
import { type Answers, type DeliveryRequest, isAsk, isMappingError, type OpenMapping } from '@sluice/destinations/kit'
import type { Answer } from './questions.ts'

/** Most questions of one mapping. A mapping that asks more often has a bug. */
const questionsMax = 20

/** A mapping that waits for an answer, with the answers it has so far. */
export interface WaitingMapping extends OpenMapping {
  readonly answers: Answers
}

type Continued =
  | { readonly kind: 'waiting'; readonly mapping: WaitingMapping }
  | { readonly kind: 'mapped'; readonly requests: readonly DeliveryRequest[] }
  | { readonly kind: 'failed'; readonly error: StageError }

/** Returns a mapping that has no answers yet. */
export function waitingMapping({ ask, map }: OpenMapping): WaitingMapping {
  return { ask, map, answers: new Map() }
}

/** Maps the event again, with the answer to the question it waits for. */
export function continueMapping({ ask, map, answers }: WaitingMapping, answer: Answer): Continued {
  const known = new Map([...answers, [ask.key, answer]])
  let mapped: ReturnType<OpenMapping['map']>
  try {
    mapped = map(known)
  } catch (error) {
    if (error instanceof InvariantError) throw error
    return broken(`The mapping threw ${error instanceof Error ? error.name : typeof error}.`)
  }
  if (isMappingError(mapped)) return { kind: 'failed', error: { code: mapped.code, message: mapped.message } }
  if (!isAsk(mapped)) return { kind: 'mapped', requests: mapped }
  if (known.has(mapped.key)) return broken('The mapping asked the same question again.')
  if (known.size >= questionsMax) return broken(`The mapping asked more than ${questionsMax} questions.`)
  return { kind: 'waiting', mapping: { ask: mapped, map, answers: known } }
}

function broken(what: string): Continued {
  return { kind: 'failed', error: { code: 'stage.broken', message: `${what} The definition has a bug.` } }
}
