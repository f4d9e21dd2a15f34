/** Size of a value as JSON text. A shared object counts each time it occurs. */
export interface Size {
  /** UTF-8 bytes of the JSON text. */
  readonly jsonBytes: number
  /** Number of values, including the value itself. */
  readonly values: number
}

/** Sizes of an answer, which is a list of an index, a log, a kind and outputs; see guest/guest-prelude.js. */
export interface AnswerSize {
  readonly kind: number
  /** Size of all outputs, as one list. */
  readonly outputs: Size
  /** The largest `jsonBytes` and the largest `values` of any output. */
  readonly largest: Size
  /** Total size of the distinct keys in the document; 0 if the format does not list them. */
  readonly keyBytes: number
}

/** The log that replaces one that is too long to be sent: a single line, as JSON text. */
export const cutLog = '"[log limit reached]"'

/** Measures documents without decoding them, so that values which are too large never leave their thread. */
export interface DocumentMeter {
  /** Returns false when the JSON text certainly fits into `jsonBytes`. A quick check for the many small documents. */
  mayExceed(bytes: Uint8Array, jsonBytes: number): boolean
  /** Returns the number of distinct keys in a document; 0 if the format does not list them. */
  keyCount(bytes: Uint8Array): number
  /**
   * Measures any value. Returns undefined when it is not JSON (circular, a BigInt, nested too deeply); decoding it
   * gives the reason.
   */
  value(bytes: Uint8Array): Size | undefined
  /** Measures an answer. Returns undefined as `value` does, or when the document is not an answer. */
  answer(bytes: Uint8Array): AnswerSize | undefined
  /** Measures each answer of a list. Returns undefined as `answer` does. */
  answers(bytes: Uint8Array): readonly AnswerSize[] | undefined
  /** Returns the answer with `cutLog` in place of its log; undefined when the document is not an answer. */
  withoutLog(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined
  /**
   * Returns an answer of that kind with the same log and without outputs; undefined when the document is not an answer.
   */
  logOnly(bytes: Uint8Array, kind: number): Uint8Array<ArrayBuffer> | undefined
}
