/** Size of a value as JSON text. A shared object counts each time it occurs. */
export interface Size {
  /** UTF-8 bytes of the JSON text. */
  readonly jsonBytes: number
  /** Number of values, including the value itself. */
  readonly values: number
}

/** Sizes of an answer: a list of an index, a log, a kind and outputs; see guest-prelude.ts. */
export interface AnswerSize {
  readonly kind: number
  /** All outputs, as one list. */
  readonly outputs: Size
  /** The maximum of each number over all outputs. */
  readonly largest: Size
  /** Size of the keys of the whole document; 0 if the format does not list them. */
  readonly keyBytes: number
}

/** Replaces a log that is too long to be sent: one line, as JSON text. */
export const cutLog = '"[log limit reached]"'

/** Measures documents without decoding them, so that oversized values never leave their thread. */
export interface DocumentMeter {
  /**
   * Returns false when the JSON text is certain to fit into `jsonBytes`. A quick check for the many small documents.
   */
  mayExceed(bytes: Uint8Array, jsonBytes: number): boolean
  /** Returns the number of distinct keys in a document; 0 if the format does not list them. */
  keyCount(bytes: Uint8Array): number
  /**
   * Measures any value. Undefined when it is not JSON (circular, a BigInt, nested too deeply); decoding it explains
   * why.
   */
  value(bytes: Uint8Array): Size | undefined
  /** Measures an answer. Undefined as for `value`, or when the document is not an answer. */
  answer(bytes: Uint8Array): AnswerSize | undefined
  /** Measures a list of answers. */
  answers(bytes: Uint8Array): readonly AnswerSize[] | undefined
  /** Returns the answer with `cutLog` in place of its log. Undefined when the document is not an answer. */
  withoutLog(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined
  /**
   * Returns an answer of that kind with the same log and without outputs. Undefined when the document is not an answer.
   */
  logOnly(bytes: Uint8Array, kind: number): Uint8Array<ArrayBuffer> | undefined
}
