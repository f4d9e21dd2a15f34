import { type Clock, type Random, systemClock, systemRandom } from '@sluice/core'
import type { Logger } from '../logger.ts'
import type { SluiceOptions } from '../sluice-options.ts'
import { createFailureLog } from '../telemetry/failure-log.ts'

/** What every part is built with. */
export interface Base {
  readonly options: SluiceOptions
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger | undefined
  /** Logs an error that no caller gets, and passes it to the embedding program. */
  onError(error: unknown): void
}

/** Fills in what the options leave out. */
export function createBase(options: SluiceOptions): Base {
  const { clock = systemClock, random = systemRandom, logger } = options
  const logFailure = logger && createFailureLog(logger, clock)
  return {
    options,
    clock,
    random,
    logger,
    onError: (error) => {
      logFailure?.(error)
      options.onError?.(error)
    },
  }
}
