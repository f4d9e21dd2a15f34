import { useState } from 'preact/hooks'
import { DiffView } from '../../editor/lazy-diff-view.tsx'
import type { DraftRun } from '../run-draft.ts'
import type { KeptVersion } from './kept-version.ts'

/** Versions of the code in this page, and what changed from one to another: in the code, and in what it returns. */
export function KeptVersions({
  versions,
  onOpen,
}: {
  readonly versions: readonly KeptVersion[]
  readonly onOpen: (code: string) => void
}) {
  const [before, setBefore] = useState<number>()
  const [after, setAfter] = useState<number>()
  const one = versions.find(({ number }) => number === before) ?? versions.at(-2)
  const other = versions.find(({ number }) => number === after) ?? versions.at(-1)
  if (other === undefined) return null
  return (
    <>
      <div class="row">
        {one === undefined ? null : <Choice label="Compare" versions={versions} chosen={one} onChoose={setBefore} />}
        <Choice label={one === undefined ? 'Version' : 'with'} versions={versions} chosen={other} onChoose={setAfter} />
        <button type="button" onClick={() => onOpen(other.code)}>
          Go back to version {other.number}
        </button>
      </div>
      {one === undefined || one === other ? null : (
        <>
          <h3>What it returns</h3>
          <Difference label="Outputs, compared" before={textOf(one.run)} after={textOf(other.run)} />
          <h3>Code</h3>
          <Difference label="Code, compared" before={one.code} after={other.code} />
        </>
      )}
    </>
  )
}

function Difference(texts: { readonly label: string; readonly before: string; readonly after: string }) {
  return texts.before === texts.after ? <p class="in good">The same.</p> : <DiffView {...texts} />
}

function Choice({
  label,
  versions,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly versions: readonly KeptVersion[]
  readonly chosen: KeptVersion
  readonly onChoose: (number: number) => void
}) {
  return (
    <label>
      {label}
      <select value={chosen.number} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {versions.map(({ number }) => (
          <option key={number} value={number}>
            version {number}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Outputs, requests and log, without times. */
function textOf({ events, log, problems }: DraftRun): string {
  const results = events.map(({ event: _, ...result }) => result)
  return JSON.stringify({ problems, results, log }, null, 2)
}
