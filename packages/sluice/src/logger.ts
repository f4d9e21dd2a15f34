/** Receives structured log lines. pino's loggers fit, and so does any object with these methods. */
export interface Logger {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/**
 * Returns what to log of an error: class, code and message. Other members could contain requests, settings or payloads.
 * @param withStack whether it matters where in the program it happened.
 */
export function errorFields(error: unknown, withStack = true): object {
  if (!(error instanceof Error)) return { error: { type: typeof error } }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const stack = withStack ? { stack: error.stack } : {}
  return { error: { type: error.name, message: error.message, ...code, ...stack } }
}
