import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { table } from '@sluice/core/table'
import type { ChainReport, LedgerPlace } from '@sluice/regulation'
import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { ledgerKeyOf, ledgerOption, openLedgerPlace } from '../flags/ledger-place.ts'
import { storeAddress, storeOption } from '../flags/store-address.ts'
import { printLine } from '../terminal/print-line.ts'

interface LedgerFlags {
  readonly ledger?: string
  readonly store?: string
  readonly data?: string
  readonly json?: boolean
}

/** `sluice ledger`: checks, prints and accepts the ledger of regulations. */
export function ledgerCommand(): Command {
  const verify = withPlace('verify')
    .description('read the whole ledger and check that nothing in it was changed or taken out')
    .option('--json', 'print one JSON object per chain')
    .addHelpText(
      'after',
      `
Each process writes a chain of its own, in which each line contains the hash of the one before. Exit status 1 when a
chain is broken, the ledger is missing, or its key is missing or another one. It needs no store, and may run while servers do.

Examples:
  sluice ledger verify --data .sluice
  sluice ledger verify --ledger /mnt/other-disk/ledger --json`,
    )
    .action(verifyPlace)
  const print = withPlace('export')
    .description('print every record of the ledger, one JSON object per line; it contains no ids of persons')
    .addHelpText('after', '\nExamples:\n  sluice ledger export --data .sluice > ledger.ndjson')
    .action(exportPlace)
  const adopt = withPlace('adopt')
    .addOption(storeOption('database of the store, instead of a folder'))
    .description('have a store accept a ledger that was lost, is shorter, was changed, or belongs to another store')
    .addHelpText(
      'after',
      `
What can still be read of the ledger is put back into the store first. What it has lost stays lost: regulations that only
the missing part had. So look for the right ledger before. No server may use the store meanwhile.

Examples:
  sluice ledger adopt --data .sluice
  sluice ledger adopt --store postgres://sluice_run@db/sluice --ledger /mnt/shared/ledger`,
    )
    .action(adoptPlace)
  const rekey = withPlace('rekey')
    .description('encrypt the ids in the ledger under another key')
    .addHelpText(
      'after',
      `
SLUICE_LEDGER_KEY is the present key, SLUICE_LEDGER_NEW_KEY the next one. Stop the servers before, and start them with the
new key. When it is interrupted, run it again. Without the present key, ids cannot be saved: suppression still outlives a
restore, deletions must be ordered again by hand.

Examples:
  SLUICE_LEDGER_NEW_KEY="$(openssl rand -base64 32)" sluice ledger rekey --data .sluice`,
    )
    .action(rekeyPlace)
  return new Command('ledger')
    .description('check, print or accept the ledger, in which regulations outlive a restored store')
    .addCommand(verify)
    .addCommand(print)
    .addCommand(adopt)
    .addCommand(rekey)
    .addHelpText(
      'after',
      `
Every regulation is kept in the store and in the ledger before it is answered. When the server starts, it compares both,
and puts back what the store lacks, before it takes or sends an event.

Examples:
  sluice ledger verify --data .sluice
  sluice ledger export --data .sluice
  sluice ledger adopt --data .sluice`,
    )
}

function withPlace(name: string): Command {
  return new Command(name).addOption(ledgerOption()).option('--data <folder>', 'folder of the store', '.sluice')
}

async function verifyPlace(flags: LedgerFlags): Promise<void> {
  const [{ requireWholeLedger, verifyLedger }, { asCliError }] = await Promise.all([
    import('@sluice/regulation'),
    import('../as-cli-error.ts'),
  ])
  const reports: ChainReport[] = []
  await withLedger(flags, async (place) => {
    for await (const report of verifyLedger(place)) {
      reports.push(report)
      if (flags.json) printLine(JSON.stringify(report))
    }
    if (!flags.json) printLine(verifyText(place, reports))
    // After the chains, so that what is left of them is shown as well.
    await requireWholeLedger(place).catch((error) => Promise.reject(asCliError(error)))
  })
  if (reports.some(({ problem }) => problem !== undefined)) process.exitCode = 1
}

