import type { Result } from '@sluice/transformations'
import { type Answer, answer, problem } from '../../gate/answer.ts'

export function toAnswer<T>(result: Result<T>, toBody: (value: T) => object): Answer {
  if (result.ok) return answer(toBody(result.value))
  const { code, message, details } = result.error
  return problem(code, message, details)
}
