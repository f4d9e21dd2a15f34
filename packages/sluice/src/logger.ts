/** Where structured lines go: pino's loggers fit, and so does what has these methods. */
export interface Logger {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** What is logged of an error: its kind, code and text. Other members may carry requests, settings or payloads. */
export function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { error: { type: typeof error } }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { error: { type: error.name, message: error.message, ...code, stack: error.stack } }
}
