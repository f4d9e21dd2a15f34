import type { Isolation, SandboxLimits, SandboxOptions } from '@sluice/sandbox'
import { type Command, Option } from 'commander'
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
  readonly fetchAllow?: readonly string[]
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
    .option('--in-process', 'run user code in this thread: no threads, but native loops cannot be stopped')
}

/** Converts the flags to options of the sandbox. */
export function sandboxOptionsOf(flags: SandboxFlags): SandboxOptions {
  const { isolation, workers, inProcess, fetchAllow, queue, warm, warmMemory } = flags
  return {
    ...(isolation ? { isolation } : {}),
    ...(workers ? { workers } : {}),
    ...(queue ? { queueLengthMax: queue } : {}),
    ...(warm || warmMemory
      ? {
          warm: {
            ...(warm ? { programsMax: warm } : {}),
            ...(warmMemory ? { imagesBytesMax: warmMemory * mebibyte } : {}),
          },
        }
      : {}),
    ...(inProcess ? { mode: 'in-process' } : {}),
    ...(fetchAllow ? { fetch: { allow: fetchAllow } } : {}),
    limits: limitsOf(flags),
  }
}

function limitsOf(flags: SandboxFlags): Partial<SandboxLimits> {
  const { eventTime, batchTime, asyncTime, memory, stack, output, log, fanOut } = flags
  return {
    ...(eventTime ? { eventTimeMs: eventTime } : {}),
    ...(batchTime ? { batchTimeMs: batchTime } : {}),
    ...(asyncTime ? { asyncTimeMs: asyncTime } : {}),
    ...(memory ? { memoryBytes: memory * mebibyte } : {}),
    ...(stack ? { stackBytes: stack * kibibyte } : {}),
    ...(output ? { outputBytesPerEvent: output * kibibyte } : {}),
    ...(log ? { logBytesPerEvent: log * kibibyte } : {}),
    ...(fanOut ? { fanOutMax: fanOut } : {}),
  }
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
