import { resolve } from 'node:path'
import type { Event, JsonObject } from '@sluice/core'
import {
  builtInDestinations,
  createDestinationRegistry,
  createSecretMask,
  type DestinationDefinition,
  parseSettings,
} from '@sluice/destinations'
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
   * @throws Error when the type is unknown or the settings are invalid; the message names the problem.
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
 */
export function testTransformation(code: string | URL | Subject): TransformationTest {
  offerMatchers()
  return createTest(code, {})
}

interface Given extends Omit<RunConditions, 'fetch'> {
  readonly recordings?: string | Readonly<Record<string, FetchReply>>
  readonly network?: FetchOptions
}

function createTest(code: string | URL | Subject, given: Given): TransformationTest {
  const also = (more: Given): TransformationTest => createTest(code, { ...given, ...more })
  return {
    withCredentials: (credentials) => also({ credentials }),
    withMetadata: (metadata) => also({ metadata }),
    withFetch: (recordings, network) => also({ recordings: placed(recordings), ...(network && { network }) }),
    at: (time) => also({ now: timeOf(time) }),
    withSeed: (seed) => also({ seed }),
    to: (destination, settings = {}) => also({ destination: destinationOf(destination, settings) }),
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
  const { recordings, network, ...conditions } = given
  const { destination, credentials } = conditions
  const about = {
    subject,
    ...(destination && { mask: createSecretMask(destination.definition, destination.settings) }),
  }
  const runner = await sharedRunner()
  // The copy contains only JSON values, like events received over HTTP.
  const inputs = JSON.parse(JSON.stringify(events)) as readonly Event[]
  if (recordings === undefined) return { ...(await runner.run(subject, inputs, conditions)), ...about }
  const isRecording = process.env['SLUICE_RECORD'] === '1'
  const recorded = await openRecordedFetch({
    recordings,
    isRecording,
    ...(network && { network }),
    ...(credentials && { credentials }),
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

function destinationOf(destination: string | DestinationDefinition, settings: JsonObject): OfflineDestination {
  const registry = createDestinationRegistry(builtInDestinations)
  const definition = typeof destination === 'string' ? registry.get(destination) : destination
  if (definition === undefined) {
    const types = registry.list().map(({ type }) => type.toLowerCase())
    throw new TypeError(`to('${String(destination)}'): no such destination type; there are ${types.join(', ')}`)
  }
  const parsed = parseSettings(definition, settings)
  if (parsed.ok) return { definition, settings: parsed.settings }
  const lines = parsed.problems.map(({ path, value, allowed }) => `  ${path}: got ${value}; allowed: ${allowed}`)
  throw new TypeError(`the settings do not fit ${definition.type}:\n${lines.join('\n')}`)
}
