import { type Event, isJsonObject, type StageError } from '@sluice/core'
import { type GuestException, readException, type Sources, toStageError } from './errors/guest-exception.ts'
import { answerKind } from './vm/guest/prelude.ts'

/** Result of one call into user code. */
export interface GuestAnswer {
  /** The returned events; null where transformBatch returned a non-object. Undefined when there is only a log. */
  readonly result:
    | { readonly outputs: readonly (Event | null)[] }
    | { readonly error: StageError; readonly exception?: GuestException }
    | undefined
  /** Parsed by readLog. */
  readonly log: string
}

/**
 * Reads an answer (see guest/guest-prelude.js). It is untrusted: user code that broke the prelude could have written
 * anything. Undefined when it is malformed. Its size was measured by its sender (see vm/output-gauge.ts).
 */
export function readAnswer(answer: unknown, sources: Sources): GuestAnswer | undefined {
  if (!Array.isArray(answer) || typeof answer[1] !== 'string') return undefined
  const [, log] = answer
  switch (answer[2]) {
    case answerKind.logOnly:
      return { result: undefined, log }
    case answerKind.exception: {
      const exception = readException(answer, 3)
      return exception && { result: { error: toStageError(exception, sources), exception }, log }
    }
    case answerKind.outputs:
      return {
        result: { outputs: answer.slice(3).map((output) => (isJsonObject(output) ? (output as Event) : null)) },
        log,
      }
    default:
      return undefined
  }
}

/** Parses the lines of a log, which crosses as JSON texts joined by commas. */
export function readLog(text: string): readonly string[] {
  if (text === '') return []
  try {
    const lines: unknown = JSON.parse(`[${text}]`)
    return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : []
  } catch {
    return []
  }
}
