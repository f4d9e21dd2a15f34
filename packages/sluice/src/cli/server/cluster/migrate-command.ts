import { join } from 'node:path'
import { table } from '@sluice/core/table'
import type { MigrationReport } from '@sluice/postgres'
import { Command } from 'commander'
import { CliError } from '../../cli-error.ts'
import { storeAddress } from '../../flags/store-address.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'

interface MigrateFlags {
  readonly data: string
  readonly to: string
  readonly json?: true
}

/** `sluice migrate`: moves the store of one process into a database that several processes share. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('move the store of a folder, which no server uses, into an empty one in PostgreSQL')
    .option('--data <folder>', 'folder of the store, sluice.db', '.sluice')
    .requiredOption('--to <url>', 'PostgreSQL database (postgres://user@host/database?schema=name)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Moves everything: regulations, code, the catalogue, counts, receipts, dead letters, deletion jobs, audit entries, and the
log with where each destination is in it. Both stores are counted at the end; the old one is then renamed to
sluice.db.migrated. Ctrl-C stops it; repeat the command to continue.

Examples:
  sluice migrate --data .sluice --to postgres://sluice@db/sluice`,
    )
    .action(migrate)
}

async function migrate({ data, to, json }: MigrateFlags): Promise<void> {
  const [{ migrateSqliteStore }, { asCliError }] = await Promise.all([
    import('@sluice/postgres'),
    import('../../as-cli-error.ts'),
  ])
  const stopping = new AbortController()
  const onSignal = (): void => stopping.abort(new CliError('stopped: repeat the command to continue', 130))
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const progress = new Progress(process.stderr)
  const copied = new Map<string, number>()
  try {
    const report = await migrateSqliteStore({
      from: join(data, 'sluice.db'),
      to: storeAddress(to, '--to'),
      signal: stopping.signal,
      onProgress: ({ table: name, rows }) => {
        copied.set(name, (copied.get(name) ?? 0) + rows)
        progress.update(`${name}: ${copied.get(name)} rows copied`)
      },
    })
    progress.done('copied and compared')
    printLine(json ? JSON.stringify(report, null, 2) : reportText(report))
    if (!report.isComplete)
      throw new CliError('the stores differ, and the new one cannot be used: drop its schema and migrate again')
  } catch (error) {
    throw asCliError(error)
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

function reportText({ sums, isComplete, lostBatches, oldStore }: MigrationReport): string {
  const rows = sums.map(({ what, source, target }) => [
    what,
    String(source),
    String(target),
    source === target ? '' : 'differs',
  ])
  return [
    ...(rows.length > 0 ? [table([['sum', 'old store', 'new store', ''], ...rows], 1)] : []),
    ...(lostBatches > 0 ? [`The old store had lost ${lostBatches} batches of its log before.`] : []),
    ...(isComplete ? [`Start processes with --store. The old store is ${oldStore} now.`] : []),
  ].join('\n')
}
