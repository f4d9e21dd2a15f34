import type { DeadLetter, DeadLetterLimits, DeadLetterUsage } from '@sluice/pipeline'

export const defaultDeadLetterLimits: DeadLetterLimits = {
  lettersMax: 100_000,
  bytesMax: 1024 ** 3,
  ageMsMax: 30 * 86_400_000,
}

/** Limit for which a dead letter was deleted, as it is counted. */
export type ForgottenFor = 'letters' | 'bytes' | 'age'

/** Number and size of dead letters. */
export type DeadLetterSum = Pick<DeadLetterUsage, 'letters' | 'bytes'>

/** Returns the limits that are enforced when dead letters are added, each with what it measures. */
export function roomLimits({ lettersMax, bytesMax }: DeadLetterLimits) {
  return [
    { measure: 'letters', max: lettersMax },
    { measure: 'bytes', max: bytesMax },
  ] as const
}

export function usageOf(
  { letters, bytes }: DeadLetterSum,
  { lettersMax, bytesMax }: DeadLetterLimits,
): DeadLetterUsage {
  return { letters, bytes, share: Math.max(letters / lettersMax, bytes / bytesMax) }
}

/**
 * Returns a dead letter as it is stored. JSON escapes lone surrogates, which a message quoting user code can contain.
 */
export function deadLetterText(letter: DeadLetter): string {
  return JSON.stringify(letter)
}
