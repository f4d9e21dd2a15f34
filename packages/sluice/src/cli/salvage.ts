import type { SalvageReport } from '@sluice/storage'
import { Command } from 'commander'
import { say } from './say.ts'
import { table } from './table.ts'

/** The exit status when not everything could be read. */
const lostStatus = 2

/** `sluice salvage`: saves what can be read of a damaged store. */
export function salvageCommand(): Command {
  return new Command('salvage')
    .description('copy what can be read of a damaged store into a new one; the damaged file is only read')
    .argument('<file>', 'of the store, for example .sluice/sluice.db')
    .argument('<new file>', 'that is made')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The exit status is 0 when everything could be read, ${lostStatus} when something is lost.

Examples:
  sluice salvage .sluice/sluice.db saved.db`,
    )
    .action(async (file: string, newFile: string, { json }: { json?: true }) => {
      // Loaded when they are needed: the other commands start much faster without them.
      const [{ salvageSqliteStore }, { asCliError }] = await Promise.all([
        import('@sluice/storage'),
        import('./as-cli-error.ts'),
      ])
      const report = await salvageSqliteStore(file, newFile, Date.now()).catch((error) =>
        Promise.reject(asCliError(error)),
      )
      say(json ? JSON.stringify(report, null, 2) : salvageText(report, file, newFile))
      if (!report.isComplete) process.exitCode = lostStatus
    })
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
    ...(lost ? [`Batches of the log that are lost, as far as they were not trimmed: ${lost}`] : []),
    ...(restarted
      ? [`How far these had got cannot be read; they do everything again that is in the log: ${restarted}`]
      : []),
    isComplete ? `${newFile}: everything could be read.` : `${newFile}: what could be read; something is lost.`,
    `When you put it in the place of ${file}, move ${file}-wal away: it does not belong to it.`,
  ].join('\n')
}
