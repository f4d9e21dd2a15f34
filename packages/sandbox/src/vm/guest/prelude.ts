/**
 * The file name of our own guest code, and the prefix of the file names of the guest API. User modules cannot have it,
 * because angle brackets are removed from their names.
 */
export const preludeName = '<sluice>'

/** Settings for the prelude (`guest/guest-prelude.js`), passed as JSON. */
export interface PreludeSettings {
  readonly metadataKeys: readonly string[]
  readonly fanOutMax: number
  /** Random numbers that the host provides at a time. */
  readonly numbersPerDraw: number
  /** Bytes in UTF-8, with one byte for each line end. */
  readonly logBytesPerEvent: number
  /** Limit for the single call of transformBatch, and for all waiting events together. */
  readonly logBytesPerBatch: number
  /** Levels of an answer, the answer itself included. */
  readonly depthMax: number
}

/** Kind of an answer; its third element. */
export const answerKind = { outputs: 0, exception: 1, logOnly: 2 } as const

/** The index of an answer for the whole batch. */
export const wholeBatch = -1
