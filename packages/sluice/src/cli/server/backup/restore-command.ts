import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { table } from '@sluice/core/table'
import type { Store } from '@sluice/pipeline'
import type { DrillReport } from '@sluice/regulation'
import { Command } from 'commander'
import { CliError } from '../../cli-error.ts'
import { ledgerKeyOf, ledgerOption, openLedgerPlace } from '../../flags/ledger-place.ts'
import { storeAddress, storeOption } from '../../flags/store-address.ts'
import { printLine } from '../../terminal/print-line.ts'

interface RestoreFlags {
  readonly drill?: true
  readonly ledger?: string
  readonly store?: string
  readonly data: string
  readonly json?: true
}

/** `sluice restore --drill`: proves on a copy that a restore would serve no suppressed or erased user. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('prove on a copy of a backup that, after a restore, no suppressed or erased user would be served')
    .argument('[backup]', 'file that sluice backup wrote')
    .requiredOption('--drill', 'work on a copy; restoring itself is putting the file in its place, see below')
    .addOption(ledgerOption())
    .addOption(storeOption('scratch database into which pg_restore has put a dump, which the drill changes'))
    .option('--data <folder>', 'folder of the server, for its ledger', '.sluice')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The drill compares the copy with the ledger, as a start does, and then looks for each active regulation whether it is in
force. It also starts a server with the regulations of the copy and no destinations, and sends it an event of each person
whose ids are known, of a thousand at most. It changes neither the backup nor the ledger. Exit status 1 when a user would be served, or when data of an erased
user could not be deleted again: set SLUICE_LEDGER_KEY where the server has it.

To restore a backup, stop the server, replace sluice.db by the file, remove sluice.db-wal, and start the server with the
same --ledger.

Examples:
  sluice restore --drill sluice-monday.db --data .sluice
  sluice restore --drill --store postgres://owner@db/scratch --ledger /mnt/shared/ledger`,
    )
    .action(async (backup: string | undefined, flags: RestoreFlags) => {
      const { asCliError } = await import('../../as-cli-error.ts')
      await drill(backup, flags).catch((error) => Promise.reject(asCliError(error)))
    })
}

async function drill(backup: string | undefined, flags: RestoreFlags): Promise<void> {
  if ((backup === undefined) === (flags.store === undefined))
    throw new CliError('name the file of a backup, or --store with the scratch database of a dump')
  const [{ drillRestore }, { drillIngestion }] = await Promise.all([
    import('@sluice/regulation'),
    import('./drill-ingestion.ts'),
  ])
  const place = await openLedgerPlace(flags, () => {})
  if (place === undefined) throw new CliError('--ledger is missing: give the folder or the database of the ledger')
  const folder = await mkdtemp(join(tmpdir(), 'sluice-drill-'))
  let store: Store | undefined
  try {
    store = await openCopy(backup, flags, folder)
    const { regulations } = store
    const report = await drillRestore({
      place,
      store: regulations,
      clock: systemClock,
      random: systemRandom,
      operatorKey: ledgerKeyOf(process.env),
      ingest: (persons) => drillIngestion(regulations, place, persons),
    })
    printLine(flags.json ? JSON.stringify(report) : drillText(report))
    if (report.notInForce.length + report.withoutIds.length > 0) process.exitCode = 1
  } finally {
    await store?.close()
    await place.close()
    await rm(folder, { recursive: true })
  }
}

async function openCopy(backup: string | undefined, { store }: RestoreFlags, folder: string): Promise<Store> {
  const parts = { clock: systemClock, random: systemRandom }
  if (backup === undefined) {
    const { openPostgresStore } = await import('@sluice/postgres')
    return openPostgresStore({ ...storeAddress(store), ...parts })
  }
  const path = join(folder, 'sluice.db')
  await copyFile(backup, path).catch(() => {
    throw new CliError(`${backup} cannot be read: name a file that sluice backup wrote`)
  })
  const { openSqliteStore } = await import('@sluice/storage')
  return openSqliteStore({ path, ...parts })
}

/** Ids that are shown of each kind. */
const shown = 10

function drillText(report: DrillReport): string {
  const { inBackup, active, putBack, canceled, notInForce, halfCanceled, tried, deletions, withoutIds } = report
  const rows = [
    ['regulations in the backup', inBackup],
    ['put back from the ledger', putBack],
    ['cancelled again', canceled],
    ['active in the ledger', active],
    ['of these, users who would be served', notInForce.length],
    ['of these, cancelled in the backup only', halfCanceled.length],
    ['persons of whom an event was sent, and suppressed unless named below', tried],
    ['that delete', deletions],
    ['of these, not to be deleted again', withoutIds.length],
  ].map((row) => row.map(String))
  const ids = (of: readonly string[]): string =>
    [...of.slice(0, shown), ...(of.length > shown ? [`and ${of.length - shown} more`] : [])].join(', ')
  return [
    table([['after a restore', 'number'], ...rows], 1),
    ...(notInForce.length > 0 ? [`not in force: ${ids(notInForce)}`] : []),
    ...(halfCanceled.length > 0
      ? [
          `cancelled in the backup only, because the call was interrupted: ${ids(halfCanceled)}. Repeat the cancellation, or create the regulation again`,
        ]
      : []),
    ...(withoutIds.length > 0
      ? [
          `not to be deleted again, because the ledger has no ids of these users: ${ids(withoutIds)}. They stay suppressed; order their deletion again after a restore`,
        ]
      : []),
    notInForce.length + withoutIds.length === 0
      ? 'proved: no suppressed user would be served, and every deletion would be done again'
      : 'not proved',
  ].join('\n')
}
