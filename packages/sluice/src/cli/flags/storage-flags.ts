import type { RetentionOptions } from '@sluice/pipeline'
import type { SqliteStoreOptions } from '@sluice/storage'
import { type Command, Option } from 'commander'
import { wholeNumber, wholeNumberOrZero } from './whole-number.ts'

export interface StorageFlags {
  readonly synchronous?: 'full' | 'normal'
  readonly budgetMb?: number
  readonly reserveMb?: number
  readonly keepHours?: number
  readonly keepMb?: number
  readonly keepDeliveries?: number
}

const mebibyte = 1024 ** 2
const hourMs = 3_600_000

/** Adds the flags of the store and the event log to a command. */
export function withStorageFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--synchronous <when>',
        'when acknowledged data is on disk: immediately, or (normal) a little later, so that a power failure can lose some (default: full)',
      ).choices(['full', 'normal']),
    )
    .option('--budget-mb <MiB>', 'size of the store at which events are refused with 503 (default: 4096)', wholeNumber)
    .option(
      '--reserve-mb <MiB>',
      'free disk space below which events are refused with 503 (default: 64)',
      wholeNumberOrZero,
    )
    .option('--keep-hours <number>', 'how long processed events are kept for replays (default: 24)', wholeNumberOrZero)
    .option('--keep-mb <MiB>', 'largest size of the log with them, per workspace (default: 512)', wholeNumberOrZero)
    .option(
      '--keep-deliveries <number>',
      'how many accepted requests of each destination are kept in memory for 15 minutes, to be looked at (default: 20)',
      wholeNumberOrZero,
    )
}

/** Converts the flags to options of the store. */
export function storeOptionsOf({
  synchronous,
  budgetMb,
  reserveMb,
}: StorageFlags): Pick<SqliteStoreOptions, 'synchronous' | 'budgetBytes' | 'reserveBytes'> {
  return {
    synchronous,
    budgetBytes: budgetMb === undefined ? undefined : budgetMb * mebibyte,
    reserveBytes: reserveMb === undefined ? undefined : reserveMb * mebibyte,
  }
}

/** Converts the flags to options of the event log. */
export function retentionOptionsOf({ keepHours, keepMb }: StorageFlags): Partial<RetentionOptions> {
  return {
    ageMs: keepHours === undefined ? undefined : keepHours * hourMs,
    bytesMax: keepMb === undefined ? undefined : keepMb * mebibyte,
  }
}
