import './palette.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { visitor } from '../../api/session.ts'
import { Icon } from '../../parts/signs/icon.tsx'
import { Keys } from '../../parts/signs/keys.tsx'
import { go } from '../router.ts'
import { findEntries, type JumpEntry } from './jump-entries.ts'
import { pageEntries, readEntries } from './read-entries.ts'

/** Search and jump: a dialog with one field, and a list that is chosen from by arrow keys. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [records, setRecords] = useState<readonly JumpEntry[]>()
  useEffect(() => {
    dialog.current?.showModal()
    const reading = new AbortController()
    void readEntries(reading.signal).then((found) => {
      if (!reading.signal.aborted) setRecords(found)
    })
    return () => reading.abort()
  }, [])
  const found = findEntries([...pageEntries(visitor.value?.scopes ?? []), ...(records ?? [])], text)
  const chosen = found[Math.min(at, found.length - 1)]
  const leave = (): void => {
    // Closing it gives the focus back to where it was.
    dialog.current?.close()
    onClose()
  }
  const open = (entry: JumpEntry | undefined): void => {
    if (entry === undefined) return
    onClose()
    go(entry.path)
    entry.onOpen?.()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = chosen ? found.indexOf(chosen) : 0
    const next = { ArrowDown: index + 1, ArrowUp: index - 1 + found.length }[event.key]
    if (event.key === 'Enter') open(chosen)
    else if (next !== undefined) setAt(next % Math.max(1, found.length))
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click beside the dialog does.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search or jump to"
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) leave()
      }}
    >
      <div class="palette-ask">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls="palette-list"
          aria-activedescendant={chosen ? optionId(found.indexOf(chosen)) : undefined}
          aria-label="Search or jump to"
          placeholder="A name, or the id of an event"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <Keys names={['Esc']} />
      </div>
      <Options found={found} chosen={chosen} onOpen={open} />
      <p class="unseen" role="status">
        {records === undefined ? 'Reading names' : `${found.length} found`}
      </p>
      <footer>
        <Keys names={['↑', '↓']} /> to choose <Keys names={['Enter']} /> to open
      </footer>
    </dialog>
  )
}

const optionId = (n: number): string => `palette-${n}`

interface OptionsProps {
  readonly found: readonly JumpEntry[]
  readonly chosen: JumpEntry | undefined
  readonly onOpen: (entry: JumpEntry) => void
}

function Options({ found, chosen, onOpen }: OptionsProps) {
  const groups = [...new Set(found.map(({ group }) => group))]
  const selected = useRef<HTMLDivElement>(null)
  useEffect(() => selected.current?.scrollIntoView({ block: 'nearest' }), [chosen])
  return (
    <div class="palette-list" role="listbox" id="palette-list" aria-label="Found">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset.
        <div key={group} role="group" aria-labelledby={`palette-group-${group}`}>
          <div class="palette-title" id={`palette-group-${group}`} role="presentation">
            {group}
          </div>
          {found.map((entry, n) =>
            entry.group === group ? (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys, see the combobox pattern.
              <div
                key={`${entry.path} ${entry.title}`}
                ref={entry === chosen ? selected : undefined}
                role="option"
                id={optionId(n)}
                aria-selected={entry === chosen}
                onClick={() => onOpen(entry)}
              >
                <Icon name={entry.icon} />
                <span>{entry.title}</span>
                <small>{entry.note}</small>
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  )
}
