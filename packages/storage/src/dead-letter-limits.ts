import type { DeadLetter, DeadLetterLimits, DeadLetterUsage } from '@sluice/pipeline'

export const defaultDeadLetterLimits: DeadLetterLimits = {
  lettersMax: 100_000,
  bytesMax: 1024 ** 3,
  ageMsMax: 30 * 86_400_000,
}

/** Why the oldest letter has to go: the name it is counted under. */
export type ForgottenFor = 'letters' | 'bytes' | 'age'

/** What letters add up to. */
export type LetterSum = Pick<DeadLetterUsage, 'letters' | 'bytes'>

/** The limits that make letters go when others come, each with its measure. */
export function roomLimits({ lettersMax, bytesMax }: DeadLetterLimits) {
  return [
    { measure: 'letters', max: lettersMax },
    { measure: 'bytes', max: bytesMax },
  ] as const
}

export function usageOf({ letters, bytes }: LetterSum, { lettersMax, bytesMax }: DeadLetterLimits): DeadLetterUsage {
  return { letters, bytes, share: Math.max(letters / lettersMax, bytes / bytesMax) }
}

/** How a letter is stored. JSON escapes what UTF-8 cannot carry, which a message that quotes user code may hold. */
export function letterText(letter: DeadLetter): string {
  return JSON.stringify(letter)
}
