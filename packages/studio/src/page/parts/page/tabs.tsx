import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface Tab<Id extends string> {
  readonly id: Id
  readonly title: string
  /** A number beside the title. */
  readonly count?: string
  /** Whether the number is of failures. */
  readonly isBad?: boolean
  readonly content: () => ComponentChildren
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
  /** Beside the tabs. */
  readonly actions?: ComponentChildren
  /** `page` for tabs of a whole page, `inset` for those inside a panel. */
  readonly kind?: 'page' | 'inset'
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs, of which one is shown. Arrow keys, Home and End move between them. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, actions, kind = 'page' }: TabsProps<Id>) {
  const own = useId()
  const list = useRef<HTMLDivElement>(null)
  const chosen = tabs.find(({ id }) => id === value) ?? tabs[0]
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    const next = step && tabs[step(chosen ? tabs.indexOf(chosen) : 0, tabs.length)]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  if (chosen === undefined) return null
  return (
    <div class={`tabs ${kind}`}>
      <div class="tabs-head">
        <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ id, title, count, isBad }) => (
            <button
              key={id}
              type="button"
              role="tab"
              data-tab={id}
              id={`${own}-${id}`}
              aria-controls={`${own}-panel`}
              aria-selected={id === chosen.id}
              tabIndex={id === chosen.id ? 0 : -1}
              onClick={() => onChange(id)}
            >
              {title}
              {count === undefined ? null : <span class={`no${isBad ? ' bad' : ''}`}>{count}</span>}
            </button>
          ))}
        </div>
        {actions}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel takes the focus, so that its content is read. */}
      <div role="tabpanel" tabIndex={0} id={`${own}-panel`} aria-labelledby={`${own}-${chosen.id}`} key={chosen.id}>
        {chosen.content()}
      </div>
    </div>
  )
}
