import type { DeadLetter, DeadLetterLimits, DeadLetterUsage } from '@sluice/pipeline'

export const defaultDeadLetterLimits: DeadLetterLimits = {
  lettersMax: 100_000,
  bytesMax: 1024 ** 3,
  ageMsMax: 30 * 86_400_000,
}

/** Why the oldest letter has to go: the name it is counted under. */
export type ForgottenFor = 'letters' | 'bytes' | 'age'

/** Which limit is exceeded, if any. */
export function exceeded(
  { letters, bytes }: Pick<DeadLetterUsage, 'letters' | 'bytes'>,
  { lettersMax, bytesMax }: DeadLetterLimits,
): ForgottenFor | undefined {
  if (letters > lettersMax) return 'letters'
  return bytes > bytesMax ? 'bytes' : undefined
}

export function usageOf(letters: number, bytes: number, { lettersMax, bytesMax }: DeadLetterLimits): DeadLetterUsage {
  return { letters, bytes, share: Math.max(letters / lettersMax, bytes / bytesMax) }
}

/** How a letter is stored. JSON escapes what UTF-8 cannot carry, which a message that quotes user code may hold. */
export function letterText(letter: DeadLetter): string {
  return JSON.stringify(letter)
}
