import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import type { Logger } from 'pino'
import type { LedgerPlaceOptions } from '../../../sluice-options.ts'
import { CliError } from '../../cli-error.ts'
import { ledgerKeyOf, openLedgerPlace } from '../../flags/ledger-place.ts'
import { storeOptionsOf } from '../../flags/storage-flags.ts'
import { storeAddress } from '../../flags/store-address.ts'
import { printLine } from '../../terminal/print-line.ts'
import { logCheck, logMissing, logRecovery } from './report/log-recovery.ts'
import type { ServeFlags } from './serve-flags.ts'

const dayMs = 24 * 60 * 60_000

/** Opens the store that the flags name: a database that several processes share, or a file for this one. */
export function openServedStore(flags: ServeFlags, log: Logger): Promise<Store> {
  return flags.store === undefined ? openFile('sluice.db', flags, log) : openDatabase(flags.store, flags, log)
}

/** Opens the file of the sample once before emptying it, which fails when another process uses it. */
export async function openEmptyStore(flags: ServeFlags, log: Logger): Promise<Store> {
  if (flags.store !== undefined) throw new CliError('--sample keeps its events in a file of its own: leave out --store')
  const file = 'sample.db'
  const path = join(flags.data, file)
  if (existsSync(path)) printLine(`Emptying ${path}: the sample starts from scratch every time.`)
  await (await openFile(file, flags, log)).close()
  const files = ['', '-wal', '-shm', '.mark'].map((suffix) => `${path}${suffix}`)
  const warehouse = join(flags.data, 'sample.duckdb')
  for (const each of [...files, warehouse, `${warehouse}.wal`, sampleLedger(flags)])
    await rm(each, { force: true, recursive: true })
  return openFile(file, flags, log)
}

/** Opens the ledger that belongs to the store; undefined for none. */
export async function openServedLedger(flags: ServeFlags, log: Logger): Promise<LedgerPlaceOptions | undefined> {
  const place = await openLedgerPlace(flags.sample ? { ledger: sampleLedger(flags) } : flags, (error) =>
    log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the database of the ledger failed'),
  )
  const key = ledgerKeyOf(process.env)
  const { backupsKeptDays } = flags
  return (
    place && {
      place,
      key,
      backupsKeptDays,
    }
  )
}

function sampleLedger({ data }: ServeFlags): string {
  return join(data, 'sample-ledger')
}

function openFile(file: string, flags: ServeFlags, log: Logger): Promise<Store> {
  return openSqliteStore({
    path: join(flags.data, file),
    ...sharedOptions(flags),
    ...storeOptionsOf(flags),
    onUncleanShutdown: (recovery) => logRecovery(log, recovery),
    onChecked: (damage) => logCheck(log, damage),
  })
}

async function openDatabase(store: string, flags: ServeFlags, log: Logger): Promise<Store> {
  const wrong = (['synchronous', 'reserveMb'] as const).find((flag) => flags[flag] !== undefined)
  if (wrong !== undefined)
    throw new CliError(
      `--${wrong === 'reserveMb' ? 'reserve-mb' : wrong} is for a store in a file; with --store, the database decides`,
    )
  const { openPostgresStore } = await import('@sluice/postgres')
  const { budgetBytes } = storeOptionsOf(flags)
  return openPostgresStore({
    ...storeAddress(store),
    ...sharedOptions(flags),
    budgetBytes,
    times: flags.leaseSeconds === undefined ? undefined : timesOf(flags.leaseSeconds),
    onMissing: (missing) => logMissing(log, missing),
    onWarning: (text) => log.warn(text),
    onError: (error) =>
      log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the database of the store failed'),
  })
}

/** A fifth of the lease between two beats, and a tenth as the margin, as by default. */
function timesOf(leaseSeconds: number): {
  readonly leaseMs: number
  readonly beatMs: number
  readonly marginMs: number
} {
  const leaseMs = leaseSeconds * 1_000
  return { leaseMs, beatMs: leaseMs / 5, marginMs: leaseMs / 10 }
}

function sharedOptions({ schemaLimit, deadLetters, deadLetterDays, receipts }: ServeFlags) {
  return {
    clock: systemClock,
    random: systemRandom,
    schemaLimits: schemaLimit,
    receiptsMax: receipts || undefined,
    deadLetterLimits: {
      lettersMax: deadLetters || undefined,
      ageMsMax: deadLetterDays ? deadLetterDays * dayMs : undefined,
    },
  }
}
