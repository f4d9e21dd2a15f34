import './workbench.css'
import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { CodeEditor, type LineProblem } from '../../editor/code-editor.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, path } from '../../shell/router.ts'
import { ConnectedDestinations } from './connected-destinations.tsx'
import type { RunResult, TestProblem, Transformation, Version } from './transformation.ts'
import { HottestLines } from './trial/hottest-lines.tsx'
import { LiveLog } from './trial/live-log.tsx'
import { Outputs } from './trial/outputs.tsx'
import { recordedEvents } from './trial/recorded-events.ts'
import { readLibraries, tryInPage } from './trial/try-in-page.ts'
import { useKeyPaths } from './trial/use-key-paths.ts'
import { Versions } from './versions.tsx'

const samples = JSON.stringify(
  [
    { type: 'track', event: 'Order Completed', userId: 'u1', properties: { order_id: 'o-1', total: 42 } },
    { type: 'identify', userId: 'u1', traits: { email: 'ada@example.com', plan: 'pro' } },
  ],
  null,
  2,
)

/** One transformation: its code, events to try it on, its outputs, its versions and destinations. */
export function Workbench() {
  const id = path.value.slice('/transformations/'.length)
  const address = `/transformations/${id}`
  const { state, refresh } = usePolled(address, (signal) => request<Transformation>(address, { signal }), 10_000)
  const { value, error } = state.value
  return (
    <>
      <p>
        <a href={addressOf('/transformations')}>All transformations</a>
      </p>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? <Bench key={id} transformation={value} onSaved={() => void refresh()} /> : null}
    </>
  )
}

