import type { Clock, Event, JsonObject, Library, SourcedEvent, Transformation } from '@sluice/core'
import type { CodeKind } from './code-record.ts'
import { sampleEvents } from './sample-events.ts'
import type { TransformationPrograms } from './transformation-programs.ts'
import { createUserTransformStage } from './user-transform-stage.ts'

/** A version that is to be tested, with the libraries it would run with. */
export interface TestSubject {
  readonly workspaceId: string
  readonly kind: CodeKind
  readonly id: string
  readonly versionId: string
  /** For messages: the name of a transformation, the import name of a library. */
  readonly name: string
  readonly code: string
  /** All that are loaded with it; a library is among them itself. */
  readonly libraries: readonly Library[]
  /** Null for the sample events. Not looked at for a library. */
  readonly testInput: readonly JsonObject[] | null
}

/** What went wrong; without an event when the code could not be loaded at all. */
export interface TestProblem {
  readonly event?: JsonObject
  readonly error: string
  /**
   * In `module`: the name of the transformation, or `library` and an import name. From 1; absent where there is none.
   */
  readonly line?: number
  readonly module?: string
}

export interface CodeTest {
  readonly kind: CodeKind
  readonly id: string
  readonly versionId: string
  readonly name: string
  readonly passed: boolean
  /** What came out, in order of the events: events, and `{error}` for one that failed. */
  readonly outputs: readonly JsonObject[]
  readonly log: readonly string[]
  /** The first of them, at most 20. */
  readonly errors: readonly TestProblem[]
  readonly timeMs: number
}

/** What the tests of one request share. */
export interface TestBounds {
  /** Ends a test, which then has failed. */
  readonly signal: AbortSignal
  /** Characters that outputs and logs may still have, as JSON text; a test that has more has failed. */
  charsLeft: number
}

export interface CodeTester {
  /** @throws SandboxBusyError when too much waits for the sandbox. */
  run(subject: TestSubject, bounds: TestBounds): Promise<CodeTest>
}

/** Problems that are told of one test; more of the same say little. */
const problemsMax = 20

/**
 * Tests code as production would run it: the same stage, sandbox and limits, all events in one batch. A library passes
 * when it can be loaded. Sources: packages/docs/api/transformations.md#publish and #test.
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
    if (!compiled.ok) return failed([problemOf(compiled.error.message)])
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
      errors.push({ event: events[index] ?? {}, ...problemOf(outcome.error.message) })
    })
    const chars = JSON.stringify(outputs).length + JSON.stringify(log).length
    bounds.charsLeft -= chars
    if (bounds.charsLeft < 0)
      return failed([
        { error: `Error: outputs and log have ${chars} characters, too many to be told; test less at a time` },
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
        result = failed([{ error: 'Error: the tests of the request took too long; test less at a time' }])
      }
      return { kind, id, versionId, name, ...result, timeMs: clock.now() - startedAt }
    },
  }
}

function failed(errors: readonly TestProblem[]): Omit<CodeTest, keyof TestSubject | 'timeMs'> {
  return { passed: false, outputs: [], log: [], errors }
}

/** A library is loaded by a transformation that does nothing but import it. */
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

/** Longer lines of an error name no place; the patterns are quadratic in the length of a line. */
const frameCharsMax = 600
const frame = /^ {4}at (?:.*\()?(.+):(\d+):\d+\)?$/
const bracketed = /\[(.+):(\d+):\d+\]/

/** The first place an error names: a frame `(module:line:column)`, or `[module:line:column]` of a syntax error. */
function problemOf(error: string): TestProblem {
  const lines = error.split('\n').filter(({ length }) => length <= frameCharsMax)
  const place =
    lines.map((each) => frame.exec(each)).find(Boolean) ?? lines.map((each) => bracketed.exec(each)).find(Boolean)
  const [, module, line] = place ?? []
  return module === undefined ? { error } : { error, line: Number(line), module }
}
