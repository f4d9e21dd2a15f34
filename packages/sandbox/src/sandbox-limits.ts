import { withDefaults } from '@sluice/core/with-defaults'
import type { DecodeLimits } from './crossing/decoder.ts'

const mebibyte = 1024 * 1024

/** Limits of user code. Exceeding one fails the event, not the process. */
export interface SandboxLimits {
  /** Running time of `transformEvent` for one event, including the work it leaves behind; also of loading a module. */
  readonly eventTimeMs: number
  /** Running time of a batch. Events for which no time is left fail. Also the limit of one `transformBatch` call. */
  readonly batchTimeMs: number
  /** Time from the start of an event until its promise settles, including waits for host calls. */
  readonly asyncTimeMs: number
  /**
   * Total memory of the engine: 16 MiB at the start (including its stack of 5 MiB and its data) plus what user code
   * uses.
   */
  readonly memoryBytes: number
  /**
   * Stack of user code, as counted by the engine. Default in worker threads 256 KiB, about 1,400 nested calls. Default
   * in process 32 KiB, about 180 calls: with more, deep recursion can exhaust the stack of the host before the engine
   * notices. That is contained, but the engine must be replaced, which takes some ms.
   */
  readonly stackBytes: number
  /** JSON text of everything returned for one event, in UTF-8. */
  readonly outputBytesPerEvent: number
  /**
   * Everything returned in one batch, counted as the largest of JSON text, bytes in which it crosses, and 32 bytes per
   * value. Half of it is divided among the events, so that large ones do not fail small ones; the other half goes to
   * large events in order of arrival. At least twice `outputBytesPerEvent`.
   */
  readonly outputBytesPerBatch: number
  /** Log lines of one event, in UTF-8 with one byte per line end. Longer logs are cut. */
  readonly logBytesPerEvent: number
  /** Log lines of one batch, counted likewise but with 16 bytes per line. Longer logs are cut. */
  readonly logBytesPerBatch: number
  /** Arguments of the unanswered host calls of a batch, as JSON text. A call beyond it throws. */
  readonly hostCallBytesPerBatch: number
  /** Most events that may be returned for one event. */
  readonly fanOutMax: number
}

export const defaultSandboxLimits: SandboxLimits = {
  eventTimeMs: 1_000,
  batchTimeMs: 4_000,
  asyncTimeMs: 10_000,
  memoryBytes: 64 * mebibyte,
  stackBytes: 32 * 1024,
  outputBytesPerEvent: 4 * mebibyte,
  // Events of 84 KB each in a batch of 200, which is far more than destinations accept.
  outputBytesPerBatch: 32 * mebibyte,
  logBytesPerEvent: 64 * 1024,
  // Reading it blocks the host thread for some 10 ms at most.
  logBytesPerBatch: 512 * 1024,
  // Sixteen requests of the largest size that `fetch` sends.
  hostCallBytesPerBatch: 16 * mebibyte,
  fanOutMax: 100,
}

const lowest: Partial<SandboxLimits> = { memoryBytes: 24 * mebibyte, stackBytes: 16 * 1024 }

/** Adds the defaults to the given limits. @throws RangeError when a limit is not a whole number or too small. */
export function completeLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const eventBytes = given.outputBytesPerEvent ?? defaultSandboxLimits.outputBytesPerEvent
  const outputBytesPerBatch = Math.max(defaultSandboxLimits.outputBytesPerBatch, 2 * eventBytes)
  const limits = withDefaults({ ...defaultSandboxLimits, outputBytesPerBatch }, given)
  for (const key of Object.keys(defaultSandboxLimits) as (keyof SandboxLimits)[]) {
    const least = lowest[key] ?? 1
    const value = limits[key]
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`sandbox limit ${key} is ${value}, must be a whole number of at least ${least}`)
  }
  if (limits.outputBytesPerBatch < 2 * limits.outputBytesPerEvent)
    throw new RangeError(
      `sandbox limit outputBytesPerBatch is ${limits.outputBytesPerBatch}, must be at least twice outputBytesPerEvent (${limits.outputBytesPerEvent})`,
    )
  return limits
}

/** Levels of a returned event, below the two lists in which it crosses. */
const depthMax = 1_000
/** Values returned for one event. The host creates some 5 million per second. */
export const valuesMax = 20_000
/** Distinct keys returned for one event. The host takes a µs for each new one. */
export const keysMax = 10_000
/** Total size of these keys. The host decodes all of them before the first value, at some 10 ms per megabyte. */
export const keyBytesMax = 256 * 1024
/** Texts of an exception, which the guest truncates. */
const exceptionChars = 12_000
/** A character of a log takes six characters in JSON when escaped. */
const logCharsPerByte = 6

/**
 * Returns the limits for decoding an answer about one event, and each element of one about a batch. Arguments of host
 * calls have the same limits.
 */
export function answerDecodeLimits({ outputBytesPerEvent, logBytesPerBatch }: SandboxLimits): DecodeLimits {
  const charsMax = outputBytesPerEvent + logCharsPerByte * logBytesPerBatch + exceptionChars
  return { depthMax: depthMax + 2, valuesMax, charsMax }
}

/**
 * Returns the most bytes in which an answer with this much JSON text may cross. A character takes at most two bytes;
 * the rest is for its log and for values that JSON does not show. A larger answer contains buffers.
 */
export function carriedBytesMax(outputBytes: number, { logBytesPerBatch }: SandboxLimits): number {
  return 2 * outputBytes + logCharsPerByte * logBytesPerBatch + 2 * exceptionChars + 64 * 1024
}