function Bench({ transformation, onSaved }: { readonly transformation: Transformation; readonly onSaved: () => void }) {
  const { id, versionId, publishedVersionId } = transformation
  const [code, setCode] = useState(transformation.code)
  const [base, setBase] = useState(transformation.code)
  const [adopted, setAdopted] = useState(0)
  /** Shows the newest saved code in place of what is here. */
  const adopt = (): void => {
    setBase(transformation.code)
    setCode(transformation.code)
    setAdopted(adopted + 1)
  }
  const [events, setEvents] = useState(eventsOf.get(id) ?? samples)
  const [ran, setRan] = useState<RunResult>()
  const [live, setLive] = useState<RunResult>()
  const [typeLibraries, setTypeLibraries] = useState<Readonly<Record<string, string>>>()
  const paths = useKeyPaths()
  const action = useAction()
  const isChanged = code !== transformation.code
  // Saved elsewhere: shown where nothing was written here, and only reported otherwise.
  const isSavedElsewhere = base !== transformation.code && isChanged
  if (base !== transformation.code && !isChanged) setBase(transformation.code)
  if (isSavedElsewhere && code === base) adopt()
  const mayWrite = allows('write')
  const mayPublish = mayWrite && allows('operate')

  /** Saves the code as a revision where it changed. @returns the version that has it. */
  const save = async (): Promise<string> => {
    if (!isChanged) return versionId
    const saved = await request<Transformation>(`/transformations/${id}`, { method: 'POST', body: { code } })
    onSaved()
    return saved.versionId
  }
  /** Runs the code as it is here, and the live version, in the page. */
  const runBoth = async (): Promise<RunResult> => {
    const input: unknown = JSON.parse(events)
    eventsOf.set(id, events)
    const result = await tryInPage(transformation.name, code, input)
    setRan(result)
    setLive(undefined)
    if (publishedVersionId !== null && (isChanged || publishedVersionId !== versionId)) {
      const { code: liveCode } = await request<Version>(`/transformations/${id}/versions/${publishedVersionId}`)
      setLive(await tryInPage(transformation.name, liveCode, input))
    }
    return result
  }
  const run = (): void =>
    void action.run(async () => {
      const { problems, runMs } = await runBoth()
      return problems.length === 0 ? `All events passed, in this page, in ${(runMs ?? 0).toFixed(1)} ms.` : undefined
    })
  const turnTypes = (isOn: boolean): void =>
    void action.run(async () => {
      const libraries = isOn ? await readLibraries() : []
      setTypeLibraries(isOn ? Object.fromEntries(libraries.map((each) => [each.name, each.code])) : undefined)
      return undefined
    })
  const saveOnly = (): void =>
    void action.run(async () => {
      await save()
      return 'Saved as a revision. The live version is the same as before.'
    })
  const record = (): void =>
    void action.run(async () => {
      const recorded = await recordedEvents()
      if (recorded.length === 0) return 'No event was recorded yet.'
      setEvents(JSON.stringify(recorded, null, 2))
      return undefined
    })
  const publish = (): void =>
    void action.run(async () => {
      const { problems } = await runBoth()
      if (problems.length > 0) throw new Error('Not published: the code failed on these events. The line is marked.')
      const version = await save()
      await request('/transformations/libraries/publish', {
        method: 'POST',
        body: { transformations: [{ versionId: version, testInput: JSON.parse(events) as unknown }] },
        waitMs: 60_000,
      })
      setLive(undefined)
      onSaved()
      return 'Live: it runs on all events from the next batch on.'
    })
  return (
    <>
      <h2>
        {transformation.name}
        {publishedVersionId === versionId && !isChanged ? <span class="in good"> live</span> : null}
      </h2>
      <div class="row">
        <button type="button" class="main" disabled={action.isBusy} onClick={run}>
          Run (Ctrl-Enter)
        </button>
        {mayWrite ? (
          <button type="button" disabled={action.isBusy || !isChanged} onClick={saveOnly}>
            Save as revision
          </button>
        ) : null}
        {mayPublish ? (
          <ConfirmButton
            text="Publish"
            question={`The code is run on the events beside it. When all pass, it is live at ${transformation.destinations?.length ?? 0} destinations from the next batch on.`}
            confirm="Run and publish"
            isDisabled={action.isBusy}
            onConfirm={publish}
          />
        ) : null}
      </div>
      <Outcome action={action} />
      {isSavedElsewhere ? (
        <Notice kind="plain">
          Other code was saved meanwhile. What you save comes after it.{' '}
          <button type="button" onClick={adopt}>
            Show it in place of yours
          </button>
        </Notice>
      ) : null}
      <div class="columns workbench">
        <section>
          <h3>Code</h3>
          <CodeEditor
            key={adopted}
            label={`Code of ${transformation.name}`}
            code={code}
            onChange={setCode}
            onRun={run}
            isFixed={false}
            problems={linesOf(ran?.problems ?? [])}
            paths={paths}
            typeLibraries={typeLibraries}
          />
          <label>
            <input
              type="checkbox"
              checked={typeLibraries !== undefined}
              disabled={action.isBusy}
              onChange={(event) => turnTypes(event.currentTarget.checked)}
            />
            Check types (loads TypeScript, about 1 MB)
          </label>
          <p class="hint">
            Runs stay in this page, in the sandbox of production; credentials are empty here. Escape, then Tab, leaves
            the editor.
          </p>
        </section>
        <section>
          {allows('operate') ? (
            <button type="button" disabled={action.isBusy} onClick={record}>
              Take recorded events, personal data masked
            </button>
          ) : null}
          <label class="field">
            Events
            <textarea
              rows={14}
              spellcheck={false}
              value={events}
              onInput={(event) => setEvents(event.currentTarget.value)}
            />
          </label>
        </section>
      </div>
      {ran ? <Outputs ran={ran} live={live} /> : null}
      <HottestLines name={transformation.name} code={code} events={events} />
      {allows('operate') ? <LiveLog transformationId={id} /> : null}
      <ConnectedDestinations transformation={transformation} onChanged={onSaved} />
      <Versions transformation={transformation} onChanged={onSaved} />
    </>
  )
}

/** Events of each transformation, kept while the page is open. */
const eventsOf = new Map<string, string>()

function linesOf(problems: readonly TestProblem[]): readonly LineProblem[] {
  return problems.flatMap(({ line, error, module }) =>
    line === undefined || module !== undefined ? [] : [{ line, message: error }],
  )
}
