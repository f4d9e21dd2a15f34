import type { FetchOptions, Isolation, SandboxLimits, SandboxOptions } from '@sluice/sandbox'
import { type Command, Option } from 'commander'
import { CliError } from '../cli-error.ts'
import { addressRange } from './address-range.ts'
import { repeatableOption } from './repeatable-option.ts'
import { wholeNumber } from './whole-number.ts'

export interface SandboxFlags {
  readonly isolation?: Isolation
  readonly eventTime?: number
  readonly batchTime?: number
  readonly asyncTime?: number
  readonly memory?: number
  readonly stack?: number
  readonly output?: number
  readonly log?: number
  readonly fanOut?: number
  readonly workers?: number
  readonly queue?: number
  readonly warm?: number
  readonly warmMemory?: number
  readonly inProcess?: true
  readonly trustedCode?: true
  readonly fetchAllow?: readonly string[]
  readonly fetchAddress?: readonly string[]
  readonly geolocation?: string
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Adds the flags of the sandbox to a command. */
export function withSandboxFlags(command: Command): Command {
  return command
    .optionsGroup('Limits of user code, as in production:')
    .addOption(
      new Option(
        '--isolation <level>',
        'what shares state: nothing (event), a batch, or everything (none) (default: batch)',
      ).choices(['event', 'batch', 'none']),
    )
    .option('--event-time <ms>', 'running time of user code for one event (default: 1000)', wholeNumber)
    .option('--batch-time <ms>', 'running time of user code for a batch (default: 4000)', wholeNumber)
    .option(
      '--async-time <ms>',
      'time until promises of user code settle, including waiting (default: 10000)',
      wholeNumber,
    )
    .option('--memory <MiB>', 'memory of user code, including the engine (default: 64)', wholeNumber)
    .option('--stack <KiB>', 'stack of user code (default: 256, in process 32)', wholeNumber)
    .option('--output <KiB>', 'size of the output for one event, as JSON (default: 4096)', wholeNumber)
    .option('--log <KiB>', 'size of the log of one event (default: 64)', wholeNumber)
    .option('--fan-out <number>', 'maximum number of events returned for one event (default: 100)', wholeNumber)
    .option('--workers <number>', 'threads that run user code (default: one less than there are cores)', wholeNumber)
    .option('--queue <number>', 'maximum number of batches waiting for a thread (default: 10000)', wholeNumber)
    .option('--warm <number>', 'programs that stay loaded (default: 1000)', wholeNumber)
    .option('--warm-memory <MiB>', 'memory of the programs that stay loaded (default: 128)', wholeNumber)
    .option('--fetch-allow <host>', 'a host that user code may fetch from (repeatable; default: none)', collect)
    .addOption(
      repeatableOption(
        '--fetch-address <range>',
        'non-public address range that user code may fetch from, such as 10.1.0.0/16, or localhost; the host must be allowed too',
        addressRange,
      ),
    )
    .option(
      '--geolocation <file>',
      'database of geolocation(ip) of user code, such as GeoLite2-City.mmdb (default: none)',
    )
    .option('--in-process', 'run user code in this thread: no threads, but native loops cannot be stopped')
    .option(
      '--trusted-code',
      'run user code in V8, several times as fast: only for authors who may reach the files and the network of this computer',
    )
}

/**
 * Returns what user code may fetch; undefined for nothing.
 * @param unnamed what may be fetched when no flag names a host.
 */
export function networkOf(
  { fetchAllow, fetchAddress = [] }: SandboxFlags,
  unnamed?: 'public',
): FetchOptions | undefined {
  const allow = fetchAllow ?? unnamed
  if (allow !== undefined) return { allow, allowAddresses: fetchAddress.length > 0 ? fetchAddress : undefined }
  if (fetchAddress.length === 0) return undefined
  throw new CliError('--fetch-address needs --fetch-allow HOST, for example --fetch-allow api.internal')
}

/** Converts the flags to options of the sandbox. */
export async function sandboxOptionsOf(flags: SandboxFlags): Promise<SandboxOptions> {
  const fetch = networkOf(flags)
  const { isolation, workers, inProcess, trustedCode, geolocation, queue, warm, warmMemory } = flags
  if (inProcess && trustedCode)
    throw new CliError('--trusted-code needs threads, because only they can be ended: leave out --in-process')
  // Loaded when needed, with a reader of such files.
  const located = geolocation === undefined ? undefined : await import('../geolocation/open-geolocation.ts')
  return {
    ...(trustedCode ? { code: 'trusted' as const } : {}),
    isolation,
    workers: workers || undefined,
    queueLengthMax: queue || undefined,
    ...(warm || warmMemory
      ? {
          warm: {
            programsMax: warm || undefined,
            imagesBytesMax: warmMemory ? warmMemory * mebibyte : undefined,
          },
        }
      : {}),
    mode: inProcess ? 'in-process' : undefined,
    fetch,
    geolocation: located && geolocation !== undefined ? await located.openGeolocation(geolocation) : undefined,
    limits: limitsOf(flags),
  }
}

function limitsOf(flags: SandboxFlags): Partial<SandboxLimits> {
  const { eventTime, batchTime, asyncTime, memory, stack, output, log, fanOut } = flags
  return {
    eventTimeMs: eventTime || undefined,
    batchTimeMs: batchTime || undefined,
    asyncTimeMs: asyncTime || undefined,
    memoryBytes: memory ? memory * mebibyte : undefined,
    stackBytes: stack ? stack * kibibyte : undefined,
    outputBytesPerEvent: output ? output * kibibyte : undefined,
    logBytesPerEvent: log ? log * kibibyte : undefined,
    fanOutMax: fanOut || undefined,
  }
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
