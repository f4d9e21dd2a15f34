import { useEffect, useState } from 'preact/hooks'
import { request } from '../../../api/request.ts'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { recordedEvents } from '../../compare/recorded-events.ts'
import type { Bench } from '../bench/use-bench.ts'
import { runTests, type TestResult } from '../trial/kept-tests.ts'
import { tryInPage } from '../trial/try-in-page.ts'
import { type WhatIf, whatIf } from '../trial/what-if.ts'
import type { Candidate } from './candidate.ts'
import { WhatIfView } from './what-if-view.tsx'

/** Recorded events that are run: as many as the server gives. */
const eventsMax = 500

interface PublishDialogProps {
  readonly bench: Bench
  /** What may be published; the dialog is closed without one. */
  readonly candidate: Candidate | undefined
  readonly onClose: () => void
}

/** Shows what a version would change on recorded events, before it is published. */
export function PublishDialog({ bench, candidate, onClose }: PublishDialogProps) {
  const { transformation, text, ran, isStale, save, onSaved } = bench
  const { destinations = [] } = transformation
  const { checked, problem } = useCheck(bench, candidate)
  const action = useAction()
  const isDraft = candidate?.versionId === undefined
  const throwsHere = isDraft && !isStale && (ran?.draft.problems.length ?? 0) > 0
  const isRisky = checked !== undefined && (checked.found.failed > 0 || failedOf(checked.tests) > 0)
  const names = destinations.map(({ name }) => name).join(', ')
  const publish = (): void =>
    void action.run(async () => {
      // The events beside the code are tests that must pass; only the code that was tried with them has some.
      const result = isDraft ? await bench.run() : undefined
      if (isDraft && (result === undefined || result.draft.problems.length > 0))
        throw new Error('Not published: the code failed on the events beside it. The line is marked.')
      const versionId = candidate?.versionId ?? (await save())
      const tests = isDraft ? { testInput: JSON.parse(text) as unknown } : {}
      await request('/transformations/libraries/publish', {
        method: 'POST',
        body: { transformations: [{ versionId, ...tests }] },
        waitMs: 60_000,
      })
      onSaved()
      onClose()
      showToast('Live: it runs on all events from the next batch on.')
      return undefined
    })
  return (
    <Dialog
      title={`Publish ${candidate?.title ?? ''} of ${transformation.name}?`}
      note={names === '' ? 'It runs before no destination yet.' : `From the next batch on it runs before ${names}.`}
      isOpen={candidate !== undefined}
      onClose={onClose}
      foot={
        <>
          <span class="left">{footText(checked, throwsHere)}</span>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            class={isRisky && !throwsHere ? 'main danger' : 'main'}
            disabled={action.isBusy || throwsHere}
            onClick={publish}
          >
            {isRisky ? 'Publish all the same' : 'Publish it'}
          </button>
        </>
      }
    >
      {problem === undefined ? null : (
        <Notice kind="bad">What it would change is not known: {problem} The server tests it all the same.</Notice>
      )}
      {checked === undefined ? (
        problem === undefined ? (
          <Skeleton lines={4} />
        ) : null
      ) : (
        <WhatIfView {...checked} hasLive={bench.liveCode !== undefined} />
      )}
      <Outcome action={action} />
    </Dialog>
  )
}

/** What was found before a publication. */
interface Checked {
  readonly found: WhatIf
  readonly tests: readonly TestResult[]
  readonly tookMs: number
}

/** Runs the live version and the candidate on recorded events, and the tests, in the page, when there is one. */
function useCheck(
  { transformation, liveCode, tests }: Bench,
  candidate: Candidate | undefined,
): { readonly checked?: Checked; readonly problem?: string } {
  const [state, setState] = useState<{ readonly checked?: Checked; readonly problem?: string }>({})
  const { name, destinations = [] } = transformation
  useEffect(() => {
    setState({})
    if (candidate === undefined) return
    let isOver = false
    const check = async (): Promise<void> => {
      const events = await recordedEvents(eventsMax, destinations.length === 1 ? destinations[0]?.id : undefined)
      const startedAt = performance.now()
      const found = await whatIf(liveCode, candidate.code, events, (code, some) => tryInPage(name, code, some))
      const tookMs = performance.now() - startedAt
      const results = await runTests(name, candidate.code, tests)
      if (!isOver) setState({ checked: { found, tests: results, tookMs } })
    }
    check().catch((error: unknown) => {
      if (!isOver) setState({ problem: error instanceof Error ? error.message : String(error) })
    })
    return () => {
      isOver = true
    }
  }, [candidate])
  return state
}

const failedOf = (tests: readonly TestResult[]): number =>
  tests.filter(({ differences }) => differences.length > 0).length

function footText(checked: Checked | undefined, throwsHere: boolean): string {
  if (throwsHere) return 'It fails on the events beside the code: mend it, or remove them, first.'
  if (checked === undefined) return ''
  const failed = failedOf(checked.tests)
  if (failed > 0) return `${failed} of ${checked.tests.length} tests fail`
  return checked.found.failed > 0 ? `${checked.found.failed} recorded events would fail` : ''
}
