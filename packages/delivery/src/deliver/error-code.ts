/** What went wrong, for machines. The text of an error may quote what was sent; its code does not. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  // Many classes of errors do not bother to set their name.
  return error.name === 'Error' ? error.constructor.name : error.name
}
