import type { JsonObject } from '@sluice/core'
import { hiddenValue, type PersonalDataMask } from '@sluice/schema'
import type { DeadLetter } from '../ports/stores/dead-letter-store.ts'
import { hidesPath } from './event-masks.ts'

/**
 * Returns a dead letter with personal data masked in its event, message, request, reply and steps. Where the source masks a
 * path that the event has, request, reply and steps are left out, for they may repeat its value under any name.
 */
export function maskedLetter(letter: DeadLetter, mask: PersonalDataMask): DeadLetter {
  const { source, error } = letter
  const event = mask.event(source.event)
  const { messageId } = source.event
  return {
    ...letter,
    source: { ...source, event: messageId === undefined ? event : { ...event, messageId } },
    error: {
      ...error,
      message: String(mask.value(error.message)),
      ...(error.detail ? { detail: maskedDetail(error.detail, mask, hidesPath(event)) } : {}),
    },
  }
}

/** Returns the detail of a request with personal data masked. @param hidesAll whether request, reply and steps are hidden. */
export function maskedDetail(detail: JsonObject, mask: PersonalDataMask, hidesAll: boolean): JsonObject {
  if (!hidesAll) return mask.event(detail)
  const { request, reply, steps, ...rest } = detail
  return {
    ...mask.event(rest),
    ...(request === undefined ? {} : { request: hiddenValue }),
    ...(reply === undefined ? {} : { reply: hiddenValue }),
  }
}
