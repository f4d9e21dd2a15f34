/** All that a reader has written: what the address holds, and what a run takes. */
export interface Draft {
  /** A JSON list of events. */
  readonly events: string
  /** The transformation, in JavaScript or TypeScript. */
  readonly code: string
  /** Type of the destination, such as `WEBHOOK`; empty for none. */
  readonly destination: string
  /** Settings of the destination: a JSON object. */
  readonly settings: string
}

/** Longest text of a draft, in characters. An event has at most 1 MB in production; a link of that length opens nowhere. */
export const draftLengthMax = 200_000

/**
 * Returns a draft from a value that anybody may have written.
 * @returns undefined when it is not one, or too long.
 */
export function parseDraft(value: unknown): Draft | undefined {
  const { events, code, destination, settings } = Object(value) as Readonly<Record<keyof Draft, unknown>>
  const texts = [events, code, destination, settings]
  if (!texts.every((text): text is string => typeof text === 'string')) return undefined
  if (texts.reduce((sum, { length }) => sum + length, 0) > draftLengthMax) return undefined
  const [first = '', second = '', third = '', fourth = ''] = texts
  if (!/^[A-Z0-9_]{0,60}$/.test(third)) return undefined
  return { events: first, code: second, destination: third, settings: fourth }
}
