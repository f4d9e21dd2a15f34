import { type Backoff, doublingMs } from '@sluice/core'
import { Command, Option } from 'commander'
import colors from 'picocolors'
import { CliError } from '../../cli-error.ts'
import { destinationPackageOption } from '../../flags/destination-flags.ts'
import { wholeNumber, wholeNumberOrZero } from '../../flags/whole-number.ts'
import { openServer, withServerFlags } from '../ask-server.ts'
import { readServerEvents } from '../read-server-events.ts'
import type { RecordFlags } from './create-recorder.ts'
import { type TapLine, tapLine } from './tap-line.ts'

interface TapFlags extends RecordFlags {
  readonly source?: string
  readonly event?: string
  readonly type?: string
  readonly outcome?: string
  readonly message?: string
  readonly perSecond?: number
  readonly last?: number
  readonly limit?: number
  readonly retries: number
}

/** First and longest wait before reconnecting; waits double in between. */
const waits: Backoff = { baseMs: 500, capMs: 10_000 }

/** `sluice tap`: shows what happens to events at a running server, live. */
export function tapCommand(): Command {
  return withServerFlags(new Command('tap'), 'one JSON object per line')
    .description('show live what happens to events: a line per event and destination, without payloads')
    .option('--source <id>', 'only events of this source')
    .option('--destination <id>', 'only events at this destination')
    .option('--event <name>', 'only events with this name')
    .option('--type <type>', 'only events of this type, for example track')
    .addOption(
      new Option('--outcome <outcome>', 'only events with this outcome').choices([
        'accepted',
        'delivered',
        'deferred',
        'dropped',
        'failed',
      ]),
    )
    .option('--message <id>', 'only the event with this messageId')
    .option('--per-second <number>', 'maximum number of events shown per second (default: 50)', wholeNumber)
    .option('--last <number>', 'show so many earlier entries first, at most 1000', wholeNumber)
    .option('--limit <number>', 'end after this many events', wholeNumber)
    .option('--retries <number>', 'how often to reconnect when the connection is lost', wholeNumberOrZero, 5)
    .option('--record <file.json>', 'add failed events to this file, as examples for the test of a destination')
    .option('--as <type>', 'with --record: type of the destination, for example MY_PRODUCT')
    .addOption(destinationPackageOption())
    .option('--settings <json>', 'with --record: settings of the examples, or @FILE to read them from a file', '{}')
    .option('--keep-personal-data', 'with --record: do not mask emails, phone and card numbers, IP addresses')
    .addHelpText(
      'after',
      `
Ctrl-C ends it.

The tap has no payloads. --record therefore reads failed events from the dead letters, which needs a token with the scope
operate, and with --keep-personal-data the scope write, too. Delivered events are kept nowhere and cannot be recorded.
Events are recorded as they were accepted, before transformations. Detectable personal data is masked, but names, ids and
other texts stay: check the file before you share it. The requests are those of the mapping here, with the masked event
and placeholders for secrets.

Examples:
  sluice tap --destination crm --outcome failed
  sluice tap --event 'Order Completed' --json --limit 10
  sluice tap --destination crm --record recorded.json --as MY_PRODUCT --destination-package ./my-product.js --settings @settings.json`,
    )
    .action(watch)
}

async function watch(flags: TapFlags): Promise<void> {
  // Loaded when needed, because it loads all destinations.
  const record = await (await import('./create-recorder.ts')).createRecorder(flags)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  // The reader of a pipe has closed it.
  process.stdout.once('error', stop)
  const print = printer(flags)
  let left = flags.limit ?? Number.POSITIVE_INFINITY
  let failures = 0
  let wasOpen = false
  while (left > 0 && !stopping.signal.aborted) {
    try {
      // After a lost connection, they were shown already.
      const query = queryOf(wasOpen ? { ...flags, last: undefined } : flags)
      const response = await openServer(flags, `/v1/tap?${query}`, stopping.signal)
      if (wasOpen) process.stderr.write('watching again\n')
      wasOpen = true
      failures = 0
      for await (const { name, data } of readServerEvents(response)) {
        if (name === 'leftOut') process.stderr.write(`${JSON.parse(data).count} more, not shown\n`)
        if (name !== 'entry') continue
        const line = JSON.parse(data) as TapLine
        print(line)
        await record?.(line)
        left -= 1
        if (left === 0) break
      }
    } catch (error) {
      if (stopping.signal.aborted) break
      if (!wasOpen || failures >= flags.retries) throw error
    }
    if (left === 0 || stopping.signal.aborted) break
    if (failures >= flags.retries) throw new CliError(`lost the connection to ${flags.url}`)
    failures += 1
    const waitMs = doublingMs(failures, waits)
    process.stderr.write(`lost the connection; trying again in ${waitMs / 1_000} s\n`)
    await pause(waitMs, stopping.signal)
  }
  process.off('SIGINT', stop).off('SIGTERM', stop)
}

function queryOf({ source, destination, event, type, outcome, message, perSecond, last }: TapFlags): string {
  const given = { source, destination, event, type, outcome, messageId: message, perSecond, last }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value))
  return query.toString()
}

function printer({ json }: TapFlags): (line: TapLine) => void {
  if (json) return (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
  const widths = { way: 0, name: 0 }
  const shown = colors.createColors(process.stdout.isTTY === true && colors.isColorSupported)
  return (line) => process.stdout.write(`${tapLine(line, widths, shown)}\n`)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
