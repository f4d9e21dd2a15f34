import { Command, InvalidArgumentError, Option } from 'commander'
import { addressRangeOption } from '../../flags/address-range.ts'
import { ledgerOption } from '../../flags/ledger-place.ts'
import { repeatableOption } from '../../flags/repeatable-option.ts'
import { withSandboxFlags } from '../../flags/sandbox-flags.ts'
import { schemaLimit } from '../../flags/schema-limit.ts'
import { withStorageFlags } from '../../flags/storage-flags.ts'
import { storeOption } from '../../flags/store-address.ts'
import { wholeNumber, wholeNumberOrZero } from '../../flags/whole-number.ts'
import type { EventsFile } from './feed-events.ts'
import type { ServeFlags } from './serve-flags.ts'

/** `sluice serve`: runs a data plane with its store on disk until it is stopped. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('run a workspace: receive events over HTTP, deliver them, serve the APIs')
    .addOption(
      new Option('--workspace <file>', 'workspace file, JSON or YAML (default: what the store has)').conflicts(
        'sample',
      ),
    )
    .option('--sample', 'run the sample workspace with its events and a local receiver')
    .addOption(
      new Option(
        '--demo',
        'let a made-up day of a shop pass, with failures, a bad publication and a deletion under way, to look at in the studio; all of it in memory, and nothing is sent to anyone',
      ).conflicts(['workspace', 'store', 'processes', 'events', 'once']),
    )
    .option('--data <folder>', 'folder of the store, sluice.db (with --sample: sample.db, emptied first)', '.sluice')
    .addOption(storeOption('database that several processes share, instead of a folder'))
    .addOption(ledgerOption())
    .option(
      '--backups-kept-days <number>',
      'how long backups of the store are kept; so long the ledger keeps the encrypted ids of erased users (default: 90)',
      wholeNumberOrZero,
    )
    .option(
      '--lease-seconds <number>',
      'with --store: how long a process may be silent before others take over; the same for all (default: 5)',
      wholeNumber,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 0 for a free one', port, 8080)
    .option('--governance-port <number>', 'separate port for the Data Governance API (default: with the others)', port)
    .option(
      '--local-destinations',
      'let the API configure destinations that write files of this server (FILE, DUCKDB, …)',
    )
    .option('--strict-compatibility', 'answer like RudderStack where its Data Governance API is odd')
    .addOption(
      new Option(
        '--schema-limit <name=number>',
        'limit of the schema catalogue, for example versionsMax=50 (repeatable)',
      )
        .argParser(schemaLimit)
        .default({}, 'those of KNOBS.md'),
    )
    .addOption(addressRangeOption())
    .option(
      '--client-ip-header <name>',
      'behind a proxy: header to which your proxy appends the address of the client, such as x-forwarded-for (default: the peer)',
      headerName,
    )
    .option(
      '--public-address <url>',
      'behind a proxy: address of this server for others, for OpenDSR (default: where each request was sent to)',
    )
    .option(
      '--retry-minutes <number>',
      'how long to retry events that could not be delivered (default: 180; with --once: 0)',
      wholeNumberOrZero,
    )
    .option('--receipts <number>', 'number of event receipts to keep (default: 100000)', wholeNumber)
    .option('--no-receipts', 'store no receipts; lookups then find only pending and failed events')
    .addOption(
      new Option('--log-level <level>', 'lowest level of log lines, which go to standard error')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .addOption(
      new Option('--log-format <format>', 'format of log lines (default: text on a terminal, json elsewhere)').choices([
        'text',
        'json',
      ]),
    )
    .option(
      '--dedup-minutes <number>',
      'ignore events whose messageId the source sent within this time (default: take all)',
      wholeNumber,
    )
    .option(
      '--take-good-events',
      'take the good events of a call, refuse the malformed ones one by one, and list them in the answer; a source may say otherwise with onInvalid (default: refuse-call, one malformed event refuses its call)',
    )
    .option('--dead-letters <number>', 'number of dead letters to keep (default: 100000)', wholeNumber)
    .option('--dead-letter-days <number>', 'how long to keep dead letters (default: 30)', wholeNumber)
    .option(
      '--deletions-per-hour <number>',
      'maximum deletions per hour and workspace, counted as users times destinations (default: 200000)',
      wholeNumber,
    )
    .addOption(
      repeatableOption(
        '--events <source=file>',
        'ingest a file of events, one JSON object per line, into a source; - is standard input',
        eventsFile,
      ),
    )
    .addOption(
      new Option(
        '--suppression-unavailable <do>',
        'what to do with events while the suppressed users cannot be read (default: refuse)',
      ).choices(['refuse', 'pass']),
    )
    .option(
      '--connections <number>',
      'maximum number of open connections; more replace idle ones of another address, or get 503 (default: 10000)',
      wholeNumber,
    )
    .option(
      '--processes <number>',
      'with --store: processes that share the ports, or auto for one per core (default: 1)',
      processes,
    )
    .option(
      '--stop-seconds <number>',
      'time for work in progress when stopping; the rest is done after a restart',
      stopSeconds,
      10,
    )
    .addOption(
      repeatableOption(
        '--trusted-workspace <id>',
        'run the user code of one workspace as --trusted-code does that of all, like sandbox: { code: trusted } in its file',
      ),
    )
    .option('--no-studio', 'serve no page at /studio')
    .option(
      '--studio-link',
      'print the link that signs in the operator also where standard output is no terminal (default: a log may be read by others)',
    )
    .addOption(
      new Option('--studio-font <font>', 'font of the page: the one it brings, or that of the system of its reader')
        .choices(['geist', 'system'])
        .default('geist'),
    )
    .option('--once', 'end when all events of the files are processed, instead of serving')
  return withSandboxFlags(withStorageFlags(command))
    .addHelpText(
      'after',
      `
SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD turn on the Data Governance API. They also give access to /metrics,
/v1/stats, /v1/events and /v1/tap, like access tokens with the scope operate.
SLUICE_LEDGER_KEY, 32 characters or more, has the ledger keep the ids of users to delete, encrypted, for a restore.
Without --workspace, the first start prints an access token with the scope admin; SLUICE_ADMIN_TOKEN sets it instead.
SIGHUP applies the workspace file again, in all processes. Ctrl-C stops after the batches in progress.

Examples:
  sluice serve --workspace workspace.yaml --port 8080
  sluice serve --workspace workspace.yaml --allow-address localhost
  sluice serve --workspace workspace.yaml --events web=events.ndjson --once
  sluice serve --workspace workspace.yaml --store postgres://sluice@db.internal/sluice --processes auto
  sluice serve --sample
  sluice serve --demo`,
    )
    .action(serve)
}

/** Serves in this process, or starts others that do. What is needed is loaded then, so that other commands start much faster. */
async function serve(flags: ServeFlags): Promise<void> {
  // Set by the supervisor for the processes that it starts, and for nothing else.
  const { SLUICE_PROCESS: place } = process.env
  if (place !== undefined && process.connected) {
    const { serveAsProcess } = await import('./processes/serve-as-process.ts')
    return serveAsProcess(flags, place)
  }
  if (flags.processes !== undefined) {
    const { processCount } = await import('./processes/process-count.ts')
    const count = processCount(flags)
    if (count > 1) {
      const { serveInProcesses } = await import('./processes/serve-in-processes.ts')
      return serveInProcesses(flags, count)
    }
  }
  const { serveAlone } = await import('./serve-alone.ts')
  return serveAlone(flags)
}

function headerName(value: string): string {
  if (/^[\w-]{1,100}$/.test(value)) return value.toLowerCase()
  throw new InvalidArgumentError('expected the name of a header, for example x-forwarded-for')
}

/** Limited, because timers of more than 24 days fire immediately. */
function stopSeconds(value: string): number {
  const number = wholeNumber(value)
  if (number <= 86_400) return number
  throw new InvalidArgumentError('at most 86400, a day')
}

/** At most as many as the log has lanes: one more would deliver nothing. */
function processes(value: string): number | 'auto' {
  if (value === 'auto') return value
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= 1 && number <= 32) return number
  throw new InvalidArgumentError('a whole number from 1 to 32, or auto for one per core')
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
