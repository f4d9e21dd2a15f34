import { request } from '../../../api/request.ts'
import { ExactTime } from '../../../parts/format/exact-time.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Facts } from '../../../parts/page/facts.tsx'
import { saveFile } from '../../../parts/save-file.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { addressOf } from '../../../shell/router.ts'
import type { Deletion, Deletions } from '../regulation.ts'
import { deletionCounts, deletionState, progressText } from './deletion-state.ts'

interface ProofPaperProps {
  readonly userId: string
  readonly deletions: Deletions
}

/** The proof of a deletion as a document that fills up while the deletion runs; over, it leads to the certificate. */
export function ProofPaper({ userId, deletions: { regulation, data, isOver } }: ProofPaperProps) {
  const { id, createdAt } = regulation
  const action = useAction()
  const { stuck } = deletionCounts(data)
  const save = (): void =>
    void action.run(async () => {
      const text = await request<string>(`/v2/regulations/${encodeURIComponent(id)}/report`)
      saveFile(text, `deletion-${id}.txt`, 'text/plain')
      return undefined
    })
  return (
    <section class="paper" aria-label="Proof of deletion">
      <header>
        <Seal />
        <div>
          <h2>Proof of deletion</h2>
          <p>{isOver ? progressText(data) : 'Draft: the deletion is not over yet'}</p>
        </div>
      </header>
      <Facts
        rows={[
          { name: 'Person', value: userId },
          { name: 'Requested', value: <ExactTime at={createdAt} /> },
          { name: 'Regulation', value: <code>{id}</code> },
        ]}
      />
      <ol class="proof">
        {data.map((row) => (
          <Line key={`${row.destinationId ?? ''} ${row.destination}`} row={row} />
        ))}
      </ol>
      <p class="paper-note">
        What no proof covers: copies that a destination passed on.
        {stuck > 0 ? ' Where it was not possible, write to the owners yourself, and mark it as done.' : ''}
      </p>
      <footer class="row on-screen">
        {isOver ? (
          <a class="btn main" href={addressOf(`/privacy/certificates/${encodeURIComponent(id)}`)}>
            <Icon name="file-check" />
            Signed certificate
          </a>
        ) : null}
        <button type="button" disabled={action.isBusy} onClick={save}>
          <Icon name="download" />
          Save
        </button>
        <button type="button" onClick={() => print()}>
          <Icon name="printer" />
          Print
        </button>
      </footer>
      <Outcome action={action} />
    </section>
  )
}

function Line({ row }: { readonly row: Deletion }) {
  const { state, icon, text } = deletionState(row)
  const isOpen = state === 'wait'
  return (
    <li class={state}>
      <Icon name={icon} />
      <span>
        <b>{row.destination}</b> {text.toLowerCase()}
      </span>
      <small>{isOpen ? 'open' : <ExactTime at={row.updatedAt} />}</small>
    </li>
  )
}

function Seal() {
  return (
    <svg class="seal" viewBox="0 0 64 64" aria-hidden="true">
      <circle cx="32" cy="32" r="29" />
      <circle cx="32" cy="32" r="23" />
      <path d="M22 33l7 7 13-15" />
    </svg>
  )
}
