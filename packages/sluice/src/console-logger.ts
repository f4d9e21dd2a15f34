import { printable } from '@sluice/core/printable'
import type { Logger } from './logger.ts'

/** Writes warnings and errors to the console, one line each. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  // biome-ignore lint/suspicious/noConsole: there is no other output on every platform that programs run on.
  warn: (fields, text) => console.warn(`sluice warning: ${lineOf(fields, text)}`),
  // biome-ignore lint/suspicious/noConsole: the same.
  error: (fields, text) => console.error(`sluice error: ${lineOf(fields, text)}`),
}

function lineOf(fields: object, text: string): string {
  return `${printable(text)} ${printable(JSON.stringify(fields))}`
}
