import type { ConfigurationResult } from '@sluice/configuration'
import { type Answer, problem } from '../../gate/answer.ts'

/**
 * Answers with what a change returned, or why it was refused. RudderStack's clients know refusals of the catalogue by
 * status 400 and by the words "not found" and "already exists".
 */
export function planAnswer<T>(result: ConfigurationResult<T>, answerOf: (value: T) => Answer): Answer {
  if (result.ok) return answerOf(result.value)
  const { code, message } = result.error
  if (code === 'recordUnknown') return problem('planPartUnknown', message)
  if (code === 'recordTaken' || code === 'externalIdTaken')
    return problem('planPartTaken', `already exists: ${message}`)
  if (code === 'configurationInvalid') return problem('planPartInvalid', message)
  if (code === 'recordConnected') return problem('planPartUsed', message)
  return problem(code, message)
}

export const planErrors = [
  'planPartUnknown',
  'planPartTaken',
  'planPartInvalid',
  'planPartUsed',
  'managedByFile',
  'configurationFull',
  'configurationBusy',
] as const
