import { setTimeout as sleep } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { timeOrAge } from '../../flags/time-or-age.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'
import { askServer, type ServerFlags, ServerRefusal, withServerFlags } from '../ask-server.ts'

interface ReplayFlags extends ServerFlags {
  readonly destination: string
  readonly source: 'log' | 'dead-letters'
  readonly from?: string
  readonly to?: string
  readonly dryRun?: true
}

interface Step {
  readonly matched: number
  readonly next?: string
}

/** Wait while the destination is busy. */
const busyWaitMs = 2_000
/** Waits in a row after which the command fails, so that the user looks for the reason. */
const busyWaitsMax = 300

/** `sluice replay`: sends events of the log, or dead letters, to a destination of a running server again. */
export function replayCommand(): Command {
  return withServerFlags(new Command('replay'))
    .description('send events to a destination again, from the log or from the dead letters')
    .requiredOption('--destination <id>', 'destination to send to')
    .addOption(
      new Option('--source <what>', 'where the events come from').choices(['log', 'dead-letters']).default('log'),
    )
    .option('--from <time>', 'received (dead letters: failed) at or after: ISO 8601, or 90m, 24h, 7d ago', timeOrAge)
    .option('--to <time>', 'and before; same formats', timeOrAge)
    .option('--dry-run', 'count only')
    .addHelpText(
      'after',
      `
All events of that time are sent, whether delivered before or not, except those of users suppressed now. How far back the
log reaches is set by serve --keep-hours and --keep-mb. Stop with Ctrl-C; events already sent stay sent.

Examples:
  sluice replay --destination crm --from 2h --dry-run
  sluice replay --destination crm --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z
  sluice replay --destination crm --source dead-letters --from 24h`,
    )
    .action(replay)
}

async function replay(flags: ReplayFlags): Promise<void> {
  const { destination: destinationId, source, from, to, dryRun = false } = flags
  const progress = new Progress(process.stderr)
  let matched = 0
  let waits = 0
  let next: string | undefined
  do {
    const body = {
      destinationId,
      source,
      dryRun,
      from: from || undefined,
      to: to || undefined,
      after: next || undefined,
    }
    try {
      const step = await askServer<Step>(flags, 'POST', '/v2/replays', body)
      matched += step.matched
      next = step.next
      waits = 0
      progress.update(`${matched} events`)
    } catch (error) {
      if (!(error instanceof ServerRefusal) || error.code !== 'replayBusy' || waits >= busyWaitsMax) throw error
      if (waits === 0) printLine(`${matched} events so far; waiting until ${destinationId} has processed some of them`)
      waits += 1
      await sleep(busyWaitMs)
    }
  } while (next !== undefined || waits > 0)
  progress.done(`${matched} events`)
  const text = dryRun ? `${matched} would be sent` : `${matched} queued`
  process.stdout.write(flags.json ? `${JSON.stringify({ matched, dryRun })}\n` : `${text}\n`)
}
