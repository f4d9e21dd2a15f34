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
}

const mebibyte = 1024 ** 2
const hourMs = 3_600_000

/** Adds the knobs of the store, and of what the event log keeps, to a command. */
export function withStorageFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--synchronous <when>',
        'when what was acknowledged is on disk: at once, or (normal) a little later, so that a power failure may lose some (default: full)',
      ).choices(['full', 'normal']),
    )
    .option(
      '--budget-mb <MiB>',
      'disk of the store, past which events are refused with 503 (default: 4096)',
      wholeNumber,
    )
    .option(
      '--reserve-mb <MiB>',
      'what stays free on the disk; events are refused with 503 when less is (default: 64)',
      wholeNumberOrZero,
    )
    .option(
      '--keep-hours <number>',
      'how long events that went everywhere are kept for replays (default: 24)',
      wholeNumberOrZero,
    )
    .option('--keep-mb <MiB>', 'how large the log may be with them, per workspace (default: 512)', wholeNumberOrZero)
}

/** What the flags ask of the store. */
export function storeOptionsOf({
  synchronous,
  budgetMb,
  reserveMb,
}: StorageFlags): Pick<SqliteStoreOptions, 'synchronous' | 'budgetBytes' | 'reserveBytes'> {
  return {
    ...(synchronous ? { synchronous } : {}),
    ...(budgetMb === undefined ? {} : { budgetBytes: budgetMb * mebibyte }),
    ...(reserveMb === undefined ? {} : { reserveBytes: reserveMb * mebibyte }),
  }
}

/** What the flags ask of the log. */
export function retentionOptionsOf({ keepHours, keepMb }: StorageFlags): Partial<RetentionOptions> {
  return {
    ...(keepHours === undefined ? {} : { ageMs: keepHours * hourMs }),
    ...(keepMb === undefined ? {} : { bytesMax: keepMb * mebibyte }),
  }
}
