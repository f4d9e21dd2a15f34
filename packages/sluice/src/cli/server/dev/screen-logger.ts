import type { JsonObject } from '@sluice/core'
import type { Logger } from '../../../logger.ts'
import type { DevScreen } from './dev-screen.ts'

/** Returns a logger whose warnings and errors are shown on the screen. What is only information is shown otherwise. */
export function screenLogger(screen: DevScreen): Logger {
  const at =
    (level: 'warn' | 'error') =>
    (fields: object, text: string): void =>
      screen.show({ kind: 'log', level, text, fields: JSON.parse(JSON.stringify(fields)) as JsonObject })
  return { debug: () => {}, info: () => {}, warn: at('warn'), error: at('error') }
}
