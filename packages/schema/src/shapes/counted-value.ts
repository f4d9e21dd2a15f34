/** A counted value. A version gives each key one type, so 1 and '1' never occur together. */
export type CountedValue = string | number | boolean
