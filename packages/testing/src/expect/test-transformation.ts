import { resolve } from 'node:path'
import { type Event, InvariantError, type JsonObject } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import { createSecretMask, type DestinationDefinition, parseSettings } from '@sluice/destinations/kit'
import { loadableDestinations, loadDestination } from '@sluice/destinations/load'
import type { FetchOptions } from '@sluice/sandbox'
import type { FetchReply } from '../fetch/fetch-recording.ts'
import { openRecordedFetch } from '../fetch/recorded-fetch.ts'
import type { OfflineDestination, RunConditions, Subject } from '../run/offline-run.ts'
import { baseFolders } from './base-folders.ts'
import { findSubject } from './find-subject.ts'
import { offerMatchers } from './matchers.ts'
import { sharedRunner } from './shared-runner.ts'
import { TransformationRun } from './transformation-run.ts'
import type { JudgedRun } from './verdict.ts'

/** Code to test and its conditions. Every method returns a new test, so that a test can be shared. */
export interface TransformationTest {
  /** Sets the values of `getCredential`. They are kept out of recordings. */
  withCredentials(credentials: Readonly<Record<string, string>>): TransformationTest
  /** Adds metadata to what `metadata(event)` derives from the event, for example `{ destinationType: 'GA4' }`. */
  withMetadata(metadata: JsonObject): TransformationTest
  /**
   * Sets the responses of `fetch` and `fetchV2`: a file of recordings made by `sluice test --record`, or responses by
   * URL (`{ 'https://api.example.com/users/1': { body: { plan: 'pro' } } }`). A request without a response fails the
   * test.
   * @param network what may be fetched while recording. Default: any public host. A host in your own network needs both
   * parts: `{ allow: ['crm.internal'], allowAddresses: ['10.0.0.0/8'] }`.
   */
  withFetch(recordings: string | Readonly<Record<string, FetchReply>>, network?: FetchOptions): TransformationTest
  /** Sets the time that user code sees, which then stands still. */
  at(time: string | number | Date): TransformationTest
  /** Makes Math.random and uuids of user code repeatable. */
  withSeed(seed: number): TransformationTest
  /**
   * Continues to the requests of a destination: a built-in type such as `ga4`, or a definition of your own.
   * Its settings are checked when the run starts; the run fails with all their problems.
   * @throws TypeError when the type is unknown.
   */
  to(destination: string | DestinationDefinition, settings?: JsonObject): TransformationTest
  /** Runs the events as one batch. The run starts when a result is requested. */
  on(...events: readonly TestEvent[]): TransformationRun
}

/** An event, not a list of events. */
export type TestEvent = Readonly<Record<string, unknown>> | (object & { readonly [Symbol.iterator]?: never })

/**
 * Creates a test of one transformation in the production sandbox, with its limits and error messages.
 *
 * @param code a file (see findSubject for how it is found), with the libraries of its project, or name, code and
 * libraries.
 * @example
 * ```ts
 * import { testTransformation } from '@sluice/testing'
 *
 * const code = 'export function transformEvent(event) { return event.userId ? event : null }'
 * const run = testTransformation({ name: 'known users', code, libraries: [] }).on({ type: 'track', event: 'Seen' })
 * await run.toDrop()
 * ```
 */
export function testTransformation(code: string | URL | Subject): TransformationTest {
  offerMatchers()
  return createTest(code, {})
}

interface Given extends Omit<RunConditions, 'fetch' | 'destination'> {
  readonly destination?: string | DestinationDefinition
  readonly settings?: JsonObject
  readonly recordings?: string | Readonly<Record<string, FetchReply>>
  readonly network?: FetchOptions
}

function createTest(code: string | URL | Subject, given: Given): TransformationTest {
  const also = (more: Given): TransformationTest => createTest(code, withDefaults(given, more))
  return {
    withCredentials: (credentials) => also({ credentials }),
    withMetadata: (metadata) => also({ metadata }),
    withFetch: (recordings, network) => also({ recordings: placed(recordings), network }),
    at: (time) => also({ now: timeOf(time) }),
    withSeed: (seed) => also({ seed }),
    to: (destination, settings = {}) => also({ destination: known(destination), settings }),
    on: (...events) => {
      if (events.length === 0) throw new TypeError('on() needs at least one event')
      if (events.some((event) => Array.isArray(event)))
        throw new TypeError('on() takes events, not a list of them: write on(first, second) or on(...list)')
      return new TransformationRun(() => run(code, events, given))
    },
  }
}

async function run(code: string | URL | Subject, events: readonly object[], given: Given): Promise<JudgedRun> {
  const subject = typeof code === 'string' || code instanceof URL ? await findSubject(code) : code
  const { recordings, network, destination: wanted, settings = {}, ...others } = given
  const destination = wanted && (await destinationOf(wanted, settings))
  const conditions = { ...others, destination: destination || undefined }
  const { credentials } = conditions
  const about = {
    subject,
    mask: destination ? createSecretMask(destination.definition, destination.settings) : undefined,
  }
  const runner = await sharedRunner()
  // The copy contains only JSON values, like events received over HTTP.
  const inputs = JSON.parse(JSON.stringify(events)) as readonly Event[]
  if (recordings === undefined) return { ...(await runner.run(subject, inputs, conditions)), ...about }
  const isRecording = process.env['SLUICE_RECORD'] === '1'
  const recorded = await openRecordedFetch({
    recordings,
    isRecording,
    network,
    credentials,
  })
  const result = await runner.run(subject, inputs, { ...conditions, fetch: recorded.fetch })
  await recorded.save()
  if (recorded.unanswered.length > 0) throw new Error([...new Set(recorded.unanswered)].join('\n'))
  return { ...result, ...about }
}

/** A new file is created below the first of the folders. */
function placed<Recordings>(recordings: string | Recordings): string | Recordings {
  return typeof recordings === 'string' ? resolve(baseFolders()[0] ?? '.', recordings) : recordings
}

function timeOf(time: string | number | Date): number {
  const ms = new Date(time).getTime()
  if (Number.isNaN(ms)) throw new TypeError(`at(${String(time)}): not a time; give one like 2026-01-01T12:00:00Z`)
  return ms
}

function known(destination: string | DestinationDefinition): string | DestinationDefinition {
  if (typeof destination === 'object') return destination
  const types = loadableDestinations.map(({ type }) => type.toLowerCase())
  if (types.includes(String(destination).toLowerCase())) return destination
  throw new TypeError(`to('${String(destination)}'): no such destination type; there are ${types.join(', ')}`)
}

/** Loads a built-in destination only now, because all of them take longer than most tests. */
async function destinationOf(
  destination: string | DestinationDefinition,
  settings: JsonObject,
): Promise<OfflineDestination> {
  const definition = typeof destination === 'string' ? await loadDestination(destination) : destination
  if (definition === undefined) throw new InvariantError(`${String(destination)} was not checked`)
  const parsed = parseSettings(definition, settings)
  if (parsed.ok) return { definition, settings: parsed.settings }
  const lines = parsed.problems.map(({ path, value, allowed }) => `  ${path}: got ${value}; allowed: ${allowed}`)
  throw new TypeError(`the settings do not fit ${definition.type}:\n${lines.join('\n')}`)
}
