import { isDeepStrictEqual } from 'node:util'
import type { CodeTest, Result, Transformations, VersionedCode } from '@sluice/transformations'
import Type, { type Static } from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Answer, answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { audited, toAnswer } from './to-answer.ts'
import { importsOf } from './transformation-record.ts'
import { payloadErrors, publishErrors } from './transformations-errors.ts'
import { area, CommitId } from './transformations-schemas.ts'

const closed = { additionalProperties: false }
const versionsMax = 100
/** Test cases of a request: each runs the code once. */
const casesMax = 500

const file = Type.Optional(Type.String({ format: 'text', maxLength: 1_000, description: 'as in answers; a note' }))
/** Where a case comes from. Answers repeat it. */
const files = { inputFile: file, outputFile: file, filename: file }
const shownFile = Type.Optional(Type.String())
const shownFiles = { inputFile: shownFile, outputFile: shownFile, filename: shownFile }
const TestCase = Type.Object({
  id: Type.Optional(Type.String({ format: 'text' })),
  name: Type.String({ format: 'text', maxLength: 1_000, description: 'what the case shows' }),
  description: Type.Optional(Type.String({ format: 'text' })),
  ...files,
  input: Type.Array(Type.Unknown(), { description: 'a list of events' }),
  expectedOutput: Type.Optional(Type.Array(Type.Unknown(), { description: 'the events to expect; default: any' })),
})
const SuitePayload = Type.Object({
  transformations: Type.Optional(
    Type.Array(
      Type.Object({
        versionId: Type.String({ format: 'text' }),
        testSuite: Type.Optional(Type.Array(TestCase, { maxItems: casesMax })),
      }),
      { maxItems: versionsMax, description: 'a list of at most 100 {versionId, testSuite?}' },
    ),
  ),
  libraries: Type.Optional(
    Type.Array(Type.Object({ versionId: Type.String({ format: 'text' }) }), {
      maxItems: versionsMax,
      description: 'a list of at most 100 {versionId}',
    }),
  ),
  commitId: CommitId,
})
type Payload = Static<typeof SuitePayload>

