import { access, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createSecretMask, type SecretMask } from '@sluice/destinations'
import {
  findSubject,
  OfflineLoadError,
  type OfflineOutcome,
  type OfflineSetup,
  ProjectError,
  runOffline,
  type Subject,
} from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import type { DestinationFlags } from '../flags/destination-flags.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../flags/sandbox-flags.ts'
import { readNdjson } from '../read-ndjson.ts'
import { offlineDestination } from './offline-destination.ts'

export interface RunFlags extends SandboxFlags, DestinationFlags {
  readonly events: string
  readonly transformation?: string
  readonly library: readonly string[]
}

/** Runs `sluice run`. */
export async function runEvents(flags: RunFlags): Promise<void> {
  const setup = await setupOf(flags)
  await access(flags.events).catch(() => {
    throw new CliError(`--events: ${flags.events} cannot be read`)
  })
  const { destination } = setup
  const mask = destination && createSecretMask(destination.definition, destination.settings)
  let troubled = false
  try {
    for await (const outcome of runOffline(readNdjson(flags.events), setup)) {
      troubled ||= outcome.outcome === 'failed' || outcome.outcome === 'rejected'
      if (!process.stdout.write(`${JSON.stringify(withoutSecrets(outcome, mask))}\n`))
        await new Promise((resolve) => process.stdout.once('drain', resolve))
    }
  } catch (error) {
    if (error instanceof RangeError) throw new CliError(error.message)
    throw error instanceof OfflineLoadError ? new CliError(`--transformation: ${error.message}`) : error
  }
  if (troubled) process.exitCode = 1
}

/** Masks secrets, because output ends up in terminals, logs and tickets. */
function withoutSecrets(outcome: OfflineOutcome, mask: SecretMask | undefined): OfflineOutcome {
  const { requests, error } = outcome
  if (mask === undefined) return outcome
  return {
    ...outcome,
    ...(requests && { requests: requests.map(mask.request) }),
    ...(error && { error: { ...error, message: String(mask.value(error.message)) } }),
  }
}

type Library = NonNullable<Subject['libraries']>[number]

async function setupOf(flags: RunFlags): Promise<OfflineSetup> {
  const libraries = await Promise.all(
    flags.library.map(async (pair) => {
      const [, name, file] = /^([^=]+)=(.+)$/.exec(pair) ?? []
      if (name === undefined || file === undefined)
        throw new CliError(`--library ${pair}: expected NAME=FILE, for example pii=pii.js`)
      return { name, code: await readCode(file) }
    }),
  )
  const { transformation: file } = flags
  if (file === undefined && libraries.length > 0)
    throw new CliError('--library needs a --transformation that imports it')
  const destination = await offlineDestination(flags)
  return {
    ...(file === undefined ? {} : { transformation: await transformationOf(file, libraries) }),
    sandbox: sandboxOptionsOf(flags),
    ...(destination && { destination }),
  }
}

/** Loads the code with the libraries of its project, some of them replaced by the given ones. */
async function transformationOf(file: string, given: readonly Library[]): Promise<Subject> {
  const { code, libraries = [] } = await findSubject(file).catch((error: unknown) => {
    throw error instanceof ProjectError ? new CliError(`--transformation: ${error.message}`) : error
  })
  const others = libraries.filter((library) => given.every(({ name }) => name !== library.name))
  return { name: basename(file), code, libraries: [...given, ...others] }
}

async function readCode(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new CliError(`--library: ${file} cannot be read`)
  })
}
