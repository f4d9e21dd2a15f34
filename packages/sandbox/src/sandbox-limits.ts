import type { DecodeLimits } from './crossing/decoder.ts'

const mebibyte = 1024 * 1024

/** What user code may use. Every limit fails the event that met it, not the process. */
export interface SandboxLimits {
  /** Running time of `transformEvent` for one event, the work it left behind included; also of loading a module. */
  readonly eventTimeMs: number
  /** Running time of a batch; events that no time is left for fail. Also that of one `transformBatch` call. */
  readonly batchTimeMs: number
  /** Time from the start of an event until its promise settles, waits for host calls included. */
  readonly asyncTimeMs: number
  /** All memory of the engine: 16 MiB that it starts with (its own stack of 5 MiB and its data included) and what user code adds. */
  readonly memoryBytes: number
  /**
   * Stack of user code, as the engine counts it. In worker threads 256 KiB by default, about 1,400 nested calls. In
   * process 32 KiB, about 180: above that, deep recursion can use up the stack of the host before the engine notices,
   * which is contained, but costs the engine (some ms).
   */
  readonly stackBytes: number
  /** JSON text of everything returned for one event, in UTF-8. */
  readonly outputBytesPerEvent: number
  /**
   * Everything returned in one batch: JSON text or, where that is more, the bytes it crosses in, or 32 for each value. Half of it
   * is shared out among the events, so that large ones do not fail small ones; larger ones use the other half, first come first
   * served. At least twice `outputBytesPerEvent`.
   */
  readonly outputBytesPerBatch: number
  /** Log lines of one event, in UTF-8, with one byte for the end of each. What is beyond is cut. */
  readonly logBytesPerEvent: number
  /** Log lines of one batch, counted in the same way but with 16 bytes for each line. What is beyond is cut. */
  readonly logBytesPerBatch: number
  /** Arguments of the calls to the host that a batch has under way, as JSON text. A call beyond it throws. */
  readonly hostCallBytesPerBatch: number
  /** Events that may be returned for one event. */
  readonly fanOutMax: number
}

export const defaultSandboxLimits: SandboxLimits = {
  eventTimeMs: 1_000,
  batchTimeMs: 4_000,
  asyncTimeMs: 10_000,
  memoryBytes: 64 * mebibyte,
  stackBytes: 32 * 1024,
  outputBytesPerEvent: 4 * mebibyte,
  // Events of 84 KB each in a batch of 200, which is far above what destinations take.
  outputBytesPerBatch: 32 * mebibyte,
  logBytesPerEvent: 64 * 1024,
  // Reading it takes the thread of the host some 10 ms at most.
  logBytesPerBatch: 512 * 1024,
  // Sixteen requests as large as `fetch` sends.
  hostCallBytesPerBatch: 16 * mebibyte,
  fanOutMax: 100,
}

const lowest: Partial<SandboxLimits> = { memoryBytes: 24 * mebibyte, stackBytes: 16 * 1024 }

/** Completes limits with the defaults. @throws RangeError when one is not a whole number, or too small to work with. */
export function completeLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const eventBytes = given.outputBytesPerEvent ?? defaultSandboxLimits.outputBytesPerEvent
  const outputBytesPerBatch = Math.max(defaultSandboxLimits.outputBytesPerBatch, 2 * eventBytes)
  const limits = { ...defaultSandboxLimits, outputBytesPerBatch, ...given }
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

/** Levels of a returned event, below the two lists it crosses in. */
const depthMax = 1_000
/** Values returned for one event. The host makes them at some 5 million a second. */
export const valuesMax = 20_000
/** Different keys of what is returned for one event: the host takes a µs for each that it has not met before. */
export const keysMax = 10_000
/** What these keys take: the host makes all of them before it reads the first value, in some 10 ms a megabyte. */
export const keyBytesMax = 256 * 1024
/** The texts of an exception, cut to length in the guest. */
const exceptionChars = 12_000
/** A character of a log takes six in JSON, escaped. */
const logCharsPerByte = 6

/** What an answer about one event may come to, and each element of one about a batch. Host calls give away as much. */
export function answerDecodeLimits({ outputBytesPerEvent, logBytesPerBatch }: SandboxLimits): DecodeLimits {
  const charsMax = outputBytesPerEvent + logCharsPerByte * logBytesPerBatch + exceptionChars
  return { depthMax: depthMax + 2, valuesMax, charsMax }
}

/**
 * Bytes that an answer with so much JSON text may cross in. A character takes two at most; the rest is for its log and for
 * what JSON does not show. An answer beyond it holds buffers.
 */
export function carriedBytesMax(outputBytes: number, { logBytesPerBatch }: SandboxLimits): number {
  return 2 * outputBytes + logCharsPerByte * logBytesPerBatch + 2 * exceptionChars + 64 * 1024
}
