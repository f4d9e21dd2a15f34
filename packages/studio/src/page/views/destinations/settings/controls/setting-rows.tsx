import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../../parts/signs/icon.tsx'
import type { Setting } from '../../records.ts'
import type { ControlProps, ShowPart } from './control-props.ts'
import { MemberCells } from './member-cells.tsx'
import { focusableOf, type RowPart, RowTools } from './row-tools.tsx'
import { movedRow } from './setting-list.ts'

interface SettingRowsProps extends Pick<ControlProps, 'id' | 'label' | 'path' | 'setting' | 'isFixed' | 'describedBy'> {
  /** Schema of an element. */
  readonly item: Setting
  readonly rows: readonly unknown[]
  readonly show: ShowPart
  readonly onChange: (rows: readonly unknown[]) => void
}

/** What gets the focus after a change: a part of a row, or the button that adds one. */
type Focus = { readonly row: number; readonly part: RowPart } | 'add'

/** A list as rows that are added, removed and moved, with a mouse or with keys. */
export function SettingRows({ rows, item, show, onChange, ...props }: SettingRowsProps) {
  const { id, label, path, setting, isFixed, describedBy } = props
  const name = label ?? setting.title ?? 'Element'
  const list = useRef<HTMLOListElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const focus = useRef<Focus | undefined>(undefined)
  const [moved, setMoved] = useState('')
  const keys = useRowKeys(rows.length)
  useEffect(() => {
    const wanted = focus.current
    focus.current = undefined
    if (wanted === 'add') adder.current?.focus()
    else if (wanted) focusableOf(list.current?.children[wanted.row] ?? null, wanted.part)?.focus()
  })
  const add = (): void => {
    focus.current = { row: rows.length, part: 'cell' }
    onChange([...rows, item.properties ? {} : ''])
  }
  const remove = (n: number): void => {
    keys.splice(n, 1)
    focus.current = rows.length === 1 ? 'add' : { row: Math.min(n, rows.length - 2), part: 'cell' }
    onChange(rows.toSpliced(n, 1))
  }
  const move = (from: number, step: -1 | 1, part: RowPart): void => {
    const to = from + step
    if (isFixed || to < 0 || to >= rows.length) return
    keys.splice(to, 0, ...keys.splice(from, 1))
    focus.current = { row: to, part }
    setMoved(`${name} ${from + 1} is now number ${to + 1}.`)
    onChange(movedRow(rows, from, to))
  }
  return (
    <div class="setting-rows">
      <ol ref={list}>
        {rows.map((row, n) => (
          <li key={keys[n]}>
            <fieldset
              onKeyDown={(event) => {
                const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
                // Alt and an arrow open a select.
                if (!event.altKey || step === undefined || event.target instanceof HTMLSelectElement) return
                event.preventDefault()
                event.stopPropagation()
                move(n, step, 'cell')
              }}
            >
              <legend class="unseen">
                {name} {n + 1}
              </legend>
              <MemberCells
                part={{
                  id: `${id}-${keys[n]}`,
                  label: `${name} ${n + 1}`,
                  path,
                  setting: item,
                  value: row,
                  onChange: (next) => onChange(rows.with(n, next)),
                }}
                show={show}
              />
              {isFixed ? null : (
                <RowTools
                  name={`${name} ${n + 1}`}
                  isFirst={n === 0}
                  isLast={n === rows.length - 1}
                  onMove={(step, part) => move(n, step, part)}
                  onRemove={() => remove(n)}
                />
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      {isFixed ? null : (
        <button ref={adder} type="button" class="ghost small" aria-describedby={describedBy} onClick={add}>
          <Icon name="plus" />
          <span>
            Add one<span class="unseen"> to {name}</span>
          </span>
        </button>
      )}
      {isFixed && rows.length === 0 ? <span class="soft">none</span> : null}
      <span class="unseen" role="status">
        {moved}
      </span>
    </div>
  )
}

/** Returns a key for each row, which stays with it when it moves. */
function useRowKeys(count: number): number[] {
  const next = useRef(0)
  const keys = useRef<number[]>([])
  while (keys.current.length < count) keys.current.push(next.current++)
  keys.current.length = count
  return keys.current
}
