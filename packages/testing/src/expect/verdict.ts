import type { Event, JsonValue } from '@sluice/core'
import type { DeliveryRequest, SecretMask } from '@sluice/destinations'
import { codesOf, placeLines, placeOf } from '../cases/code-place.ts'
import { compactRequest } from '../cases/expected-file.ts'
import { maskExpected } from '../cases/mask-expected.ts'
import { isMatcher, matches } from '../cases/matches.ts'
import type { EventEnding, OfflineRun, Subject } from '../run/offline-run.ts'

/** A run and its code. Requests and errors are those of production and contain the secrets of settings. */
export interface JudgedRun extends OfflineRun {
  readonly subject: Subject
  /** Removes these secrets from all messages; only with a destination. */
  readonly mask?: SecretMask
}

/** Whether a run is as expected, and a message for either case. */
export interface Verdict {
  readonly pass: boolean
  /** Message of a failing test: what was expected, and what happened instead, with errors and log. */
  readonly message: string
  /** Actual value for a diff. */
  readonly actual?: unknown
  readonly expected?: unknown
}

/** Expects exactly these events, in order, without failed events. */
export function emits(run: JudgedRun, expected: readonly unknown[]): Verdict {
  const actual = outputOf(run)
  const pass = matches(expected, actual)
  return { pass, message: describeRun(run, `to emit ${counted(expected.length, 'event')}`, pass), actual, expected }
}

/** Expects every event to be dropped. */
export function drops(run: JudgedRun, reason?: string | RegExp): Verdict {
  const pass = run.endings.every((ending) => ending.outcome === 'dropped' && fits(ending.reason ?? '', reason))
  return { pass, message: describeRun(run, `to drop every event${because(reason)}`, pass) }
}

/** Expects every event to fail with a message that contains the text or matches the pattern. */
export function fails(run: JudgedRun, expected?: string | RegExp): Verdict {
  const pass = run.endings.every(({ error }) => error !== undefined && fits(error.message, expected))
  return { pass, message: describeRun(run, `to fail every event${because(expected)}`, pass) }
}

/**
 * Expects exactly these requests, in order, either complete or in compact form: with secrets masked, and without
 * members that are empty or always the same.
 */
export function sends(run: JudgedRun, expected: readonly unknown[]): Verdict {
  const { mask } = run
  const shown = (request: unknown): unknown =>
    isMatcher(request) ? request : compactRequest((mask ? maskExpected(mask, request) : request) as JsonValue)
  const [wanted, actual] = [expected.map(shown), requestsOf(run).map(shown)]
  // The complete form is also accepted, because a matcher may examine omitted or masked members.
  const pass = matches(wanted, actual) || matches(expected, sentOf(run))
  const message = describeRun(run, `to send ${counted(expected.length, 'request')}`, pass)
  return { pass, message, actual, expected: wanted }
}

/** Expects a log line that equals the text or matches the pattern. */
export function logs(run: JudgedRun, expected: string | RegExp): Verdict {
  const pass = run.log.some((line) => (typeof expected === 'string' ? line === expected : expected.test(line)))
  return { pass, message: describeRun(run, `to log ${expected}`, pass) }
}

/** Returns the results as they are compared: events, and `{error}` for each failed event. */
export function outputOf(run: JudgedRun): readonly (Event | { readonly error: string })[] {
  return run.endings.flatMap(({ output, error }) => [
    ...output,
    ...(error ? [{ error: masked(run, error.message) }] : []),
  ])
}

/** Returns the requests of all events with secrets masked, and `{error}` for each failed event. */
export function requestsOf(run: JudgedRun): readonly Sent[] {
  const { mask } = run
  if (mask === undefined) return sentOf(run)
  return sentOf(run).map((sent) => ('error' in sent ? { error: masked(run, sent.error) } : mask.request(sent)))
}

type Sent = DeliveryRequest | { readonly error: string }

function sentOf({ endings }: OfflineRun): readonly Sent[] {
  return endings.flatMap(({ requests = [], error }) => [...requests, ...(error ? [{ error: error.message }] : [])])
}

function masked({ mask }: JudgedRun, text: string): string {
  return mask ? String(mask.value(text)) : text
}

function fits(text: string, expected: string | RegExp | undefined): boolean {
  if (expected === undefined) return true
  return typeof expected === 'string' ? text.includes(expected) : expected.test(text)
}

const because = (expected: string | RegExp | undefined): string => (expected === undefined ? '' : ` (${expected})`)
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function describeRun(run: JudgedRun, wanted: string, pass: boolean): string {
  const { subject } = run
  const lines = [`expected the transformation ${pass ? 'not ' : ''}${wanted}`]
  for (const [index, ending] of run.endings.entries()) {
    lines.push(`  event ${index + 1} of ${run.endings.length} ${masked(run, describeEnding(ending))}`)
    const place = ending.error && placeOf(ending.error.message, subject, codesOf(subject))
    if (place) lines.push(...placeLines(place).map((line) => `    ${line}`))
  }
  if (run.log.length > 0) lines.push('log:')
  for (const line of run.log) lines.push(`  ${line}`)
  return lines.join('\n')
}

function describeEnding({ outcome, output, requests, reason, error }: EventEnding): string {
  if (error) return `failed: ${error.message.replaceAll('\n', '\n  ')}`
  if (outcome === 'dropped') return `dropped: ${reason}`
  return requests ? `gave ${counted(requests.length, 'request')}` : `emitted ${counted(output.length, 'event')}`
}
