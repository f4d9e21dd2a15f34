/** What went wrong, for machines. The text of an error may quote what was sent; its code does not. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
