import type { Result } from '@sluice/transformations'
import { type Answer, answer, listAnswer, problem } from '../../gate/answer.ts'

export function toAnswer<T>(result: Result<T>, toBody: (value: T) => object): Answer {
  if (result.ok) return answer(toBody(result.value))
  const { code, message, details } = result.error
  return problem(code, message, details)
}

/** Returns an answer with the commit that was published, for the audit log. */
export function audited({ commitId = '' }: { readonly commitId?: string }, answered: Answer): Answer {
  return commitId !== '' && 'body' in answered ? { ...answered, audited: `commit ${commitId}` } : answered
}

/** Returns an answer with one list, whose elements are made while they are sent: each may have 1 MB of code. */
export function toListAnswer<T>(result: Result<readonly T[]>, member: string, toElement: (value: T) => object): Answer {
  if (!result.ok) return toAnswer(result, () => ({}))
  return listAnswer(member, result.value, toElement)
}