function verifyText(place: LedgerPlace, reports: readonly ChainReport[]): string {
  const sum = (count: (report: ChainReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0)
  const broken = reports.filter(({ problem }) => problem !== undefined)
  const rows = reports.map(({ chain, lines, regulations, canceled, from, to, problem }) => [
    chain,
    String(lines),
    String(regulations),
    String(canceled),
    from ?? '',
    to ?? '',
    problem ?? 'whole',
  ])
  return [
    ...(rows.length === 0
      ? []
      : [table([['chain', 'lines', 'regulations', 'cancelled', 'from', 'to', 'state'], ...rows], 7)]),
    `${place.name}: ${sum(({ regulations }) => regulations)} regulations, ${sum(({ canceled }) => canceled)} cancelled, in ${reports.length} chains, ${broken.length} of them broken`,
  ].join('\n')
}

async function exportPlace(flags: LedgerFlags): Promise<void> {
  const { readChain } = await import('@sluice/regulation')
  await withLedger(flags, async (place) => {
    for (const chain of await place.chains())
      for await (const { content } of readChain(place, chain))
        for (const record of content.records) printLine(JSON.stringify({ at: content.at, ...record }))
  })
}

async function adoptPlace(flags: LedgerFlags): Promise<void> {
  const [{ adoptLedger }, { asCliError }] = await Promise.all([
    import('@sluice/regulation'),
    import('../as-cli-error.ts'),
  ])
  await withLedger(flags, async (place) => {
    const store = await openStore(flags)
    try {
      const { putBack, canceled } = await adoptLedger(place, store.regulations, {
        clock: systemClock,
        random: systemRandom,
        operatorKey: ledgerKeyOf(process.env),
      })
      printLine(`accepted ${place.name}: ${putBack} regulations put back, ${canceled} cancelled again`)
    } catch (error) {
      throw asCliError(error)
    } finally {
      await store.close()
    }
  })
}

async function rekeyPlace(flags: LedgerFlags): Promise<void> {
  const [from, to] = ['SLUICE_LEDGER_KEY', 'SLUICE_LEDGER_NEW_KEY'].map((name) => ledgerKeyOf(process.env, name))
  if (from === undefined || to === undefined)
    throw new CliError('set SLUICE_LEDGER_KEY to the present key and SLUICE_LEDGER_NEW_KEY to the next one')
  const [{ rekeyLedger }, { asCliError }] = await Promise.all([
    import('@sluice/regulation'),
    import('../as-cli-error.ts'),
  ])
  await withLedger(flags, async (place) => {
    const parts = { clock: systemClock, random: systemRandom }
    const changed = await rekeyLedger(place, { from, to }, parts).catch((error) => Promise.reject(asCliError(error)))
    printLine(`${place.name}: ${changed} notes encrypted under the new key`)
  })
}

async function openStore({ store, data = '.sluice' }: LedgerFlags) {
  const parts = { clock: systemClock, random: systemRandom }
  if (store === undefined) {
    const { openSqliteStore } = await import('@sluice/storage')
    return openSqliteStore({ path: join(data, 'sluice.db'), ...parts })
  }
  const { openPostgresStore } = await import('@sluice/postgres')
  return openPostgresStore({ ...storeAddress(store), ...parts })
}

async function withLedger(flags: LedgerFlags, use: (place: LedgerPlace) => Promise<void>): Promise<void> {
  const { asCliError } = await import('../as-cli-error.ts')
  const failed = (error: unknown): never => {
    throw asCliError(error)
  }
  const place = await openLedgerPlace(flags, () => {}).catch(failed)
  if (place === undefined) throw new CliError('--ledger is missing: give the folder or the database of the ledger')
  try {
    if ((await place.kept('id').catch(failed)) === undefined && flags.store === undefined)
      process.stderr.write(`${place.name} has no ledger yet\n`)
    await use(place)
  } finally {
    await place.close()
  }
}
