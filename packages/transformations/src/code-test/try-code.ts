import type { Event, JsonObject, Library, Outcome, SourcedEvent } from '@sluice/core'
import type { TransformationPrograms } from '../run/transformation-programs.ts'
import { createUserTransformStage } from '../run/user-transform-stage.ts'
import { transformationVersionId } from '../versions/transformation-version-id.ts'
import { type CodePlace, placeOf } from './place-of.ts'

/** Code to try, saved or not, and the events to try it on. */
export interface CodeToTry {
  /** Name of the transformation, as it occurs in messages. */
  readonly name: string
  readonly code: string
  readonly libraries: readonly Library[]
  /** They go through the code in one batch. */
  readonly events: readonly Event[]
  /** Further metadata of every event, such as `destinationName`. */
  readonly metadata?: JsonObject
  /** Values of `getCredential`. */
  readonly credentials?: Readonly<Record<string, string>>
}

/** An error of user code. `module` is the name of the transformation, or `library` and an import name. */
export interface CodeProblem extends CodePlace {
  /** Index of the event; undefined when the code could not be loaded. */
  readonly index?: number
  readonly error: string
}

export interface CodeTrial {
  /** What became of each event, in the order of the events; all failed when the code could not be loaded. */
  readonly outcomes: readonly Outcome<Event>[]
  /** The lines that user code logged. */
  readonly log: readonly string[]
  readonly problems: readonly CodeProblem[]
  /** Milliseconds for loading the code, 0 when it was loaded before, and for running it on the events. */
  readonly loadMs: number
  readonly runMs: number
}

/**
 * Runs code on events as production would: in the same stage, in one batch. Needs nothing but a sandbox, so it also runs
 * in browsers.
 * @throws the abort reason once `signal` is aborted.
 */
export async function tryCode(
  programs: TransformationPrograms,
  { name, code, libraries, events, metadata = {}, credentials = {} }: CodeToTry,
  signal: AbortSignal,
): Promise<CodeTrial> {
  const startedAt = performance.now()
  const transformation = { name, code, libraries, versionId: transformationVersionId(code, libraries) }
  const compiled = await programs.program(transformation)
  const loadedAt = performance.now()
  const log: string[] = []
  const stage = createUserTransformStage({
    programs,
    transformation,
    credentials,
    metadataOf: () => metadata,
    onLog: (lines) => log.push(...lines),
  })
  const outcomes = (await stage.run(events.map(toItem), signal)).map(withoutSource)
  const times = { loadMs: loadedAt - startedAt, runMs: performance.now() - loadedAt }
  if (!compiled.ok) {
    const error = compiled.error.message
    return { outcomes, log, problems: [{ error, ...placeOf(error) }], ...times }
  }
  const problems = outcomes.flatMap((outcome, index): readonly CodeProblem[] =>
    outcome.kind === 'fail' ? [{ index, error: outcome.error.message, ...placeOf(outcome.error.message) }] : [],
  )
  return { outcomes, log, problems, ...times }
}

const toItem = (event: Event): SourcedEvent => ({ workspaceId: '', sourceId: '', writeKey: '', event })

function withoutSource(outcome: Outcome<SourcedEvent>): Outcome<Event> {
  return outcome.kind === 'pass' ? { kind: 'pass', items: outcome.items.map(({ event }) => event) } : outcome
}
