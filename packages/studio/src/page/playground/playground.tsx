import { useMemo, useState } from 'preact/hooks'
import { lazy } from '../parts/lazy.tsx'
import { Notice } from '../parts/notice.tsx'
import { CodeBox } from './code-box.tsx'
import { codeExamples, eventExamples } from './examples.ts'
import { keyPathsOf } from './key-paths-of.ts'
import { DestinationBox } from './mapping/destination-box.tsx'
import { type DraftRun, runDraft, stopDraft } from './run-draft.ts'
import { RunResult } from './run-result.tsx'
import { type KeptVersion, withVersion } from './versions/kept-version.ts'
import { type HeldDraft, useDraft } from './versions/use-draft.ts'

const KeptVersions = lazy(() => import('./versions/kept-versions.tsx').then(({ KeptVersions }) => KeptVersions))

/** A page to try a transformation and a destination in. Nothing leaves it. */
export function Playground() {
  const held = useDraft()
  return (
    <>
      <header class="bar">
        <span class="brand">Sluice playground</span>
        <span class="soft">Everything runs in this page, and nothing leaves it.</span>
      </header>
      <main id="main" class="bench-page">
        {held ? <Bench held={held} /> : <p aria-busy="true" />}
      </main>
    </>
  )
}

function Bench({ held: { draft, origin, isFromLink, change } }: { readonly held: HeldDraft }) {
  const [run, setRun] = useState<DraftRun>()
  const [problem, setProblem] = useState('')
  const [isRunning, setRunning] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const [exampleAt, setExampleAt] = useState(0)
  const [versions, setVersions] = useState<readonly KeptVersion[]>([])
  const paths = useMemo(() => keyPathsOf(draft.events), [draft.events])
  const start = async (): Promise<void> => {
    if (isRunning) return
    setRunning(true)
    setProblem('')
    try {
      setRun(await runDraft(draft))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setRunning(false)
  }
  const replaceCode = (code: string): void => {
    change(() => ({ code }))
    setExampleAt(exampleAt + 1)
  }
  return (
    <>
      <h1>Try a transformation</h1>
      {isFromLink && run === undefined ? (
        <Notice kind="plain">
          This code came with the link. It runs when you press Run, in a sandbox without a network.
        </Notice>
      ) : null}
      <div class="playground">
        <div class="stack">
          <section class="frame" aria-labelledby="code">
            <header class="frame-head">
              <h2 id="code">Transformation</h2>
              <Examples
                label="Sample code"
                titles={codeExamples.map(({ title }) => title)}
                onChoose={(index) => replaceCode(codeExamples[index]?.code ?? '')}
              />
            </header>
            <CodeBox
              key={`${origin} ${exampleAt}`}
              code={draft.code}
              onChange={(code) => change(() => ({ code }))}
              onRun={() => void start()}
              problems={linesOf(run)}
              paths={paths}
              isTyped={isTyped}
            />
            <div class="row run-row">
              <button type="button" class="main" disabled={isRunning} onClick={() => void start()}>
                Run
              </button>
              <button type="button" disabled={!isRunning} onClick={stopDraft}>
                Stop
              </button>
              <button
                type="button"
                disabled={run === undefined}
                onClick={() => run && setVersions(withVersion(versions, draft.code, run))}
              >
                Keep as a version
              </button>
              <label>
                <input type="checkbox" checked={isTyped} onChange={(event) => setTyped(event.currentTarget.checked)} />
                Check types (loads TypeScript, about 1 MB)
              </label>
              <small>Ctrl-Enter runs. Escape, then Tab, leaves the editor.</small>
            </div>
          </section>
          <section class="frame" aria-labelledby="events">
            <header class="frame-head">
              <h2 id="events">Events</h2>
              <Examples
                label="Sample events"
                titles={eventExamples.map(({ title }) => title)}
                onChoose={(index) => change(() => ({ events: JSON.stringify(eventExamples[index]?.events, null, 2) }))}
              />
            </header>
            <textarea
              class="code"
              aria-labelledby="events"
              rows={12}
              spellcheck={false}
              value={draft.events}
              onInput={({ currentTarget: { value: events } }) => change(() => ({ events }))}
            />
          </section>
          <section class="frame boxed">
            <DestinationBox draft={draft} onChange={change} />
          </section>
        </div>
        <div class="stack results">
          <section class="frame boxed" aria-labelledby="result">
            <h2 id="result">Result</h2>
            {problem === '' ? null : <Notice kind="bad">{problem}</Notice>}
            {run === undefined ? (
              <p class="soft">Press Run.</p>
            ) : (
              <RunResult run={run} destination={draft.destination} />
            )}
          </section>
          <section class="frame boxed" aria-labelledby="versions">
            <h2 id="versions">Versions</h2>
            {versions.length === 0 ? (
              <p class="soft">None yet. They are kept until the page is closed.</p>
            ) : (
              <KeptVersions versions={versions} onOpen={replaceCode} />
            )}
          </section>
        </div>
      </div>
    </>
  )
}

/** A choice that fills in an example, and does not stay chosen, because the text may be changed. */
function Examples({
  label,
  titles,
  onChoose,
}: {
  readonly label: string
  readonly titles: readonly string[]
  readonly onChoose: (index: number) => void
}) {
  return (
    <label>
      {label}
      <select
        value=""
        onChange={(event) => {
          const chosen = event.currentTarget.value
          event.currentTarget.value = ''
          if (chosen !== '') onChoose(Number(chosen))
        }}
      >
        <option value="">Choose …</option>
        {titles.map((title, index) => (
          <option key={title} value={index}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

function linesOf(run: DraftRun | undefined) {
  const ofEvents = run?.events.flatMap(({ error, line }) => (error && line ? [{ line, message: error }] : [])) ?? []
  const ofCode = run?.problems.flatMap(({ text, line }) => (line ? [{ line, message: text }] : [])) ?? []
  return [...ofCode, ...ofEvents]
}
