import { createDeadline, parseIpRange } from '@sluice/core'
import { Command, InvalidArgumentError, Option } from 'commander'
import { CliError } from './cli-error.ts'
import type { EventsFile } from './feed-events.ts'
import { repeatableOption } from './repeatable-option.ts'
import { withSandboxFlags } from './sandbox-flags.ts'
import { say } from './say.ts'
import { schemaLimit } from './schema-limits.ts'
import type { Close, ServeFlags } from './serve-workspace.ts'
import { withStorageFlags } from './storage-flags.ts'
import { wholeNumber, wholeNumberOrZero } from './whole-number.ts'

/** `sluice serve`: runs a data plane with its store on disk, until it is told to stop. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('run a workspace: take events over HTTP, deliver them, serve the APIs')
    .addOption(new Option('--workspace <file>', 'workspace file, JSON or YAML').conflicts('sample'))
    .option('--sample', 'run the sample workspace with its events and a local receiver')
    .option(
      '--data <folder>',
      'where the store is kept, sluice.db (with --sample: sample.db, emptied first)',
      '.sluice',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 0 for a free one', port, 8080)
    .option(
      '--governance-port <number>',
      'port of its own for the Data Governance API (default: with the others)',
      port,
    )
    .option('--strict-compatibility', 'answer as RudderStack does where the Data Governance API of it is odd')
    .addOption(
      new Option(
        '--schema-limit <name=number>',
        'how much of the shapes of events is learnt, for example versionsMax=50 (repeatable)',
      )
        .argParser(schemaLimit)
        .default({}, 'those of KNOBS.md'),
    )
    .addOption(
      repeatableOption(
        '--allow-address <range>',
        'a range that destinations may be in although it is not public, such as 10.1.0.0/16, or localhost',
        addressRange,
      ),
    )
    .option(
      '--client-ip-header <name>',
      'behind a proxy: header whose last entry, which your proxy writes, is the address of the client, such as x-forwarded-for (default: the peer)',
      headerName,
    )
    .option(
      '--retry-minutes <number>',
      'how long events are tried again that could not be delivered (default: 180; with --once: 0)',
      wholeNumberOrZero,
    )
    .option(
      '--receipts <number>',
      'of how many events at destinations it is kept where they went (default: 100000)',
      wholeNumber,
    )
    .option('--no-receipts', 'keep none: then nothing is told of an event that has ended')
    .addOption(
      new Option('--log-level <level>', 'which lines are logged on standard error, as JSON')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .option(
      '--dedup-minutes <number>',
      'leave out events of a source whose messageId was accepted so short a time before (default: take all)',
      wholeNumber,
    )
    .option('--dead-letters <number>', 'how many events that failed are kept (default: 100000)', wholeNumber)
    .option('--dead-letter-days <number>', 'how long they are kept (default: 30)', wholeNumber)
    .option(
      '--deletions-per-hour <number>',
      'users times destinations that may be deleted within an hour, per workspace (default: 200000)',
      wholeNumber,
    )
    .addOption(
      repeatableOption(
        '--events <source=file>',
        'feed a file of events, one JSON object a line, to a source',
        eventsFile,
      ),
    )
    .addOption(
      new Option(
        '--suppression-unavailable <do>',
        'what to do with events while it is not known who is suppressed (default: refuse)',
      ).choices(['refuse', 'pass']),
    )
    .option(
      '--connections <number>',
      'clients that may be connected at a time; more are told 503 (default: 10000)',
      wholeNumber,
    )
    .option(
      '--stop-seconds <number>',
      'how long what is under way may take when it is told to stop; the rest is done after a restart',
      stopSeconds,
      10,
    )
    .option('--once', 'end when the events of the files have ended everywhere, instead of serving')
  return withSandboxFlags(withStorageFlags(command))
    .addHelpText(
      'after',
      `
SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD turn on the Data Governance API; they open /metrics, /v1/stats, /v1/events
and /v1/tap too, as access tokens with the scope operate do.
SIGHUP applies the workspace file again; Ctrl-C stops after the batches under way.

Examples:
  sluice serve --workspace workspace.yaml --port 8080
  sluice serve --workspace workspace.yaml --allow-address localhost
  sluice serve --workspace workspace.yaml --events web=events.ndjson --once
  sluice serve --sample`,
    )
    .action(async (flags: ServeFlags) => {
      // Loaded when they are needed: the other commands start much faster without them.
      const [{ serveWorkspace }, { asCliError }] = await Promise.all([
        import('./serve-workspace.ts'),
        import('./as-cli-error.ts'),
      ])
      await serve(flags, serveWorkspace).catch((error) => Promise.reject(asCliError(error)))
    })
}

/** How much longer than it should stopping may take. */
const graceMs = 5_000

/** Something does not end though its time is over. What was acknowledged is on disk. */
function giveUp(): never {
  say('it could not be stopped in time; what was under way is done again after a restart')
  process.exit(1)
}

async function serve(
  flags: ServeFlags,
  serveWorkspace: typeof import('./serve-workspace.ts').serveWorkspace,
): Promise<void> {
  if (!flags.workspace && !flags.sample)
    throw new CliError('nothing to serve: name a --workspace file, or try --sample')
  const stopping = new AbortController()
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
    say('stopping (once more to stop at once)')
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const closing: Close[] = []
  try {
    await serveWorkspace(flags, stopping.signal, closing)
  } finally {
    const deadline = createDeadline(flags.stopSeconds * 1_000)
    const overdue = setTimeout(giveUp, flags.stopSeconds * 1_000 + graceMs)
    try {
      for (const close of closing.reverse()) await close(deadline)
    } finally {
      clearTimeout(overdue)
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    }
  }
}

function addressRange(value: string): string {
  try {
    if (value !== 'localhost') parseIpRange(value)
  } catch {
    throw new InvalidArgumentError('expected a range such as 10.1.0.0/16, an address, or localhost')
  }
  return value
}

function headerName(value: string): string {
  if (/^[\w-]{1,100}$/.test(value)) return value.toLowerCase()
  throw new InvalidArgumentError('expected the name of a header, for example x-forwarded-for')
}

/** Timers of more than 24 days end at once. */
function stopSeconds(value: string): number {
  const number = wholeNumber(value)
  if (number <= 86_400) return number
  throw new InvalidArgumentError('at most 86400, a day')
}

function port(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535')
}

function eventsFile(value: string): EventsFile {
  const [, source, path] = /^([^=]+)=(.+)$/.exec(value) ?? []
  if (source === undefined || path === undefined)
    throw new InvalidArgumentError('expected SOURCE=FILE, for example web=events.ndjson')
  return { source, path }
}
