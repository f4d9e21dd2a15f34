import type { Clock, Event, JsonObject, Library, SourcedEvent, Transformation } from '@sluice/core'
import type { TransformationPrograms } from '../run/transformation-programs.ts'
import { createUserTransformStage } from '../run/user-transform-stage.ts'
import type { CodeKind } from '../versions/code-record.ts'
import { type CodePlace, placeOf } from './place-of.ts'
import { sampleEvents } from './sample-events.ts'

/** A version to test, with the libraries it would run with. */
export interface TestSubject {
  readonly workspaceId: string
  readonly kind: CodeKind
  readonly id: string
  readonly versionId: string
  /** Shown in messages: the name of a transformation, the import name of a library. */
  readonly name: string
  readonly code: string
  /** All libraries loaded with it. A library to test is in this list itself. */
  readonly libraries: readonly Library[]
  /** Null for the sample events. Ignored for a library. */
  readonly testInput: readonly JsonObject[] | null
}

/** An error during a test; without an event when the code could not be loaded. */
export interface TestProblem extends CodePlace {
  readonly event?: JsonObject
  readonly error: string
}

export interface CodeTest {
  readonly kind: CodeKind
  readonly id: string
  readonly versionId: string
  readonly name: string
  readonly passed: boolean
  /** Results in the order of the events: an event, or `{error}` for an event that failed. */
  readonly outputs: readonly JsonObject[]
  readonly log: readonly string[]
  /** The first errors, at most 20. */
  readonly errors: readonly TestProblem[]
  readonly timeMs: number
}

/** Limits shared by all tests of a request. */
export interface TestBounds {
  /** Aborts a test, which then fails. */
  readonly signal: AbortSignal
  /** Characters of JSON text left for outputs and logs. A test that needs more fails. */
  charsLeft: number
}

export interface CodeTester {
  /** @throws SandboxBusyError when too much work waits for the sandbox. */
  run(subject: TestSubject, bounds: TestBounds): Promise<CodeTest>
}

/** Most problems reported per test. */
const problemsMax = 20

/**
 * Creates a tester that runs code as production would: in the same stage and sandbox, with the same limits, and all
 * events in one batch. A library passes when it can be loaded. Sources: packages/docs/api/transformations.md#publish
 * and #test.
 */
export function createCodeTester(options: {
  readonly programs: TransformationPrograms
  readonly clock: Clock
}): CodeTester {
  const { programs, clock } = options
  const testedBy = async (
    subject: TestSubject,
    bounds: TestBounds,
  ): Promise<Omit<CodeTest, keyof TestSubject | 'timeMs'>> => {
    const transformation = toTransformation(subject)
    const compiled = await programs.program(transformation, subject.workspaceId)
    if (!compiled.ok) return failed([withPlace(compiled.error.message)])
    if (subject.kind === 'library') return { passed: true, outputs: [], log: [], errors: [] }

    const log: string[] = []
    const stage = createUserTransformStage({
      programs,
      transformation,
      workspaceId: subject.workspaceId,
      metadataOf: () => testMetadata,
      onLog: (lines) => log.push(...lines),
    })
    const events = subject.testInput ?? sampleEvents
    const outcomes = await stage.run(events.map(toItem), bounds.signal)
    const outputs: JsonObject[] = []
    const errors: TestProblem[] = []
    outcomes.forEach((outcome, index) => {
      if (outcome.kind === 'pass') outputs.push(...outcome.items.map(({ event }) => event))
      if (outcome.kind !== 'fail') return
      outputs.push({ error: outcome.error.message })
      errors.push({ event: events[index] ?? {}, ...withPlace(outcome.error.message) })
    })
    const chars = JSON.stringify(outputs).length + JSON.stringify(log).length
    bounds.charsLeft -= chars
    if (bounds.charsLeft < 0)
      return failed([
        {
          error: `Error: outputs and log have ${chars} characters, more than the limit; test fewer versions or events at a time`,
        },
      ])
    return { passed: errors.length === 0, outputs, log, errors: errors.slice(0, problemsMax) }
  }
  return {
    async run(subject, bounds) {
      const startedAt = clock.now()
      const { kind, id, versionId, name } = subject
      let result: Omit<CodeTest, keyof TestSubject | 'timeMs'>
      try {
        bounds.signal.throwIfAborted()
        result = await testedBy(subject, bounds)
      } catch (thrown) {
        if (!bounds.signal.aborted) throw thrown
        result = failed([
          { error: 'Error: the tests of the request took too long; test fewer versions or events at a time' },
        ])
      }
      return { kind, id, versionId, name, ...result, timeMs: clock.now() - startedAt }
    },
  }
}

function failed(errors: readonly TestProblem[]): Omit<CodeTest, keyof TestSubject | 'timeMs'> {
  return { passed: false, outputs: [], log: [], errors }
}

/** Wraps a library in a transformation that only imports it. */
function toTransformation({ kind, id, versionId, name, code, libraries }: TestSubject): Transformation {
  if (kind === 'transformation') return { id, versionId, name, code, libraries }
  const importing = `import ${JSON.stringify(name)}\nexport const transformEvent = (event) => event`
  return { id, versionId, name: 'test', code: importing, libraries }
}

const testMetadata: JsonObject = {
  sourceName: 'test',
  destinationId: 'test',
  destinationType: 'test',
  destinationName: 'test',
}

function toItem(event: Event): SourcedEvent {
  return { workspaceId: 'test', sourceId: 'test', writeKey: 'test', event }
}

function withPlace(error: string): TestProblem {
  return { error, ...placeOf(error) }
}
