import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { deleteQuery, readSavedQueries, type SavedQuery, saveQuery } from './saved-query.ts'

interface SavedQueriesProps {
  readonly sql: string
  /** The saved query that the text was. */
  readonly opened: SavedQuery | undefined
  readonly onOpen: (query: SavedQuery) => void
  readonly onSaved: (query: SavedQuery | undefined) => void
}

/** A button for the queries that people of the workspace saved, and a dialog to open, save and delete them. */
export function SavedQueries({ sql, opened, onOpen, onSaved }: SavedQueriesProps) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { state, refresh } = usePolled('saved queries', readSavedQueries, 0)
  const action = useAction()
  const { value: queries = [], error } = state.value
  const save = (query: Parameters<typeof saveQuery>[0]): void =>
    void action.run(async () => {
      onSaved(await saveQuery(query))
      await refresh()
      setName('')
      setOpen(false)
      showToast(`${query.name} is saved, for everyone who may run queries here.`)
      return undefined
    })
  const remove = ({ id, name: gone }: SavedQuery): void =>
    void action.run(async () => {
      await deleteQuery(id)
      await refresh()
      if (opened?.id === id) onSaved(undefined)
      return `${gone} is deleted.`
    })
  return (
    <>
      <button
        type="button"
        class="ghost small"
        onClick={() => {
          setOpen(true)
          void refresh()
        }}
      >
        <Icon name="bookmark" />
        Saved queries
      </button>
      <Dialog
        title="Saved queries"
        note="For everyone who may run queries in this workspace. Do not write ids of people into them: a deletion does not look here."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        foot={
          <button type="button" onClick={() => setOpen(false)}>
            Close
          </button>
        }
      >
        {error ? <Notice kind="bad">{error.message}</Notice> : null}
        {queries.length === 0 ? (
          <EmptyState icon="bookmark" title="None yet">
            Write a query, and save it under a name below.
          </EmptyState>
        ) : (
          <ul class="list saved-queries">
            {queries.map((query) => (
              <li key={query.id}>
                <span class="mark">
                  <Icon name="bookmark" />
                </span>
                <span>
                  {query.name}
                  <small>
                    <code>{query.sql.slice(0, 120)}</code>
                  </small>
                </span>
                <span class="row">
                  <button
                    type="button"
                    aria-label={`Open ${query.name}`}
                    onClick={() => {
                      setOpen(false)
                      onOpen(query)
                    }}
                  >
                    Open
                  </button>
                  <ConfirmButton
                    text="Delete"
                    isDanger
                    question={`${query.name} is deleted for everyone.`}
                    confirm={`Delete ${query.name}`}
                    isDisabled={action.isBusy}
                    onConfirm={() => remove(query)}
                  />
                </span>
              </li>
            ))}
          </ul>
        )}
        {opened ? (
          <button type="button" disabled={action.isBusy || sql === opened.sql} onClick={() => save({ ...opened, sql })}>
            Save the present SQL as {opened.name}
          </button>
        ) : null}
        <form
          class="save-query"
          onSubmit={(event) => {
            event.preventDefault()
            save({ name, sql })
          }}
        >
          <label class="field">
            <span class="field-name">Save the present SQL under a new name</span>
            <input
              value={name}
              maxLength={100}
              autocomplete="off"
              placeholder="Orders a day"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={action.isBusy || name.trim() === '' || sql.trim() === ''}>
            Save
          </button>
        </form>
        <Outcome action={action} />
      </Dialog>
    </>
  )
}