/** What says which code was tested. */
const ofCode = {
  id: Type.String(),
  name: Type.String(),
  versionId: Type.String(),
  externalId: Type.Optional(Type.String()),
}
const Status = Type.Enum(['pass', 'fail', 'error'], { type: 'string' })
const ValidationOutput = Type.Object(
  {
    transformations: Type.Array(
      Type.Object(
        {
          ...ofCode,
          imports: Type.Optional(Type.Array(Type.String(), { description: 'Absent when the code imports nothing.' })),
          pass: Type.Boolean(),
          message: Type.Optional(Type.String()),
          testResult: Type.Object(
            {
              status: Status,
              results: Type.Array(
                Type.Object(
                  {
                    id: Type.Optional(Type.String()),
                    name: Type.String(),
                    description: Type.Optional(Type.String()),
                    ...shownFiles,
                    status: Status,
                    actualOutput: Type.Array(Type.Unknown()),
                    errors: Type.Array(
                      Type.Object(
                        {
                          message: Type.String(),
                          event: Type.Optional(Type.Unknown()),
                          eventIndex: Type.Optional(
                            Type.Integer({ description: 'Position of the event in the input.' }),
                          ),
                        },
                        closed,
                      ),
                    ),
                  },
                  closed,
                ),
              ),
            },
            closed,
          ),
        },
        closed,
      ),
    ),
    libraries: Type.Array(
      Type.Object(
        {
          ...ofCode,
          handleName: Type.String(),
          pass: Type.Boolean(),
          message: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
)
type Output = Static<typeof ValidationOutput>

/**
 * Creates the routes that test versions with named cases and their expected outputs, as `rudder-cli` calls them.
 * Source: packages/docs/api/configuration.md#clients.
 */
export function suiteRoutes(gate: TokenGate, service: Transformations): readonly Route[] {
  const shared = { method: 'post', area, scopes: ['operate'], body: SuitePayload } as const
  const tooMany = ({ transformations = [] }: Payload): Answer | undefined =>
    transformations.reduce((sum, { testSuite = [] }) => sum + testSuite.length, 0) > casesMax
      ? problem('bodyInvalid', `the request has more than ${casesMax} test cases; send them in several requests`)
      : undefined
  return [
    gate.route({
      ...shared,
      path: '/transformations/tests/run',
      operationId: 'runTests',
      summary: 'Run the test cases of versions; nothing is published',
      responses: {
        200: {
          description: 'Each case.',
          schema: Type.Object({ pass: Type.Boolean(), validationOutput: ValidationOutput }, closed),
        },
      },
      errors: [...payloadErrors, 'busy'],
      handle: async ({ workspace, body }) => {
        const refused = tooMany(body)
        if (refused) return refused
        const output = await runSuites(service, workspace.id, body)
        return toAnswer(output, (validationOutput) => ({ pass: isPassed(validationOutput), validationOutput }))
      },
    }),
    gate.route({
      ...shared,
      path: '/transformations/publish',
      operationId: 'publishTested',
      summary: 'Run the test cases of versions and publish them, all or none',
      responses: {
        200: {
          description: 'Each case, and whether the versions are live.',
          schema: Type.Object({ published: Type.Boolean(), validationOutput: ValidationOutput }, closed),
        },
      },
      errors: [...payloadErrors, ...publishErrors],
      handle: async ({ workspace, body }) => {
        const refused = tooMany(body)
        if (refused) return refused
        const output = await runSuites(service, workspace.id, body)
        if (!output.ok) return toAnswer(output, () => ({}))
        const validationOutput = output.value
        if (!isPassed(validationOutput)) return answer({ published: false, validationOutput })
        const { transformations = [], libraries = [] } = body
        const named = transformations.map(({ versionId, testSuite: [first] = [] }) => ({
          versionId,
          testInput: first?.input,
        }))
        const { commitId } = body
        const note = commitId === undefined ? {} : { commitId }
        const published = await service.publish(workspace.id, { transformations: named, libraries, ...note })
        return audited(
          body,
          toAnswer(published, () => ({ published: true, validationOutput })),
        )
      },
    }),
  ]
}

function isPassed({ transformations, libraries }: Output): boolean {
  return [...transformations, ...libraries].every(({ pass }) => pass)
}

/** Runs all cases, each with the libraries of the request. A version without cases is tested with sample events. */
async function runSuites(service: Transformations, workspaceId: string, body: Payload): Promise<Result<Output>> {
  const { transformations: given = [], libraries = [] } = body
  const alone = await service.test(workspaceId, { transformations: [], libraries })
  if (!alone.ok) return alone
  const transformations: Output['transformations'] = []
  for (const { versionId, testSuite = [] } of given) {
    const tests: {
      readonly test: CodeTest
      readonly results: Output['transformations'][number]['testResult']['results']
    }[] = []
    for (const testCase of testSuite.length === 0 ? [undefined] : testSuite) {
      const testInput = testCase ? { testInput: testCase.input } : {}
      const ran = await service.test(workspaceId, { transformations: [{ versionId, ...testInput }], libraries })
      if (!ran.ok) return ran
      const test = ran.value.find((each) => each.kind === 'transformation')
      if (test) tests.push({ test, results: testCase ? [resultOf(test, testCase)] : [] })
    }
    const [first] = tests
    if (first === undefined) continue
    const code = await service.version(workspaceId, 'transformation', first.test.id, versionId)
    if (!code.ok) return code
    const imports = importsOf(code.value)
    const results = tests.flatMap((each) => each.results)
    const failed = tests.find(({ test }) => !test.passed)
    const status = failed ? 'error' : results.some((each) => each.status !== 'pass') ? 'fail' : 'pass'
    transformations.push({
      ...codeMembers(code.value),
      imports: imports.length === 0 ? undefined : [...imports],
      pass: status === 'pass',
      message: failed ? messageOf(failed.test) : undefined,
      testResult: { status, results },
    })
  }
  const tested: Output['libraries'] = []
  for (const test of alone.value) {
    const code = await service.version(workspaceId, 'library', test.id, test.versionId)
    if (!code.ok) return code
    tested.push({
      ...codeMembers(code.value),
      handleName: test.name,
      pass: test.passed,
      message: test.passed ? undefined : messageOf(test),
    })
  }
  return { ok: true, value: { transformations, libraries: tested } }
}

function codeMembers({ record: { externalId }, version: { id, versionId, name } }: VersionedCode) {
  return { id, name, versionId, externalId }
}

function resultOf(test: CodeTest, testCase: Static<typeof TestCase>) {
  const { id, name, description, inputFile, outputFile, filename, input, expectedOutput } = testCase
  const isExpected = expectedOutput === undefined || isDeepStrictEqual(test.outputs, expectedOutput)
  const status: 'pass' | 'fail' | 'error' = test.passed ? (isExpected ? 'pass' : 'fail') : 'error'
  return {
    id,
    name,
    description,
    inputFile,
    outputFile,
    filename,
    status,
    actualOutput: [...test.outputs],
    errors: test.errors.map(({ error, event }) => ({
      message: error,
      ...(event === undefined ? {} : { event, eventIndex: input.indexOf(event) }),
    })),
  }
}

function messageOf({ errors }: CodeTest): string {
  return errors[0]?.error ?? 'the test failed'
}
