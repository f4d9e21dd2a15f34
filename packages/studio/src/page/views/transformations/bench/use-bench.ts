import { useEffect, useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { type Action, useAction } from '../../../parts/use-action.ts'
import { filters } from '../../../shell/router.ts'
import { differentEvents } from '../../compare/recorded-events.ts'
import type { Transformation, Version } from '../transformation.ts'
import { type KeptTest, runTests, type TestResult } from '../trial/kept-tests.ts'
import { type Measured, useMeasured } from './use-measured.ts'
import { parseEvents, type Ran, useRun } from './use-run.ts'

/** Events of the list that one begins with. */
const eventsCount = 8
const samples = JSON.stringify(
  [
    { type: 'track', event: 'Order Completed', userId: 'u1', properties: { order_id: 'o-1', total: 42 } },
    { type: 'identify', userId: 'u1', traits: { email: 'ada@example.com', plan: 'pro' } },
  ],
  null,
  2,
)

/** Events and tests of each transformation, kept while the page is open. */
const keptOf = new Map<string, { readonly events: string; readonly tests: readonly KeptTest[] }>()

/** One transformation as it is being written. */
export interface Bench {
  readonly transformation: Transformation
  readonly code: string
  readonly setCode: (code: string) => void
  readonly isChanged: boolean
  /** Whether other code was saved while this was written. */
  readonly isSavedElsewhere: boolean
  /** Shows the newest saved code in place of what is here. */
  readonly adopt: () => void
  /** Changes with the code that is adopted: the editor begins again. */
  readonly adopted: number
  readonly liveCode: string | undefined
  /** Number of the live version. */
  readonly liveNumber: number | undefined
  readonly text: string
  readonly setText: (text: string) => void
  readonly ran: Ran | undefined
  readonly runProblem: string | undefined
  readonly isRunning: boolean
  /** Whether code or events have changed since they were run. */
  readonly isStale: boolean
  readonly run: () => Promise<Ran | undefined>
  readonly takeRecorded: () => void
  readonly measured: Measured | undefined
  readonly measure: () => void
  readonly tests: readonly KeptTest[]
  readonly setTests: (tests: readonly KeptTest[]) => void
  readonly testResults: readonly TestResult[]
  readonly testNow: () => Promise<readonly TestResult[]>
  /** Saves the code as a revision where it changed. @returns the version that has it. */
  readonly save: () => Promise<string>
  readonly action: Action
  readonly onSaved: () => void
}

export function useBench(transformation: Transformation, onSaved: () => void): Bench {
  const { id, name, versionId, publishedVersionId, language, destinations = [] } = transformation
  const [code, setCode] = useState(transformation.code)
  const [base, setBase] = useState(transformation.code)
  const [adopted, setAdopted] = useState(0)
  const [text, setText] = useState(keptOf.get(id)?.events ?? samples)
  const [tests, setTests] = useState(keptOf.get(id)?.tests ?? [])
  const [testResults, setTestResults] = useState<readonly TestResult[]>([])
  const { measured, measure } = useMeasured(name)
  const action = useAction()
  const live = useVersion(id, publishedVersionId)
  const liveCode = live?.code
  const { ran, problem: runProblem, isBusy: isRunning, run } = useRun({ name, code, text, liveCode })
  const isChanged = code !== transformation.code
  const adopt = (): void => {
    setBase(transformation.code)
    setCode(transformation.code)
    setAdopted(adopted + 1)
  }
  // Saved elsewhere: shown where nothing was written here, and only reported otherwise.
  const isSavedElsewhere = base !== transformation.code && isChanged
  if (base !== transformation.code && !isChanged) setBase(transformation.code)
  if (isSavedElsewhere && code === base) adopt()
  useEffect(() => void keptOf.set(id, { events: text, tests }), [id, text, tests])
  const record = async (): Promise<boolean> => {
    const recorded = await differentEvents(
      eventsCount,
      destinations.length === 1 ? destinations[0]?.id : undefined,
      filters.value['event'],
    )
    if (recorded.length > 0) setText(JSON.stringify(recorded, null, 2))
    return recorded.length > 0
  }
  const isReady = publishedVersionId === null || liveCode !== undefined
  useEffect(() => {
    if (!isReady) return
    const isFirst = text === samples && allows('operate')
    const known = isFirst ? record().catch(() => false) : Promise.resolve(false)
    const start = async (): Promise<void> => {
      await known
      const result = await run()
      // Marks for types would load TypeScript, which takes longer than the measurement itself.
      if (result?.draft.problems.length === 0 && language === 'javascript')
        await measure(result.code, result.events).catch(() => {})
    }
    void start()
  }, [isReady, liveCode])
  const testNow = async (): Promise<readonly TestResult[]> => {
    const results = await runTests(name, code, tests)
    setTestResults(results)
    return results
  }
  const save = async (): Promise<string> => {
    if (!isChanged) return versionId
    const saved = await request<Transformation>(`/transformations/${id}`, { method: 'POST', body: { code } })
    onSaved()
    return saved.versionId
  }
  return {
    transformation,
    code,
    setCode,
    isChanged,
    isSavedElsewhere,
    adopt,
    adopted,
    liveCode,
    liveNumber: live?.number,
    text,
    setText,
    ran,
    runProblem,
    isRunning,
    isStale: ran !== undefined && (ran.code !== code || ran.text !== text),
    run: async () => {
      const result = await run()
      if (tests.length > 0) await testNow()
      return result
    },
    takeRecorded: () =>
      void action.run(async () => {
        if (!(await record())) return 'No event was recorded yet.'
        await run()
        return undefined
      }),
    measured: measured?.code === code ? measured : undefined,
    measure: () =>
      void action.run(async () => {
        await measure(code, parseEvents(text))
        return undefined
      }),
    tests,
    setTests,
    testResults,
    testNow,
    save,
    action,
    onSaved,
  }
}

/** Returns a version, once it is known. */
function useVersion(id: string, versionId: string | null): Version | undefined {
  const { value } = usePolled(
    `version ${versionId}`,
    async (signal) =>
      versionId === null ? undefined : request<Version>(`/transformations/${id}/versions/${versionId}`, { signal }),
    0,
  ).state.value
  return value
}
