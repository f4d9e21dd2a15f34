/** A member of a record as text, with its value. */
export type Member = readonly [name: string, value: string]
