import { useState } from 'preact/hooks'
import { request } from '../../../api/request.ts'
import { Meter } from '../../../parts/charts/meter.tsx'
import { Segmented } from '../../../parts/fields/segmented.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { useAction } from '../../../parts/use-action.ts'
import type { Regulation } from '../regulation.ts'
import { sendInBatches } from './in-batches.ts'
import { ListCheck } from './list-check.tsx'
import { type PeopleList, parsePeopleList } from './people-list.ts'
import { peopleText } from './people-text.ts'

interface ImportDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

type Kind = Regulation['regulationType']

const kinds = [
  { value: 'suppress', text: 'Suppress' },
  { value: 'suppress_with_delete', text: 'Suppress and delete' },
] as const

/** Largest file, in bytes: a hundred thousand people have about 4 MB. */
const fileBytesMax = 10_000_000

/** Reads a list of people from a file, says what is in it, and suppresses or deletes them. The file stays in the browser. */
export function ImportDialog({ isOpen, onClose, onDone }: ImportDialogProps) {
  const [list, setList] = useState<PeopleList>()
  const [kind, setKind] = useState<Kind>('suppress')
  const [typed, setTyped] = useState('')
  const [leavesOut, setLeavesOut] = useState(false)
  const [sent, setSent] = useState(0)
  const action = useAction()
  const people = list?.people ?? []
  const read = (file: File | undefined): void =>
    void action.run(async () => {
      setList(undefined)
      setSent(0)
      setTyped('')
      setLeavesOut(false)
      if (file === undefined) return undefined
      if (file.size > fileBytesMax) throw new Error('The file has more than 10 MB. Divide it into several lists.')
      setList(parsePeopleList(await file.text()))
      return undefined
    })
  const send = (): void =>
    void action.run(async () => {
      await sendInBatches(
        people,
        sent,
        (users) =>
          request('/v2/regulations', { method: 'POST', body: { regulationType: kind, users }, waitMs: 60_000 }),
        setSent,
      )
      showToast(`In force for ${peopleText(people.length)}.`)
      setList(undefined)
      setSent(0)
      onDone()
      onClose()
      return undefined
    })
  const isComplete = list !== undefined && (list.malformed.length === 0 || leavesOut)
  const isConfirmed = kind === 'suppress' || typed === String(people.length)
  return (
    <Dialog
      title="Import a list of people"
      note="A file with a userId on each line, or CSV whose header names the column userId, and perhaps email, phone and anonymousId."
      isOpen={isOpen}
      onClose={onClose}
      foot={
        <>
          <span class="left">{kind === 'suppress' ? 'Can be lifted for each person' : 'Cannot be undone'}</span>
          <button type="button" onClick={onClose}>
            Close
          </button>
          <button
            type="button"
            class={kind === 'suppress' ? 'main' : 'danger main'}
            disabled={!isComplete || !isConfirmed || people.length === 0 || action.isBusy}
            onClick={send}
          >
            {sent > 0
              ? `Send the other ${countText(people.length - sent)}`
              : `${kinds.find(({ value }) => value === kind)?.text} ${peopleText(people.length)}`}
          </button>
        </>
      }
    >
      <label class="field">
        <span class="field-name">File</span>
        <input
          type="file"
          accept=".txt,.csv,.tsv,text/plain,text/csv"
          disabled={action.isBusy}
          onChange={(event) => read(event.currentTarget.files?.[0])}
        />
      </label>
      {list === undefined ? null : <ListCheck list={list} />}
      {list !== undefined && list.malformed.length > 0 ? (
        <label>
          <input type="checkbox" checked={leavesOut} onChange={(event) => setLeavesOut(event.currentTarget.checked)} />
          <span>Leave out the lines that cannot be read</span>
        </label>
      ) : null}
      {sent > 0 ? null : <Segmented label="What to do with them" options={kinds} value={kind} onChange={setKind} />}
      {kind === 'suppress_with_delete' && people.length > 0 && sent === 0 ? (
        <label class="field">
          <span class="field-name">Type the number of people to confirm: {people.length}</span>
          <input
            value={typed}
            inputMode="numeric"
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      ) : null}
      {list !== undefined && (action.isBusy || sent > 0) ? (
        <div class="stack">
          <p role="status">
            In force for {countText(sent)} of {peopleText(people.length)}.
          </p>
          <Meter share={people.length === 0 ? 0 : sent / people.length} state="guard" />
        </div>
      ) : null}
      {action.problem !== undefined && list !== undefined && sent < people.length ? (
        <Notice kind="plain">
          Requests of up to 5,000 people are accepted as a whole or not at all. Those after the {countText(sent)} that
          are in force are not, unless the server answered too late; to send them once more does no harm.
        </Notice>
      ) : null}
      <Outcome action={action} />
    </Dialog>
  )
}
