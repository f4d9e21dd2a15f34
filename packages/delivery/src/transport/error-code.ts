/** Returns the code of an error. Unlike its message, it cannot quote the request. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  // Many error classes do not set `name`.
  return error.name === 'Error' ? error.constructor.name : error.name
}
