import { type Clock, type Random, systemClock, systemRandom } from '@sluice/core'
import { consoleLogger } from '../console-logger.ts'
import type { Logger } from '../logger.ts'
import type { SluiceOptions } from '../sluice-options.ts'
import { createFailureLog } from '../telemetry/logs/failure-log.ts'

/** What every part is built with. */
export interface Base {
  readonly options: SluiceOptions
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger | undefined
  /** Gets which destinations fail, and why: the console, where the program passes no logger. */
  readonly destinationLogger: Logger | undefined
  /** Logs an error that no caller gets, and passes it to the embedding program. */
  onError(error: unknown): void
}

/** Fills in what the options leave out. */
export function createBase(options: SluiceOptions): Base {
  const { clock = systemClock, random = systemRandom } = options
  const logger = options.logger === 'off' ? undefined : options.logger
  const destinationLogger = options.logger === 'off' ? undefined : (logger ?? consoleLogger)
  const logFailure = logger && createFailureLog(logger, clock)
  return {
    options,
    clock,
    random,
    logger,
    destinationLogger,
    onError: (error) => {
      logFailure?.(error)
      options.onError?.(error)
    },
  }
}
