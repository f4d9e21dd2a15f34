import type { Isolation, SandboxOptions } from '@sluice/sandbox'
import { type Command, InvalidArgumentError, Option } from 'commander'

export interface SandboxFlags {
  readonly isolation?: Isolation
  readonly eventTime?: number
  readonly batchTime?: number
  readonly memory?: number
  readonly workers?: number
  readonly inProcess?: true
  readonly fetchAllow?: readonly string[]
}

const mebibyte = 1024 * 1024

/** Adds the knobs of the sandbox to a command. */
export function withSandboxFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--isolation <level>', 'what events see of each other (default: batch)').choices([
        'event',
        'batch',
        'none',
      ]),
    )
    .option('--event-time <ms>', 'running time of user code for one event (default: 1000)', wholeNumber)
    .option('--batch-time <ms>', 'running time of user code for a batch (default: 4000)', wholeNumber)
    .option('--memory <MiB>', 'memory of user code, the engine included (default: 64)', wholeNumber)
    .option('--workers <number>', 'threads that run user code (default: one less than there are cores)', wholeNumber)
    .option('--fetch-allow <host>', 'a host that user code may fetch from (repeatable; default: none)', collect)
    .option('--in-process', 'run user code in this thread: no threads, but native loops cannot be stopped')
}

/** What the flags ask for. */
export function sandboxOptionsOf(flags: SandboxFlags): SandboxOptions {
  const { isolation, eventTime, batchTime, memory, workers, inProcess, fetchAllow } = flags
  return {
    ...(isolation ? { isolation } : {}),
    ...(workers ? { workers } : {}),
    ...(inProcess ? { mode: 'in-process' } : {}),
    ...(fetchAllow ? { fetch: { allow: fetchAllow } } : {}),
    limits: {
      ...(eventTime ? { eventTimeMs: eventTime } : {}),
      ...(batchTime ? { batchTimeMs: batchTime } : {}),
      ...(memory ? { memoryBytes: memory * mebibyte } : {}),
    },
  }
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function wholeNumber(value: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('a whole number above 0')
}
