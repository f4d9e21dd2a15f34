import { table } from '@sluice/core/table'
import type { SalvageReport } from '@sluice/storage'
import { Command } from 'commander'
import { printLine } from '../../terminal/print-line.ts'

/** Exit status when something could not be read. */
const lostStatus = 2

/** `sluice salvage`: saves what can be read of a damaged store. */
export function salvageCommand(): Command {
  return new Command('salvage')
    .description('copy what can be read of a damaged store into a new one; the damaged file is only read')
    .argument('<file>', 'damaged store, for example .sluice/sluice.db')
    .argument('<new file>', 'new store')
    .option(
      '--confirm-lost-regulations',
      'let the new store be served although regulations are lost, and no ledger puts them back',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The exit status is 0 when everything could be read, and ${lostStatus} when something is lost.

A store whose regulations could not all be read is served only with the ledger that it had, which puts them back, or after
--confirm-lost-regulations: users who are suppressed would be served.

Examples:
  sluice salvage .sluice/sluice.db saved.db`,
    )
    .action(
      async (
        file: string,
        newFile: string,
        { json, confirmLostRegulations }: { json?: true; confirmLostRegulations?: true },
      ) => {
        // Loaded when needed, so that the other commands start much faster.
        const [{ salvageSqliteStore }, { asCliError }] = await Promise.all([
          import('@sluice/storage'),
          import('../../as-cli-error.ts'),
        ])
        const report = await salvageSqliteStore(file, newFile, Date.now(), {
          confirmsLostRegulations: confirmLostRegulations === true,
        }).catch((error) => Promise.reject(asCliError(error)))
        printLine(json ? JSON.stringify(report, null, 2) : salvageText(report, file, newFile))
        if (!report.isComplete) process.exitCode = lostStatus
      },
    )
}

function salvageText(
  { tables, lostBatches, restartedConsumers, isComplete }: SalvageReport,
  file: string,
  newFile: string,
): string {
  const rows = tables.map(({ table: name, copied, unreadable }) => [
    name,
    String(copied),
    unreadable === 0 ? '0' : `at most ${unreadable}`,
  ])
  const lost = lostBatches.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`)).join(', ')
  const restarted = restartedConsumers.map(({ workspaceId, consumer }) => `${consumer} of ${workspaceId}`).join(', ')
  return [
    table([['table', 'rows copied', 'unreadable'], ...rows], 1),
    ...(lost ? [`Lost batches of the log, unless they had been trimmed: ${lost}`] : []),
    ...(tables.some(({ table: name, unreadable }) => name === 'regulation' && unreadable > 0)
      ? [
          'Regulations are lost: the next start needs the ledger that the store had, unless --confirm-lost-regulations was given.',
        ]
      : []),
    ...(restarted ? [`Consumers whose position cannot be read; they process the whole log again: ${restarted}`] : []),
    isComplete ? `${newFile}: everything could be read.` : `${newFile}: some data could not be read and is lost.`,
    `When you replace ${file} by it, move ${file}-wal away: it does not belong to the new file.`,
  ].join('\n')
}
