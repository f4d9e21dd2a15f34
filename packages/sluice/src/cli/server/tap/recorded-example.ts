import { readFile, writeFile } from 'node:fs/promises'
import { type Event, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import {
  type DestinationDefinition,
  isAsk,
  isMappingError,
  mapEvent,
  maskSettings,
  parseSettings,
  runPurely,
} from '@sluice/destinations/kit'
import { createPiiFinder, maskText, piiKinds } from '@sluice/pii'
import { CliError } from '../../cli-error.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

interface Letter {
  readonly id: string
  readonly messageId: string
  readonly at: string
  readonly event: Event
}

interface Page {
  readonly data: readonly Letter[]
  readonly paging: { readonly next?: string }
}

/** One example as the test of `sluice init --destination` reads it. */
interface RecordedExample {
  readonly title: string
  readonly event: JsonValue
  readonly settings: JsonObject
  /** Time of the mapping in milliseconds since the epoch. */
  readonly now: number
  readonly requests?: unknown
  readonly error?: unknown
}

const find = createPiiFinder(new Set(piiKinds))

/** Returns the value with detectable personal data masked in all texts and keys. Of keys that become equal, the last one is kept. */
export function withoutPersonalData(value: JsonValue): JsonValue {
  if (typeof value === 'string') return maskText(value, find) ?? value
  if (Array.isArray(value)) return value.map(withoutPersonalData)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      maskText(key, find) ?? key,
      member === undefined ? null : withoutPersonalData(member),
    ]),
  )
}

/**
 * Returns the settings of examples: secrets are replaced by placeholders.
 * @throws CliError when the definition refuses placeholders.
 */
export function exampleSettings(definition: DestinationDefinition, settings: JsonObject): JsonObject {
  const masked = JSON.parse(JSON.stringify(maskSettings(definition, settings))) as JsonObject
  const parsed = parseSettings(definition, masked)
  if (parsed.ok) return masked
  const paths = parsed.problems.map(({ path }) => path).join(', ')
  throw new CliError(
    `--settings: ${definition.type} refuses placeholders for secrets (${paths}), so nothing is recorded`,
  )
}

/** Maps an event and returns the example; undefined when the mapping must ask the product something first. */
export function exampleOf(
  definition: DestinationDefinition,
  settings: JsonObject,
  { event, at }: Pick<Letter, 'event' | 'at'>,
): RecordedExample | undefined {
  const parsed = parseSettings(definition, settings)
  if (!parsed.ok) return undefined
  const now = Date.parse(at)
  const mapped = runPurely(() => mapEvent(definition, event, parsed.settings, { now }))
  if (isAsk(mapped)) return undefined
  const title = `recorded: ${String(event['type'])} ${JSON.stringify(event['event'] ?? '')} (${event.messageId ?? ''})`
  return {
    title,
    event: event as JsonObject,
    settings,
    now,
    ...(isMappingError(mapped) ? { error: mapped } : { requests: mapped }),
  }
}

/** Milliseconds between looks for a dead letter, and how many: the tap may be ahead of the store. */
const look = { waitMs: 200, times: 10 }

/** Returns the newest dead letter of an event at a destination, if there is one; masked unless personal data is to be kept. */
export async function findLetter(
  flags: ServerFlags & { readonly keepPersonalData?: true },
  destination: string,
  messageId: string,
): Promise<Letter | undefined> {
  for (let time = 0; time < look.times; time += 1) {
    let found: Letter | undefined
    const query = defined({
      destinationId: destination,
      limit: '1000',
      masked: flags.keepPersonalData ? undefined : 'true',
    })
    let path: string | undefined = `/v2/dead-letters?${new URLSearchParams(query)}`
    while (path !== undefined) {
      const page: Page = await askServer<Page>(flags, 'GET', path)
      found = page.data.findLast((letter) => letter.messageId === messageId) ?? found
      path = page.paging.next
    }
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, look.waitMs))
  }
  return undefined
}

/** Adds an example to a JSON file, which only its owner can read; one with the same title is replaced. */
export async function addExample(file: string, example: RecordedExample): Promise<void> {
  const others = (await readExamples(file)).filter(({ title }) => title !== example.title)
  const text = `${JSON.stringify([...others, example], null, 2)}\n`
  await writeFile(file, text, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`--record ${file}: the file cannot be written (${error.code})`)
  })
}

/** Returns the examples of a file, none when it does not exist. @throws CliError when it holds something else. */
export async function readExamples(file: string): Promise<readonly RecordedExample[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw new CliError(`--record ${file}: the file cannot be read (${error.code})`)
  })
  try {
    const examples: unknown = JSON.parse(text)
    if (Array.isArray(examples)) return examples
  } catch {
    // Reported below.
  }
  throw new CliError(`--record ${file}: the file is not a JSON list of examples; choose another file`)
}
