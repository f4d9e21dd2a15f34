import type { JsonObject } from '@sluice/core'
import { CliError } from '../../cli-error.ts'
import { offlineDestination } from '../../offline/offline-destination.ts'
import type { ServerFlags } from '../ask-server.ts'
import {
  addExample,
  exampleOf,
  exampleSettings,
  findLetter,
  readExamples,
  withoutPersonalData,
} from './recorded-example.ts'
import type { TapLine } from './tap-line.ts'

export interface RecordFlags extends ServerFlags {
  readonly record?: string
  readonly as?: string
  readonly destination?: string
  readonly destinationPackage: readonly string[]
  readonly settings?: string
  readonly keepPersonalData?: true
}

/**
 * Returns what records a failed event of the tap as an example; undefined without `--record`.
 * @throws CliError when flags are missing or wrong.
 */
export async function createRecorder(flags: RecordFlags): Promise<((line: TapLine) => Promise<void>) | undefined> {
  const { record: file, as: type, destination, destinationPackage, settings = '{}' } = flags
  if (file === undefined) {
    if (type === undefined && !flags.keepPersonalData && settings === '{}') return undefined
    throw new CliError('--as, --settings and --keep-personal-data belong to --record FILE, which is missing')
  }
  if (destination === undefined || type === undefined)
    throw new CliError('--record needs --destination (its id at the server) and --as (its type)')
  const offline = await offlineDestination({ destination: type, destinationPackage, settings })
  if (offline === undefined) return undefined
  const { definition } = offline
  const masked = exampleSettings(definition, offline.settings)
  await readExamples(file)
  process.stderr.write(
    `${file} will have data of real events${flags.keepPersonalData ? ', unmasked' : '; names, ids and other texts that are not detected stay'}: check it before you share it\n`,
  )
  return async ({ outcome, messageId }) => {
    if (outcome !== 'failed') return
    const letter = await findLetter(flags, destination, messageId)
    if (letter === undefined) return skip(messageId, 'it has no dead letter')
    const event = flags.keepPersonalData
      ? letter.event
      : (withoutPersonalData(letter.event as JsonObject) as JsonObject)
    const example = exampleOf(definition, masked, { ...letter, event: event as typeof letter.event })
    if (example === undefined) return skip(messageId, 'its mapping asks the product something')
    await addExample(file, example)
  }
}

function skip(messageId: string, why: string): void {
  process.stderr.write(`${JSON.stringify(messageId)} is not recorded: ${why}\n`)
}
