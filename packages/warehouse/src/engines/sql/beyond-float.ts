/** Returns the condition of whole numbers that a number with a fraction may not hold. @param column quoted. */
export function beyondFloat(column: string): string {
  return `${column} > ${Number.MAX_SAFE_INTEGER} or ${column} < ${Number.MIN_SAFE_INTEGER}`
}
