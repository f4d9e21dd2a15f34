/** What a value comes to once it is JSON text. A shared object counts each time it is met. */
export interface Size {
  /** UTF-8 bytes of the JSON text. */
  readonly jsonBytes: number
  /** Values in it, itself included. */
  readonly values: number
}

/** Sizes of an answer: a list that begins with an index, a log and a kind; see guest-prelude.ts. */
export interface AnswerSize {
  readonly kind: number
  /** Everything behind the kind, as one list. */
  readonly outputs: Size
  /** The largest numbers of any one of them. */
  readonly largest: Size
  /** What the keys of the whole document take; 0 where the format does not list them. */
  readonly keyBytes: number
}

/** The log of an answer whose own was too long to go with it: one line, as JSON text. */
export const cutLog = '"[log limit reached]"'

/** Measures documents without making their values, so that what is too large never leaves its thread. */
export interface DocumentMeter {
  /** False when the JSON text of this document surely takes no more than `jsonBytes`: a quick look, for the many that are small. */
  mayExceed(bytes: Uint8Array, jsonBytes: number): boolean
  /** Different keys in a document; 0 where the format does not say. */
  keyCount(bytes: Uint8Array): number
  /** The size of any value. Undefined when it is not JSON (circular, a BigInt, nested too deep): reading it says why. */
  value(bytes: Uint8Array): Size | undefined
  /** Undefined as for `value`, or when it is no answer. */
  answer(bytes: Uint8Array): AnswerSize | undefined
  /** For a list of answers. */
  answers(bytes: Uint8Array): readonly AnswerSize[] | undefined
  /** The same answer with `cutLog` in place of its log. Undefined when the document is no answer. */
  withoutLog(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined
  /** What was logged, as an answer of that kind and without outputs. Undefined when the document is no answer. */
  logOnly(bytes: Uint8Array, kind: number): Uint8Array<ArrayBuffer> | undefined
}
