import type { Event } from '@sluice/core'
import type { CodeTrial } from '@sluice/transformations'
import { type CodeRunner, createCodeRunner } from '../sandbox/code-runner.ts'
import { askMapping } from './mapping/ask-mapping.ts'
import type { Mapped } from './mapping/mapping-question.ts'
import type { Draft } from './versions/draft.ts'

/** Most events of a run: those of one batch in production. */
const eventsMax = 200

/** What became of one event. */
export interface EventRun {
  readonly event: Event
  /** The events that the transformation returned; empty when it dropped the event or failed. */
  readonly outputs: readonly Event[]
  /** What the destination makes of each output; absent without a destination. */
  readonly mapped?: readonly Mapped[]
  readonly dropped?: string
  readonly error?: string
  /** Line of the error in the code, from 1. */
  readonly line?: number
}

export interface DraftRun {
  readonly events: readonly EventRun[]
  readonly log: readonly string[]
  /** Why nothing ran: code that does not load, events or settings that cannot be read. */
  readonly problems: readonly { readonly text: string; readonly line?: number }[]
  readonly loadMs: number
  readonly runMs: number
  readonly mapMs: number
}

const transformationName = 'transformation'

let runner: CodeRunner | undefined

/** Ends running code. The next run starts a new Worker. */
export function stopDraft(): void {
  runner?.close()
  runner = undefined
}

/**
 * Runs a draft in the page: permission, transformation, destination, in the order and with the stages of production.
 * @throws Error when a part of the page cannot be loaded.
 */
export async function runDraft(draft: Draft): Promise<DraftRun> {
  const nothing = { events: [], log: [], loadMs: 0, runMs: 0, mapMs: 0 }
  const failed = (...texts: readonly string[]): DraftRun => ({ ...nothing, problems: texts.map((text) => ({ text })) })
  const events = parseEvents(draft.events)
  if (typeof events === 'string') return failed(events)
  const settings = draft.destination === '' ? {} : parseObject(draft.settings)
  if (typeof settings === 'string') return failed(settings)
  const permitted =
    draft.destination === ''
      ? { denied: [] }
      : await askMapping({ kind: 'permit', type: draft.destination, settings, events })
  if ('problems' in permitted) return failed(...permitted.problems.map(settingsText))
  const { denied } = permitted
  const trial = await tryTyped(
    draft.code,
    events.filter((_, index) => denied[index] === undefined),
  )
  const { problems, log, loadMs, runMs } = trial
  const unloaded = problems.filter(({ index }) => index === undefined)
  if (unloaded.length > 0)
    return { ...nothing, log, problems: unloaded.map(({ error, line }) => ({ text: error, line: line || undefined })) }
  const startedAt = performance.now()
  let place = 0
  const ran = events.map((event, index): EventRun => {
    const reason = denied[index]
    if (reason !== undefined) return { event, outputs: [], dropped: `${reason} (before the transformation)` }
    const at = place++
    const outcome = trial.outcomes[at]
    const line = problems.find((problem) => problem.index === at)?.line
    if (outcome?.kind === 'pass') return { event, outputs: outcome.items }
    if (outcome?.kind === 'drop') return { event, outputs: [], dropped: outcome.reason }
    return { event, outputs: [], error: outcome?.error.message ?? 'not run', line: line || undefined }
  })
  const shared = { log, problems: [], loadMs, runMs }
  if (draft.destination === '') return { ...shared, events: ran, mapMs: 0 }
  const outputs = ran.flatMap((each) => each.outputs)
  const answer = await askMapping({ kind: 'map', type: draft.destination, settings, events: outputs })
  if ('problems' in answer) return failed(...answer.problems.map(settingsText))
  let from = 0
  const mappedRuns = ran.map((each) => {
    const mapped = answer.mapped.slice(from, from + each.outputs.length)
    from += each.outputs.length
    return { ...each, mapped }
  })
  return { ...shared, events: mappedRuns, mapMs: performance.now() - startedAt }
}

/** Runs the code; types are removed only from code that does not parse, which loads TypeScript. */
async function tryTyped(code: string, events: readonly Event[]): Promise<CodeTrial> {
  runner ??= createCodeRunner()
  const used = runner
  const given = { name: transformationName, code, libraries: [], events }
  const trial = await used.run(given)
  if (!trial.problems.some(({ index, error }) => index === undefined && error.includes('SyntaxError'))) return trial
  const { askTypes } = await import('../types/ask-types.ts')
  const stripped = await askTypes({ kind: 'strip', code })
  if (!stripped.ok) return { ...trial, problems: [{ error: stripped.message, line: stripped.line }] }
  return stripped.code === code ? trial : used.run({ ...given, code: stripped.code })
}

/** Returns the events of a text, or what is wrong with it. */
function parseEvents(text: string): readonly Event[] | string {
  const value = parseJson(text)
  if ('problem' in value) return `The events are not JSON: ${value.problem}`
  const list = value.json
  const isList =
    Array.isArray(list) && list.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  if (!isList) return 'The events must be a JSON list of objects.'
  return list.length > eventsMax
    ? `A run takes at most ${eventsMax} events; there are ${list.length}.`
    : (list as Event[])
}

function parseObject(text: string): object | string {
  const value = parseJson(text)
  if ('problem' in value) return `The settings are not JSON: ${value.problem}`
  const { json } = value
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? json
    : 'The settings must be a JSON object.'
}

function parseJson(text: string): { readonly json: unknown } | { readonly problem: string } {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const settingsText = ({ path, allowed }: { readonly path: string; readonly allowed: string }): string =>
  `Setting ${path === '' ? '(all)' : path}: must be ${allowed}.`
