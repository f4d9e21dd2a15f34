import type { Event, StageError } from '@sluice/core'
import { isJsonObject } from '@sluice/core'
import { type GuestException, toStageError } from './guest-error.ts'

/** What became of one call into user code. */
export interface GuestAnswer {
  /** The returned events; null where transformBatch returned something that is not an object. */
  readonly result: { readonly outputs: readonly (Event | null)[] } | { readonly error: StageError }
  readonly log: readonly string[]
}

/**
 * Reads the text of an answer (see guest-prelude.ts), which counts as the guest's: user code that broke the prelude
 * could have written anything. Undefined when it is not an answer, or longer than `outputBytes` as UTF-8.
 */
export function readAnswer(text: string, outputBytesMax: number): GuestAnswer | undefined {
  const answer = parsed(text)
  if (!isJsonObject(answer) || !Array.isArray(answer['log'])) return undefined
  const log = answer['log'].filter((line) => typeof line === 'string')
  const exception = readException(answer['error'])
  if (exception) return { result: { error: toStageError(exception) }, log }
  const { outputs } = answer
  if (!Array.isArray(outputs)) return undefined
  // Text beyond a third of the limit may pass it when its characters take three bytes.
  if (text.length * 3 > outputBytesMax && byteLengthOf(outputs) > outputBytesMax)
    return { result: { error: { code: 'transform.output', message: tooLong(outputBytesMax) } }, log }
  return { result: { outputs: outputs.map((output) => (isJsonObject(output) ? (output as Event) : null)) }, log }
}

/** The exception an answer describes. */
export function exceptionIn(text: string): GuestException | undefined {
  const answer = parsed(text)
  return isJsonObject(answer) ? readException(answer['error']) : undefined
}

function readException(value: unknown): GuestException | undefined {
  if (!isJsonObject(value)) return undefined
  const { code, isError, isNullish, name, message, stack } = value
  if (code !== 'threw' && code !== 'output' && code !== 'refused') return undefined
  if (typeof name !== 'string' || typeof message !== 'string' || typeof stack !== 'string') return undefined
  return { code, isError: isError === true, isNullish: isNullish === true, name, message, stack }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function byteLengthOf(outputs: readonly unknown[]): number {
  return Buffer.byteLength(JSON.stringify(outputs))
}

function tooLong(bytes: number): string {
  return `the returned events take more than ${bytes} bytes of JSON text`
}
